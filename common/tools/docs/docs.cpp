#include "common/tools/docs/docs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "common/tools/docs/site_pages.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

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
        "its\nown, made by the command beside it. [The report](handouts_report.html) explains its parts.\n\n"
        "| report | made by | source |\n| --- | --- | --- |\n";
    for (const Lab& lab : labs) {
        const fs::path source = fs::path("solutions") / lab.folder / lab.file;
        text += fmt::format("| [Lab {}, {}]({}) | ``./lab report {} --solution`` | [``{}``]({}.html) |\n", lab.number, lab.title(),
                            report_of(lab), lab.name(), source.string(), page_name(source));
    }
    return text;
}

// Nothing where there are no solutions, as in a students' bundle.
std::vector<std::pair<std::string, std::string>> examples_in_navigation(const std::vector<Lab>& labs) {
    if (labs.empty()) return {};
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
    if (!labs.empty()) replace_file(work / "pages/examples.md", examples_page(labs));
    replace_file(work / "layout.xml", site_layout(pages, examples_in_navigation(labs)));
    const fs::path site = work / "site";
    if (!labs.empty()) fs::create_directories(site / "examples");
    fs::create_directories(site / "handouts");
    fs::copy(project.root / "handouts/figures", site / "handouts/figures", fs::copy_options::recursive);
    if (const fs::path picture = "handouts/class_page.png"; fs::exists(project.root / picture))
        fs::copy_file(project.root / picture, site / picture);
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
            {project.bin("lab-study").string(), "report", lab.name(), "--solution", "--out", (site / report_of(lab)).string()}};
        if (!made(report, "the report of " + lab.name())) return false;
    }
    return true;
}

constexpr const char* page_file = "_8md.html";  // ending of Doxygen's description of a page's file

// Doxygen's scripts with all kinds of names: "all_0.js", "all_1a.js".
std::vector<fs::path> doxygens_scripts(const fs::path& folder) {
    std::vector<fs::path> scripts;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".js" && entry.path().filename().string().rfind("all_", 0) == 0) scripts.push_back(entry.path());
    }
    std::sort(scripts.begin(), scripts.end());
    return scripts;
}

// The entries of a script that reads `var searchData=[ ... ];`, one a line, without those of the pages' own files.
std::string entries_of(const std::string& script) {
    std::string entries;
    for (const std::string& line : lines_of(script)) {
        if (line.rfind("  [", 0) == 0 && line.find(page_file) == std::string::npos) entries += line + (line.back() == ',' ? "\n" : ",\n");
    }
    return entries;
}

bool is_page(std::string_view name) { return name.ends_with(".html"); }

// Pages by the ids of their elements.
std::map<std::string, std::set<std::string>> pages_of_ids(const SiteFiles& files) {
    constexpr std::string_view begin = " id=\"";
    std::map<std::string, std::set<std::string>> pages;
    for (const auto& [name, text] : files) {
        if (!is_page(name)) continue;
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
            at += begin.size();
            pages[text.substr(at, text.find('"', at) - at)].insert(name);
        }
    }
    return pages;
}

// Address in quotes around the `#` at `hash`: in a page that of a link, in a script any.
struct Address {
    std::size_t begin = 0, end = 0;  // within the quotes; 0, 0: there is none
};
Address address_around(const std::string& text, std::size_t hash, bool in_page) {
    constexpr std::string_view attribute = "href=";
    const std::size_t before = text.find_last_of("\" \n<>", hash), end = text.find_first_of("\" \n<>", hash);
    if (before == std::string::npos || end == std::string::npos || text[before] != '"' || text[end] != '"') return {};
    const bool is_link = before >= attribute.size() && text.compare(before - attribute.size(), attribute.size(), attribute) == 0;
    const std::string_view page = std::string_view(text).substr(before + 1, hash - before - 1);
    const bool is_ours = (is_page(page) && page.find('/') == std::string_view::npos) || (in_page && page.empty());
    return is_ours && (is_link || !in_page) ? Address{before + 1, end} : Address{};
}

}  // namespace

int docs(const Project& project, const DocsOptions& options) {
    const std::string shown = options.out.empty() ? "build/docs" : options.out;
    const fs::path out = options.out.empty() ? project.root / shown : fs::absolute(shown);
    check_target(out, shown);
    if (!run({{"doxygen", "--version"}}).ok()) throw BadInput("docs: doxygen is not installed; ./lab --yes docs installs it");
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

std::string search_index(const SitePages& pages, const fs::path& folder) {
    nlohmann::json sections = nlohmann::json::array();
    const auto add = [&](const std::string& name) {
        const SitePage& page = pages.by_name.at(name);
        for (const SiteSection& section : page.text.sections) {
            const std::string address = name + ".html" + (section.anchor.empty() ? "" : "#" + section.anchor);
            sections.push_back({address, section.title, page.title, section.text});
        }
    };
    add("index");
    for (const SiteGroup& group : pages.groups) std::for_each(group.pages.begin(), group.pages.end(), add);
    std::string symbols;
    for (const fs::path& script : doxygens_scripts(folder)) symbols += entries_of(read_whole(script));
    return "const sections = " + sections.dump() + ";\nconst symbols = [\n" + symbols + "];\n";
}

void replace_search(const SitePages& pages, const fs::path& script, const fs::path& site) {
    const fs::path folder = site / "search";
    for (const auto& entry : fs::directory_iterator(site)) {
        if (entry.path().string().ends_with(page_file)) fs::remove(entry.path());
    }
    const std::string index = search_index(pages, folder);
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if ((extension == ".js" && entry.path().filename() != "searchdata.js") || extension == ".html") fs::remove(entry.path());
    }
    replace_file(folder / "index.js", index);
    replace_file(folder / "search.js", read_whole(script));
}

SiteFiles with_repaired_anchors(const SiteFiles& files) {
    const auto pages = pages_of_ids(files);
    SiteFiles changed;
    for (const auto& [name, text] : files) {
        std::string repaired;
        std::size_t kept = 0;
        for (std::size_t hash = text.find('#'); hash != std::string::npos; hash = text.find('#', hash + 1)) {
            const Address address = address_around(text, hash, is_page(name));
            if (address.end == 0 || address.end == hash + 1) continue;
            const std::string page = hash == address.begin ? name : text.substr(address.begin, hash - address.begin);
            const auto found = pages.find(text.substr(hash + 1, address.end - hash - 1));
            if (found != pages.end() && found->second.count(page) > 0) continue;
            repaired += text.substr(kept, address.begin - kept);
            repaired += found == pages.end() ? page : *found->second.begin() + text.substr(hash, address.end - hash);
            kept = address.end;
        }
        if (kept > 0) changed[name] = repaired + text.substr(kept);
    }
    return changed;
}

void repair_anchors(const fs::path& site) {
    SiteFiles files;
    for (const auto& entry : fs::directory_iterator(site)) {
        const std::string name = entry.path().filename().string();
        // The tree finds the page that it stands at by a sorted list of addresses, which has to stay as it is.
        const bool is_sorted = name.rfind("navtree", 0) == 0;
        if (is_page(name) || (name.ends_with(".js") && !is_sorted)) files[name] = read_whole(entry.path());
    }
    for (const auto& [name, text] : with_repaired_anchors(files)) replace_file(site / name, text);
}

}  // namespace lab::tools
