#include "tests/mutants/compiled_sample.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "common/tools/cuda_source.h"
#include "common/tools/errors.h"
#include "common/tools/recipe.h"
#include "common/tools/safe_files.h"

namespace lab::mutants {
namespace fs = std::filesystem;
using tools::BadInput;
using tools::Command;
using tools::Recipe;
namespace {

// "" for a missing file.
std::string content(const fs::path& file) { return fs::is_regular_file(file) ? tools::read_whole(file) : std::string(); }

// One process at a time works in a folder: several tests may use the same sample.
class FolderLock {
public:
    explicit FolderLock(const fs::path& folder) : file_(::open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
        if (file_ < 0 || ::flock(file_, LOCK_EX) != 0) throw BadInput(fmt::format("{}: can't be locked", folder.string()));
    }
    ~FolderLock() { ::close(file_); }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int file_;
};

// Build products are compared by time and size: they have many MB, and change only with their inputs.
bool is_built(const fs::path& file) { return file.extension() == ".a" || file.extension() == ".pch"; }

std::string state_of(const fs::path& file) {
    std::error_code gone;
    if (!is_built(file)) return fmt::format("{:x}", std::hash<std::string>{}(content(file)));
    return fmt::format("{} {}", fs::last_write_time(file, gone).time_since_epoch().count(), fs::file_size(file, gone));
}

// Hash of the commands and of the state of all their inputs.
std::string key_of(const std::vector<Command>& commands, const std::set<std::string>& inputs) {
    std::string all;
    for (const Command& command : commands) {
        for (const std::string& word : command.words) all += word + "\n";
    }
    for (const std::string& input : inputs) {
        all += fmt::format("{} {}\n", input, state_of(input));
    }
    return fmt::format("{:016x}", std::hash<std::string>{}(all));
}

// Whether these commands made the folder's contents from the present inputs.
bool is_fresh(const fs::path& folder, const fs::path& product, const std::vector<Command>& commands) {
    const auto made = nlohmann::json::parse(content(folder / "made_from.json"), nullptr, false);
    if (!made.is_object() || !fs::exists(product)) return false;
    return made.value("key", "") == key_of(commands, made.value("inputs", std::set<std::string>()));
}

std::set<std::string> inputs_of(const fs::path& folder, const std::vector<Command>& commands) {
    std::set<std::string> inputs;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".d") continue;
        for (const std::string& file : tools::files_in_depfile(entry.path())) inputs.insert(fs::path(commands.back().folder) / file);
    }
    for (const Command& command : commands) {
        for (std::size_t i = 1; i < command.words.size(); ++i) {
            const fs::path path = fs::path(command.folder) / command.words[i];
            if (is_built(path) && command.words[i - 1] != "-o") inputs.insert(path);
        }
    }
    return inputs;
}

void run_commands(const std::vector<Command>& commands) {
    for (const Command& command : commands) {
        const tools::Ending ending = tools::run(command);
        if (!ending.ok()) throw BadInput(fmt::format("does not compile:\n{}", ending.output));
    }
}

// Runs these commands, unless they have made the product from the same inputs before.
void make(const fs::path& folder, const fs::path& product, const std::vector<Command>& commands) {
    if (is_fresh(folder, product, commands)) return;
    fs::remove(folder / "made_from.json");
    run_commands(commands);
    const std::set<std::string> inputs = inputs_of(folder, commands);
    std::ofstream(folder / "made_from.json") << nlohmann::json{{"key", key_of(commands, inputs)}, {"inputs", inputs}}.dump(1) << "\n";
}

}  // namespace

CompiledSample compile(const tools::Project& project, const tools::Sample& sample, const std::string& text, Passes passes) {
    const tools::Lab lab = project.select_one(fmt::format("lab{}", sample.lab), "sample");
    const fs::path folder = project.build / "samples" / (sample.name + (passes == Passes::all ? ".all_passes" : ""));
    const fs::path source = folder / sample.source_name();
    fs::create_directories(folder);
    const FolderLock lock(folder);

    const Recipe recipe(project.build, lab.runner());
    CompiledSample compiled{Recipe::program_in(folder), {}, {}};
    std::vector<Command> commands = recipe.commands_for(source, folder);
    const auto device_pass = recipe.device_pass_for(source, folder);
    if (passes == Passes::needed && device_pass && tools::same_host_code(content(sample.solution), text)) {
        compiled.runner = project.bin(lab.reference());
        compiled.kernels = Recipe::kernels_in(folder);
        commands = {*device_pass};
    }
    if (content(source) != text) std::ofstream(source, std::ios::binary) << text;
    make(folder, compiled.kernels.empty() ? compiled.runner : compiled.kernels, commands);
    if (lab.is_for_gpu(project.backend)) {
        const fs::path on_gpu = folder / "gpu";
        fs::create_directories(on_gpu);
        compiled.gpu_runner = Recipe::program_in(on_gpu);
        make(on_gpu, compiled.gpu_runner, Recipe(project.build, lab.runner(project.backend)).commands_for(source, on_gpu));
    }
    return compiled;
}

}  // namespace lab::mutants
