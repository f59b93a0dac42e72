#include "common/classroom/packaging/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "common/classroom/course.h"
#include "common/classroom/packaging/pages.h"
#include "common/classroom/packaging/prebuilt.h"
#include "common/classroom/packaging/secrets.h"
#include "common/classroom/packaging/tarball.h"
#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/study_device.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

using tools::BadInput;
using tools::Lab;
using tools::Project;

class Bundle {
public:
    Bundle(const Project& project, fs::path out, std::vector<Lab> labs, bool is_autograder, tools::Progress& progress)
        : project_(project), out_(std::move(out)), labs_(std::move(labs)), is_autograder_(is_autograder), progress_(progress) {}

    void write(const PackageOptions& options, const Course& course) {
        const auto is_asked = [&](const char* name) { return std::ranges::count(options.architectures, name) > 0; };
        add_texts();
        is_autograder_ ? add_graders_texts() : add_students_texts();
        Prebuilt own(project_, own_architecture, out_, labs_, is_autograder_, progress_);
        own.write();
        own.make_figures(options.devices);
        if (const char* const backend = std::getenv("LAB_BACKEND"); backend != nullptr && backend == std::string("gpu")) own.add_gpu();
        if (is_asked(aarch64) && own_architecture != std::string_view(aarch64)) {
            Prebuilt other(project_, aarch64, out_, labs_, is_autograder_, progress_);
            other.write();
            other.sign_figures(own);
        }
        if (!course.labs.empty()) add_course(options.course, course);
        if (!is_autograder_) add_site(own.folder());
        if (!options.architectures.empty() && !is_asked(own_architecture)) fs::remove_all(own.folder());
        if (const std::string found = secret_in(out_, secrets_of(project_.root, labs_)); !found.empty()) throw BadInput(found);
    }

private:
    void copy_from_root(const fs::path& name) const { add_copy(project_.root / name, out_ / name); }

    void add_course(const fs::path& file, const Course& course) const {
        add_copy(file, out_ / "course.json");
        if (is_autograder_) return;
        for (const Lab& lab : labs_) {
            const auto settings = course.labs.find(lab.name());
            if (settings == course.labs.end() || settings->second.points.empty()) continue;
            const tools::OwnFile report(project_.build, "course");
            rewrite_points(out_ / "handouts" / (lab.folder + ".md"), tools::tests_not_run(project_, lab, report.path()),
                           settings->second.points);
        }
    }

    // What compiler and tools read.
    void add_texts() const {
        for (const char* const name :
             {"lab", "LICENSE", "common/emulator/client/include", "common/emulator/client/shadows.ld", "common/report/page"})
            copy_from_root(name);
        for (const Lab& lab : labs_) {
            add_copy(project_.root / "common/stubs" / lab.folder, out_ / "labs" / lab.folder);
            copy_from_root("common/api/" + lab.name() + ".h");
        }
    }

    void add_graders_texts() const {
        for (const char* const name : {"common/classroom/page", "common/classroom/course.schema.json"}) copy_from_root(name);
    }

    void add_students_texts() const {
        for (const char* const name : {"common/tools/help", "common/tools/doctor.sh"}) copy_from_root(name);
        add_copy(project_.root / "common/classroom/packaging/README.students", out_ / "README.md");
        add_copy(project_.root / "common/classroom/packaging/CMakeLists.students", out_ / "CMakeLists.txt");
        for (const Lab& lab : labs_) {
            copy_from_root(fs::path("common/stubs") / lab.folder);
            copy_from_root("tests/labs/" + lab.name() + "_hints.md");
        }
        add_handouts();
    }

    void add_handouts() const {
        for (const fs::directory_entry& entry : fs::directory_iterator(project_.root / "handouts")) {
            const std::string name = entry.path().filename();
            if (entry.path().extension() == ".md" && is_for_students(name)) copy_from_root(fs::path("handouts") / name);
        }
        copy_from_root("handouts/figures");
        fs::remove_all(out_ / "handouts/figures/source");
        for (const fs::directory_entry& entry : fs::directory_iterator(out_ / "handouts")) {
            if (entry.path().extension() == ".md") drop_dead_links(entry.path());
        }
    }

    // Made of the bundle's own files, so nothing else is in it.
    void add_site(const fs::path& prebuilt) const {
        copy_from_root("common/tools/docs");
        const tools::Ending made = tools::run({{(prebuilt / "bin/lab-study").string(), "docs", "--out", (out_ / "site").string()}});
        fs::remove_all(out_ / "common/tools/docs");
        if (!made.ok()) progress_.keep("the bundle goes without the site: " + tools::last_message(made.output));
    }

    [[nodiscard]] bool is_for_students(const std::string& page) const {
        const auto is_of = [&](const Lab& lab) { return page.starts_with(lab.name() + "_"); };
        const std::vector<Lab> all = project_.labs();
        return page != "instructors.md" && (std::any_of(labs_.begin(), labs_.end(), is_of) || std::none_of(all.begin(), all.end(), is_of));
    }

    const Project& project_;
    fs::path out_;
    std::vector<Lab> labs_;
    bool is_autograder_;
    tools::Progress& progress_;
};

// Adds what the system starts to the folder, in which the bundle is.
void complete(const fs::path& scripts, const std::string& system, const fs::path& folder) {
    fs::copy(scripts / "autograde", folder / "grader/autograde");
    fs::copy(scripts / system, folder, fs::copy_options::recursive);
    if (system != "autolab" && system != "classroom50") return;
    const fs::path packed = folder / (system == "autolab" ? "autograde.tar" : "grader.tar.xz");
    pack(folder / "grader", packed);
    fs::remove_all(folder / "grader");
    constexpr std::uintmax_t max_bytes = 10 << 20;
    if (system == "classroom50" && fs::file_size(packed) > max_bytes)
        throw BadInput("classroom50: the autograder has more than the 10 MiB that its runner loads; name fewer --labs");
}

const char* next_step(const std::string& system) {
    if (system == "gradescope") return "upload it as the autograder of a programming assignment";
    if (system == "autolab") return "upload its autograde.tar and autograde-Makefile, and build the image from its Dockerfile";
    if (system == "prairielearn") return "build the image from its Dockerfile, and copy info.json into the question's";
    if (system == "classroom50")
        return "put it into the classroom's folder as autograders/ASSIGNMENT, and runtime.json into the assignment";
    return "the students' bundle; it needs clang and nothing else. Try ./lab grade in it.";
}

}  // namespace

int write_package(const Project& project, const PackageOptions& asked) {
    PackageOptions options = asked;
    if (tools::is_bundle(project.build)) throw BadInput("package: this is a bundle; make another one from the repository");
    const fs::path out = fs::absolute(options.out);
    if (fs::exists(out)) throw BadInput(fmt::format("--out {}: it is there already", options.out));
    const fs::path folder = unpacked(out);
    if (folder != out && fs::exists(folder))
        throw BadInput(fmt::format("{}: it is there already, and the bundle is made there", folder.string()));
    Course course;
    if (!options.course.empty()) course = read_course(project, options.course);
    if (!course.device.empty()) options.devices.push_back(course.device);
    for (const auto& [lab, settings] : course.labs) {
        if (asked.labs.empty()) options.labs.push_back(lab);
    }
    for (const std::string& device : options.devices) (void)tools::known_device(device);
    for (const std::string& name : options.architectures) {
        if (name != aarch64 && name != own_architecture)
            throw BadInput(fmt::format("--arch {}: there are: {}{}", name, own_architecture,
                                       own_architecture == std::string_view(aarch64) ? "" : ", aarch64"));
    }
    tools::Progress progress;
    const auto remove = [&] {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    };
    try {
        const bool is_autograder = !options.system.empty();
        const fs::path bundle = is_autograder ? folder / "grader" : folder;
        Bundle(project, bundle, project.select(options.labs), is_autograder, progress).write(options, course);
        if (is_autograder) complete(project.root / "common/classroom/packaging/autograders", options.system, folder);
        if (folder != out) pack(folder, out);
    } catch (...) {
        remove();
        throw;
    }
    if (folder != out) remove();
    fmt::print("{}: {}\n", options.out, next_step(options.system));
    return 0;
}

}  // namespace lab::classroom
