#include "common/classroom/packaging/prebuilt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/grading/signature.h"
#include "common/tools/errors.h"
#include "common/tools/grading_folder.h"
#include "common/tools/lab_runner.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

using tools::BadInput;
using tools::Lab;
using tools::Recipe;

// Shared libraries that every system with clang has.
constexpr std::array<const char*, 8> systems_own{"linux-vdso", "ld-linux", "libc.so",       "libm.so",
                                                 "libstdc++",  "libgcc_s", "libpthread.so", "/lib64/ld-"};

// SASS for the GPUs that CUDA 13 knows. PTX would be a text of the solution.
constexpr const char* architectures = "-DCMAKE_CUDA_ARCHITECTURES=75-real;80-real;86-real;89-real;90-real;100-real;120-real";

fs::path file_of_figures(const fs::path& prebuilt, const Lab& lab) { return prebuilt / "figures" / (lab.name() + ".json"); }
bool has_kernels(const Lab& lab) { return lab.is_for_gpu("gpu"); }

std::vector<std::string> programs(bool is_cross, bool is_autograder) {
    std::vector<std::string> names{"lab-tool", is_autograder ? "lab-class" : "lab-study", "lab-device"};
    std::istringstream levels(LAB_DEVICE_LEVELS);
    for (std::string level; !is_cross && levels >> level;) names.push_back("lab-device-" + level);
    return names;
}

}  // namespace

void add_copy(const fs::path& from, const fs::path& to) {
    fs::create_directories(to.parent_path());
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

tools::Ending checked(const tools::Command& command, const std::string& what) {
    tools::Ending ending = tools::run(command);
    if (!ending.ok()) throw BadInput(fmt::format("{}:\n{}", what, ending.output));
    return ending;
}

Prebuilt::Prebuilt(const tools::Project& project, const std::string& architecture, const fs::path& out, const std::vector<Lab>& labs,
                   bool is_autograder, tools::Progress& progress)
    : project_(project),
      is_cross_(architecture != own_architecture),
      is_autograder_(is_autograder),
      build_(project.build.string() + (is_cross_ ? "-aarch64" : "")),
      prebuilt_(out / (architecture == aarch64 ? "prebuilt-aarch64" : "prebuilt")),
      labs_(labs),
      progress_(progress),
      programs_(programs(is_cross_, is_autograder)) {}

void Prebuilt::write() {
    if (is_cross_) {
        progress_.show("a tool-chain for aarch64");
        (void)checked({{(project_.root / "common/cmake/aarch64.sh").string(), project_.build.string()}}, "--arch aarch64");
    }
    std::vector<std::string> targets = programs_;
    targets.emplace_back(tools::sandbox_target);
    for (const Lab& lab : labs_) {
        targets.insert(targets.end(), {lab.name() + "_test", lab.reference()});
        if (!has_kernels(lab)) targets.push_back(lab.name() + "_baselines");
        recipes_.emplace_back(build_, lab.runner());
    }
    recipes_.emplace_back(build_, "lab_program");
    build(targets);
    tools::replace_file(prebuilt_ / "version", LAB_VERSION "\n");
    add_recipes();
    add_programs();
}

void Prebuilt::make_figures(const std::vector<std::string>& devices) const {
    for (const Lab& lab : labs_) {
        if (has_kernels(lab)) make_figures(lab, devices);
    }
}

void Prebuilt::sign_figures(const Prebuilt& made) const {
    for (const Lab& lab : labs_) {
        if (!has_kernels(lab)) continue;
        nlohmann::json figures = tools::read_json(file_of_figures(made.prebuilt_, lab));
        figures["model"] = grading::model_signature(prebuilt_ / "bin" / (lab.name() + "_test"));
        tools::replace_file(file_of_figures(prebuilt_, lab), figures.dump() + "\n");
    }
}

void Prebuilt::add_gpu() {
    build_ += "-for-gpu";  // beside the presets' own folders
    progress_.show("configuring for GPUs");
    (void)checked({{"cmake", "--preset", "students", "-B", build_.string(), "-DLAB_BACKEND=gpu", architectures}, project_.root.string()},
                  "--backend gpu");
    std::vector<std::string> references;
    recipes_.clear();
    for (const Lab& lab : labs_) {
        if (!has_kernels(lab)) continue;
        references.push_back(lab.reference("gpu"));
        recipes_.emplace_back(build_, lab.runner("gpu"));
    }
    build(references);
    add_recipes();
    for (const std::string& reference : references) add_program(reference, reference);
}

void Prebuilt::build(std::vector<std::string> targets) {
    for (const Recipe& recipe : recipes_) {
        for (const fs::path& library : recipe.libraries()) {
            if (is_built(library)) targets.push_back(fs::relative(library, build_));
        }
    }
    const tools::Ending built = tools::build_targets(build_, targets, {progress_, {}});
    if (!built.ok()) throw BadInput("the bundle's programs do not build:\n" + tools::compiler_text(built));
}
bool Prebuilt::is_built(const fs::path& file) const { return file.string().starts_with(build_.string() + "/"); }

fs::path Prebuilt::built(const std::string& program) const { return build_ / "bin" / (program + (is_cross_ ? ".arm64" : "")); }

void Prebuilt::add_recipes() const {
    for (const Recipe& recipe : recipes_) {
        for (const fs::path& library : recipe.libraries()) {
            add_copy(library, is_built(library) ? prebuilt_ / fs::relative(library, build_) : prebuilt_ / "lib" / library.filename());
        }
        tools::replace_file(Recipe::file_in_bundle(prebuilt_, recipe.target()), recipe.for_bundle(project_.root).dump(1) + "\n");
    }
}

void Prebuilt::add_programs() const {
    for (const std::string& name : programs_) add_program(name, name);
    if (fs::exists(built("lab-confine"))) {
        add_program("lab-confine", "lab-confine");
    } else if (is_autograder_) {
        throw BadInput("an autograder needs the sandbox, which needs libseccomp (apt-get install libseccomp-dev)");
    }
    for (const Lab& lab : labs_) {
        add_program(lab.name() + "_test", lab.name() + "_test");
        if (!has_kernels(lab)) add_program(lab.name() + "_baselines", lab.reference());
    }
}

// Without symbols, and with the shared libraries that a system may lack.
void Prebuilt::add_program(const std::string& name, const std::string& new_name) const {
    const fs::path program = prebuilt_ / "bin" / new_name;
    add_copy(built(name), program);
    if (!is_cross_) (void)checked({{"strip", program.string()}}, "strip " + name);
    if (name == "lab-class") return;  // its libraries, with all that theirs need, are installed from packages
    for (const auto& found : libraries_of(built(name))) {
        const auto is_in = [&](const char* library) { return (found.first + found.second).find(library) != std::string::npos; };
        if (std::none_of(systems_own.begin(), systems_own.end(), is_in))
            add_copy(fs::canonical(found.second), prebuilt_ / "lib" / found.first);
    }
}

// By ldd; that would start a program for another architecture: there, what is linked directly, as the cross compiler finds it.
Prebuilt::Libraries Prebuilt::libraries_of(const fs::path& program) const {
    Libraries libraries;
    if (is_cross_) {
        for (const std::string& line : tools::lines_of(checked({{"readelf", "-d", program.string()}}, "readelf").output)) {
            if (line.find("(NEEDED)") == std::string::npos) continue;
            const std::string name = line.substr(line.find('[') + 1, line.find(']') - line.find('[') - 1);
            const std::string compiler = project_.root / "build/aarch64/clang++";
            libraries[name] = tools::lines_of(checked({{compiler, "-print-file-name=" + name}}, name).output).at(0);
        }
        return libraries;
    }
    for (const std::string& line : tools::lines_of(tools::run({{"ldd", program.string()}}).output)) {  // fails for a static program
        const std::size_t arrow = line.find(" => ");
        if (arrow == std::string::npos) continue;
        const std::size_t name = line.find_first_not_of(" \t"), begin = arrow + 4;
        libraries[line.substr(name, arrow - name)] = line.substr(begin, line.find(" (", begin) - begin);
    }
    return libraries;
}

// The bundle's own suite runs the reference, so that the figures are signed with the bundle's programs.
void Prebuilt::make_figures(const Lab& lab, const std::vector<std::string>& devices) const {
    const std::string reference = project_.bin(lab.reference());
    const fs::path figures = file_of_figures(prebuilt_, lab);
    fs::create_directories(figures.parent_path());
    std::vector<std::string> all{""};
    all.insert(all.end(), devices.begin(), devices.end());
    for (const std::string& device : all) {
        progress_.show(fmt::format("{}: the reference's speed {}", lab.name(), device));
        tools::Command suite{{(prebuilt_ / "bin" / (lab.name() + "_test")).string(), "--runner", reference, "--reference", reference,
                              "--save-figures", figures.string()}};
        if (!device.empty()) suite.add({"--device", device});
        const tools::Ending ending = tools::run(suite);
        // A device of another generation may not be as fast as the suite asks; its figures are right all the same.
        if (!ending.ok() && device.empty()) throw BadInput(fmt::format("{}: the reference fails:\n{}", lab.name(), ending.output));
    }
}

}  // namespace lab::classroom
