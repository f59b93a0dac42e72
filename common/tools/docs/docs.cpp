#include "common/tools/docs/docs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "common/tools/docs/site_anchors.h"
#include "common/tools/docs/site_pages.h"
#include "common/tools/docs/site_search.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/progress.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// The folder of one run, removed at its end.
class WorkFolder {
public:
    explicit WorkFolder(const fs::path& build) : path_(build / fmt::format("docs-{}", getpid())) { fs::create_directories(path_); }
    ~WorkFolder() {
        std::error_code left_behind;
        fs::remove_all(path_, left_behind);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

constexpr const char* mark = "navtreedata.js";  // in every site that Doxygen builds with this Doxyfile

// Only a site of ours is replaced.
void check_target(const fs::path& out, const std::string& shown) {
    std::error_code error;
    if (fs::exists(out, error) && !fs::is_directory(out, error)) throw BadInput(fmt::format("docs: --out {}: is no folder", shown));
    if (fs::exists(out, error) && !fs::is_empty(out, error) && !fs::exists(out / mark))
        throw BadInput(fmt::format("docs: --out {}: has other files; name a new or an empty folder", shown));
}

// Replaces the site in `out`, whose parent folders are made if need be.
void replace_site(const fs::path& site, const fs::path& out, const std::string& shown) {
    std::error_code error;
    fs::create_directories(out, error);
    if (!error) fs::remove_all(out, error);
    if (!error) fs::rename(site, out, error);
    if (error == std::errc::cross_device_link) {
        error.clear();
        fs::copy(site, out, fs::copy_options::recursive, error);
    }
    if (error) throw BadInput(fmt::format("docs: --out {}: {}", shown, error.message()));
}

std::string report_of(const Lab& lab) { return fmt::format("examples/{}.html", lab.name()); }

std::string examples_page(const std::vector<Lab>& labs) {
    std::string text =
        "# Examples {#examples}\n\n"
        "The report of each reference solution: verdict, accesses of each kernel, counters, and what limits the time. Each is one page of "
        "its\n"
        "own, made by the command beside it. [The report](handouts_report.html) explains its parts.\n\n"
        "| report | made by | source |\n| --- | --- | --- |\n";
    for (const Lab& lab : labs) {
        const fs::path source = fs::path("solutions") / lab.folder / lab.file;
        text += fmt::format("| [Lab {}, {}]({}) | ``./lab report {} --solution`` | [``{}``]({}.html) |\n", lab.number, lab.title(),
                            report_of(lab), lab.name(), source.string(), page_name(source));
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> examples_in_navigation(const std::vector<Lab>& labs) {
    std::vector<std::pair<std::string, std::string>> examples{{"Reports of the solutions", "examples.html"}};
    for (const Lab& lab : labs) examples.emplace_back(fmt::format("Lab {}, {}", lab.number, lab.title()), report_of(lab));
    return examples;
}

// Runs a step of the build and returns its output; nothing if it was interrupted. Throws BadInput with the output if it failed.
std::optional<std::string> made(const Command& command, const std::string& what) {
    const Ending ending = run(command);
    if (interrupted()) return std::nullopt;
    if (!ending.ok()) throw BadInput(fmt::format("docs: {} failed with status {}:\n{}", what, ending.status, ending.output));
    return ending.output;
}

bool make_site(const Project& project, const fs::path& work) {
    const std::vector<Lab> labs = labs_in(project.root / "solutions");
    const SitePages pages = site_pages(project);
    for (const auto& [name, page] : pages.by_name) replace_file(work / "pages" / (name + ".md"), page.text.markdown);
    replace_file(work / "pages/examples.md", examples_page(labs));
    replace_file(work / "layout.xml", site_layout(pages, examples_in_navigation(labs)));
    const fs::path site = work / "site";
    fs::create_directories(site / "examples");
    fs::create_directories(site / "handouts");
    fs::copy(project.root / "handouts/figures", site / "handouts/figures", fs::copy_options::recursive);
    const Command doxygen{
        {"doxygen", "common/tools/docs/Doxyfile"}, project.root.string(), {{"LAB_DOCS", work.string()}, {"LAB_VERSION", LAB_VERSION}}};
    Progress progress;
    progress.show(fmt::format("{} pages and the API", pages.by_name.size()));
    const auto warnings = made(doxygen, "doxygen");
    if (!warnings) return false;
    repair_anchors(site);
    replace_search(pages, project.root / "common/tools/docs/search.js", site);
    if (!warnings->empty()) progress.keep("doxygen warns:\n" + *warnings);
    for (const Lab& lab : labs) {
        progress.show("the report of " + lab.name());
        const Command report{
            {project.bin("lab-study").string(), "report", lab.name(), "--solution", "--out", (site / report_of(lab)).string()}, {}, {}};
        if (!made(report, "the report of " + lab.name())) return false;
    }
    return true;
}

}  // namespace

int docs(const Project& project, const DocsOptions& options) {
    const std::string shown = options.out.empty() ? "build/docs" : options.out;
    const fs::path out = options.out.empty() ? project.root / shown : fs::absolute(shown);
    check_target(out, shown);
    if (!run({{"doxygen", "--version"}, {}, {}}).ok()) throw BadInput("docs: doxygen is not installed; ./lab --yes docs installs it");
    keep_going_on_interrupt();
    const WorkFolder work(project.build);
    if (!make_site(project, work.path())) {
        fmt::print("interrupted: no site was built\n");
        return exit_interrupted;
    }
    replace_site(work.path() / "site", out, shown);
    fmt::print("built in {}\nopen {}\n", shown, (fs::path(shown) / "index.html").string());
    return 0;
}

}  // namespace lab::tools
