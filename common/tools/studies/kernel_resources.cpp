#include "common/tools/studies/kernel_resources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "common/emulator/machine/demangle.h"
#include "common/emulator/ptx/module.h"
#include "common/tools/cuda_compilers.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/recipe.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Layout of the shared variables that a kernel and its callees refer to, one after another.
class SharedMemory {
public:
    explicit SharedMemory(const ptx::Module& module) : module_(module) {}
    void add(const ptx::Function& function) {
        if (!functions_.insert(&function).second) return;
        for (const ptx::Instruction& instruction : function.body) {
            ptx::for_each_operand(instruction, [&](const ptx::Operand& operand) { see(function, operand); });
        }
    }
    [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(bytes_); }

private:
    void see(const ptx::Function& function, const ptx::Operand& operand) {
        using Kind = ptx::Operand::SymbolKind;
        if (operand.symbol_kind == Kind::function) add(module_.functions[operand.index]);
        if (operand.symbol_kind == Kind::module_variable) add(module_.variables[operand.index]);
        if (operand.symbol_kind == Kind::function_variable) add(function.variables[operand.index]);
    }
    void add(const ptx::Variable& variable) {
        if (variable.space != ptx::Space::shared || variable.is_extern || !variables_.insert(&variable).second) return;
        const std::uint64_t align = std::max(1U, variable.align);
        bytes_ = (bytes_ + align - 1) / align * align + variable.size;
    }

    const ptx::Module& module_;
    std::set<const ptx::Function*> functions_;
    std::set<const ptx::Variable*> variables_;
    std::uint64_t bytes_ = 0;
};

std::uint32_t thread_limit(const ptx::Function& kernel) {
    for (const auto& limit : {kernel.required_threads, kernel.max_threads}) {
        if (limit[0] != 0) return limit[0] * std::max(limit[1], 1U) * std::max(limit[2], 1U);
    }
    return 0;
}

// Without namespaces: "(anonymous namespace)::k<a::b>" is "k<a::b>".
std::string local_name(const std::string& name) {
    const std::size_t colons = name.substr(0, name.find('<')).rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

// The build's own commands up to the PTX; nvcc's where there is no clang.
Command device_pass(const Project& project, const fs::path& file, const fs::path& folder, const std::optional<std::string>& architecture) {
    if (project.backend == "gpu") {
        const std::string nvcc = find_in_toolkit("nvcc");
        if (nvcc.empty())
            throw BadInput("nvcc is not on PATH, in CUDA_HOME or in /usr/local/cuda; it compiles the kernels of the gpu backend");
        Command command{{nvcc, "-ptx", "-std=c++17", "-I" + project.root.string(), fs::absolute(file).string(), "-o",
                         (folder / "kernels.ptx").string()}};
        if (architecture) command.words.push_back("-arch=" + *architecture);
        return command;
    }
    if (auto pass = Recipe(project.build, "lab_program").device_pass_for(file, folder)) return *std::move(pass);
    throw BadInput("can't tell how the build in " + project.build.string() + " makes PTX");
}

std::string first_line_with(const std::string& text, const std::string& word) {
    std::string first;
    for (const std::string& line : lines_of(text)) {
        if (first.empty()) first = line;
        if (line.find(word) != std::string::npos) return line;
    }
    return first;
}

// "Compiling entry function '_Z1kPf' for 'sm_90'", some lines later "Used 24 registers".
std::map<std::string, std::uint32_t> registers_in(const std::string& report) {
    std::map<std::string, std::uint32_t> registers;
    std::string kernel;
    const std::string compiling = "Compiling entry function '";
    for (const std::string& line : lines_of(report)) {
        if (const std::size_t at = line.find(compiling); at != std::string::npos) {
            const std::size_t start = at + compiling.size();
            kernel = line.substr(start, line.find('\'', start) - start);
        } else if (const std::size_t used = line.find("Used "); used != std::string::npos && line.find(" registers") != std::string::npos) {
            registers[kernel] = static_cast<std::uint32_t>(std::atoi(line.c_str() + used + 5));
        }
    }
    return registers;
}

void ask_ptxas(const fs::path& ptx, const std::string& architecture, std::vector<KernelResources>* kernels) {
    const std::string ptxas = find_in_toolkit("ptxas");
    if (ptxas.empty())
        throw BadInput(
            "only ptxas of the CUDA toolkit knows how many registers a thread takes, and it is not installed: give --registers N");
    std::vector<std::string> words{ptxas, "-v", "-arch=" + architecture, ptx.string(), "-o", "/dev/null"};
    Ending ending = run({words, {}, {}});
    if (!ending.ok()) {
        // As a part of a program: external functions may be missing.
        words.insert(words.begin() + 1, "-c");
        ending = run({words, {}, {}});
    }
    if (!ending.ok()) {
        throw BadInput(
            fmt::format("ptxas tells no registers for {}: {}: give --registers N", architecture, first_line_with(ending.output, "fatal")));
    }
    const auto registers = registers_in(ending.output);
    for (KernelResources& kernel : *kernels) {
        if (const auto found = registers.find(kernel.mangled); found != registers.end()) kernel.registers = found->second;
    }
}

}  // namespace

std::vector<KernelResources> kernels_in(const std::string& text) {
    const ptx::Module module = ptx::parse(text);
    std::vector<KernelResources> kernels;
    for (const ptx::Function& function : module.functions) {
        if (!function.is_entry) continue;
        SharedMemory shared(module);
        shared.add(function);
        const std::string name = local_name(machine::without_parameters(machine::demangle(function.name)));
        kernels.push_back({function.name, name, shared.bytes(), thread_limit(function), std::nullopt});
    }
    return kernels;
}

std::vector<KernelResources> kernels_of(const Project& project, const fs::path& file, const std::optional<std::string>& capability) {
    std::optional<std::string> architecture;
    if (capability) {
        architecture = "sm_" + *capability;
        architecture->erase(std::remove(architecture->begin(), architecture->end(), '.'), architecture->end());
    }
    const fs::path folder = project.build / "studies" / ("occupancy-" + fingerprint(fs::absolute(file).string()));
    fs::create_directories(folder);
    const Ending compiled = run(device_pass(project, file, folder, architecture));
    if (!compiled.ok()) throw BadInput(fmt::format("{} does not compile:\n{}", file.string(), compiled.output));
    const fs::path ptx = folder / "kernels.ptx";
    std::vector<KernelResources> kernels;
    try {
        kernels = kernels_in(read_whole(ptx));
    } catch (const ptx::Error& problem) {
        throw BadInput(fmt::format("{}: {}", file.string(), problem.what()));
    }
    if (kernels.empty()) throw BadInput(fmt::format("{} has no kernels", file.string()));
    if (architecture) ask_ptxas(ptx, *architecture, &kernels);
    return kernels;
}

std::vector<KernelResources> select(const std::vector<KernelResources>& kernels, const std::string& name, const std::string& file) {
    if (name.empty()) return kernels;
    std::vector<KernelResources> chosen;
    std::vector<std::string> known;
    for (const KernelResources& kernel : kernels) {
        if (kernel.name == name || kernel.name.substr(0, kernel.name.find('<')) == name) chosen.push_back(kernel);
        known.push_back(kernel.name);
    }
    if (chosen.empty()) throw BadInput(fmt::format("{} has no kernel '{}'; there are: {}", file, name, fmt::join(known, ", ")));
    return chosen;
}

}  // namespace lab::tools
