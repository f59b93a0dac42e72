// lab-study: `lab run`, `lab docs`, and the subcommands of `lab` that study a GPU or a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/emulator/devices/known_devices.h"
#include "common/tools/command_line.h"
#include "common/tools/counters.h"
#include "common/tools/docs/docs.h"
#include "common/tools/emulator_options.h"
#include "common/tools/report/report.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/bandwidth.h"
#include "common/tools/studies/demo.h"
#include "common/tools/studies/latency.h"
#include "common/tools/studies/occupancy.h"
#include "common/tools/studies/profile.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/sweep.h"

namespace {

using namespace lab::tools;

// --json and --svg of a study.
void add_files(CLI::App& app, StudyFiles& files, const char* json_help = "write the figures there; - prints them") {
    app.add_option("--json", files.json, json_help)->type_name("OUT");
    app.add_option("--svg", files.svg, "draw the figures into that file")->type_name("FILE");
}

// Options of the studies of a lab's kernels, or of a program.
void add_kernel_options(CLI::App& app, KernelOptions& options) {
    app.add_option("LAB|FILE", options.subject, "a lab, or a CUDA program in one file");
    app.add_option("KERNEL", options.kernel, "one of the lab's kernels, or of the program's");
    app.add_option("--size", options.size, "of the matrices: 512, or 1000x600 where they need not be square")->type_name("N");
    app.add_option("--type", options.type, "float or double")->type_name("TYPE");
    add_device(app, options.device);
    app.add_flag("--solution", options.is_solution, "the reference solution in place of your file");
    app.add_option("-I", options.include_folders, "of a program: add a folder for #include")->allow_extra_args(false);
    app.add_option("-D", options.defines, "of a program: define a macro")->allow_extra_args(false);
    app.footer("Arguments after -- are the program's own.");
}

void describe(CLI::App& app, ProgramOptions& options) {
    app.add_option("FILE", options.file, "a CUDA program in one file")->required();
    app.add_option("-I", options.include_folders, "add a folder for #include")->allow_extra_args(false);
    app.add_option("-D", options.defines, "define a macro")->allow_extra_args(false);
    app.add_option("--std", options.standard, "C++ standard: c++14, c++17 (default), c++20");
    app.add_option("-O", options.optimisation, "optimisation of kernels and host code, 0 to 3")->allow_extra_args(false);
    app.add_option("--json", options.json, "write launches and findings there")->type_name("OUT");
    app.add_flag("--report", options.report, "print a table of the launches");
    add_device(app, options.device);
    app.add_option("--ptx", options.ptx, "take the kernels from nvcc, or from a file of PTX made of the same source, instead of clang")
        ->type_name("nvcc|FILE");
    add_emulator_options(app, options.emulator, {"threads", "check", "order", "cold", "sample", "max-instructions"});
    app.add_flag("--verbose", options.verbose, "print the compiler's commands");
    app.footer(
        "Options of nvcc are understood as well: -Xcompiler, -fopenmp, -l and -L are passed on, those that make no difference here (-arch, "
        "-lineinfo, ...) are ignored. Arguments after -- are the program's own. Exit status: the program's, or 70 when the "
        "emulator found a fault.");
}

void describe(CLI::App& app, CountersOptions& options) {
    app.add_option("--hardware", options.hardware, "ncu's CSV, as tests/gpu/on_device.sh makes it")->required()->type_name("FILE");
    app.add_option("--ptx", options.ptx, "the PTX of that run; or nvcc, to compile it now")->default_val("nvcc")->type_name("FILE|nvcc");
    app.add_option("--gpu", options.gpu, "the GPU's name, for the table");
    app.add_option("--table", options.table, "write the table there instead of printing it")->type_name("FILE");
}

void describe(CLI::App& app, DocsOptions& options) {
    app.add_option("--out", options.out, "the site's folder (build/docs); an older site there is replaced")->type_name("DIR");
}

// `lab devices`: the GPUs that the emulator can model, and the file behind each.
struct DevicesOptions {
    std::string subject;  // an id: print its file; a file: check it and show what it says; "": all devices
    std::string json;
};

void describe(CLI::App& app, DevicesOptions& options) {
    app.add_option("NAME|FILE", options.subject,
                   "a device: print its file, to change into another GPU's; a file (its name has a slash or ends in .json): check it. "
                   "--device takes either");
    app.add_option("--json", options.json, "write the list there; - prints it")->type_name("OUT");
}

constexpr double mib = 1024 * 1024;

std::string table(const std::vector<lab::devices::Device>& list) {
    std::string text =
        fmt::format("{:<9} {:<22} {:>4} {:>4} {:>5} {:>8} {:>11} {:>6}\n", "id", "GPU", "cc", "SMs", "MHz", "L2, KiB", "DRAM, GB/s", "GiB");
    for (const lab::devices::Device& device : list) {
        text += fmt::format("{:<9} {:<22} {:>4} {:>4} {:>5.0f} {:>8} {:>11.1f} {:>6.1f}\n", device.id, device.name,
                            fmt::format("{}.{}", device.major, device.minor), device.sm_count, device.clock_mhz, device.l2_bytes / 1024,
                            device.memory_gb_per_s, static_cast<double>(device.memory_bytes) / (1024 * mib));
    }
    return text;
}

nlohmann::ordered_json to_json(const std::vector<lab::devices::Device>& list) {
    nlohmann::ordered_json json;
    json["devices"] = nlohmann::ordered_json::array();
    for (const lab::devices::Device& device : list) {
        json["devices"].push_back({{"id", device.id},
                                   {"name", device.name},
                                   {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                                   {"sm_count", device.sm_count},
                                   {"clock_mhz", device.clock_mhz},
                                   {"l2_bytes", device.l2_bytes},
                                   {"memory_gb_per_s", device.memory_gb_per_s},
                                   {"memory_bytes", device.memory_bytes}});
    }
    return json;
}

int list_devices(const Project& /*any*/, const DevicesOptions& options) {
    check_json_option(options.json);
    const auto& known = lab::devices::known_devices();
    const auto file = std::find_if(known.begin(), known.end(), [&](const auto& each) { return options.subject == each.id; });
    const std::vector<lab::devices::Device> list =
        options.subject.empty() ? lab::devices::all_devices() : std::vector<lab::devices::Device>{known_device(options.subject)};
    const bool is_file = file != known.end();
    if (is_file && options.json != "-") fmt::print("{}", file->text);  // as it is: to be changed and read again
    hand_over(is_file ? "" : table(list), to_json(list), options.json);
    return 0;
}

void describe(CLI::App& app, OccupancyOptions& options) {
    app.add_option("LAB|FILE", options.subject, "whose kernels; none: the figures are given by --threads, --registers and --shared");
    app.add_option("KERNEL", options.kernel, "one kernel instead of all");
    app.add_option("--threads", options.threads, "threads a block; 32, 64, ... if not given")->type_name("N");
    app.add_option("--registers", options.registers, "registers a thread; asked of ptxas if not given")->type_name("N");
    app.add_option("--shared", options.shared, "bytes of shared memory a block; for a kernel, the dynamic ones beside its own")
        ->type_name("BYTES");
    app.add_option("--device", options.device, "the GPU; h100 if not given");
    app.add_option("--cc", options.capability, "any GPU of this compute capability")->type_name("MAJOR.MINOR");
    app.add_flag("--solution", options.is_solution, "the reference solution's kernels");
    app.add_flag("--curve", options.draws_curves, "draw it over block size, registers and shared memory");
    add_files(app, options);
}

void describe(CLI::App& app, BandwidthOptions& options) {
    app.add_option("--sizes", options.sizes, "bytes to copy, with K, M or G, commas between; powers of two if not given")
        ->type_name("LIST");
    add_device(app, options.device);
    app.add_option("--repeats", options.repeats, "times that each is measured, on a GPU; the median counts")->type_name("N");
    add_files(app, options);
}

void describe(CLI::App& app, LatencyOptions& options) {
    app.add_option("--repeats", options.repeats, "times that each is measured; the median counts")->type_name("N");
    add_files(app, options);
}

void describe(CLI::App& app, ProfileOptions& options) {
    add_kernel_options(app, options);
    app.add_option("--compare", options.compare, "more kernels, in columns beside: matmul_global, or LAB/matmul_global of another lab")
        ->type_name("KERNEL...");
    app.add_option("--block", options.block, "threads along x and y")->type_name("32x8");
    add_emulator_options(app, options.emulator, {"cold", "sample"});
    app.add_flag("--source", options.shows_source, "counts beside each line of source");
    app.add_flag("--hardware", options.wants_hardware, "the GPU's own counters as well (ncu)");
    add_files(app, options, "write all figures there; - prints them");
}

void describe(CLI::App& app, SweepOptions& options) {
    add_kernel_options(app, options);
    app.add_option("--blocks", options.blocks, "only these shapes; all that the kernel can have if not given")
        ->type_name("32x32,16x16,...");
    add_emulator_options(app, options.emulator, {"cold", "sample"});
    add_files(app, options, "write the results there, again after each shape; - prints them");
}

void describe(CLI::App& app, DemoOptions& options) {
    app.add_option("--size", options.size, "side of the product's matrices (1024); the transposes' have twice that")->type_name("N");
    add_device(app, options.device);
    app.add_flag("--own", options.is_own, "your files in place of the solutions");
    add_files(app, options, "write the times there; - prints them");
}

void describe(CLI::App& app, ReportOptions& options) {
    add_kernel_options(app, options);
    app.add_option("--out", options.out, "write the page there (report.html)")->type_name("FILE");
    app.add_option("--block", options.blocks, "threads along x and y; a launch with each")->type_name("32x8,...");
    app.add_flag("--sweep", options.sweeps, "time every block shape that the kernel can have as well");
    app.add_option("--from", options.from, "another file, or a folder laid out like labs/, in place of your file")->type_name("PATH");
    app.add_flag("--no-score", options.leaves_score_out, "leave the verdict out, and grade nothing");
    app.add_option("--json", options.json, "write the page's data there; - prints them")->type_name("OUT");
}

// The defaults of a command on programs: what the command line says of the program.
template <typename Options>
Options of_program(const ProgramWords& words) {
    Options options;
    static_cast<ProgramWords&>(options) = words;
    return options;
}

void add_all(Commands& commands, const ProgramWords& words) {
    commands.add("run", "Compile a single-file CUDA program and run it in the emulator", describe, run_program,
                 of_program<ProgramOptions>(words));
    commands.add("counters", "Compare the emulator's counters with what Nsight Compute counted on a GPU", describe, counters);
    commands.add("docs", "Build handouts, map of the code, API and reports of the solutions as one site", describe, docs);
    commands.add("devices", "The GPUs that the emulator can model", describe, list_devices);
    commands.add("occupancy", "Blocks and warps that an SM holds, and what limits them", describe, occupancy);
    commands.add("bandwidth", "What copies cost: start, rate, and the size that gets half of it", describe, bandwidth);
    commands.add("latency", "What a dependent fma costs on a GPU, and what hides it", describe, latency);
    commands.add("profile", "Show what a kernel does: counters, time, and what limits it", describe, profile,
                 of_program<ProfileOptions>(words));
    commands.add("sweep", "Time a kernel with every block shape that it can have", describe, sweep, of_program<SweepOptions>(words));
    commands.add("demo", "CPU, global memory, tiles, transposes: what each step gains", describe, demo);
    commands.add("report", "Write a page: verdict, accesses, counters, what limits the time", describe, report,
                 of_program<ReportOptions>(words));
}

}  // namespace

int main(int count, char** words) {
    // Words after `--` belong to the program of `run`, whatever they look like. A compiler's -std is our --std.
    std::vector<std::string> own = words_of(count, words);
    const auto dashes = std::find(own.begin(), own.end(), "--");
    ProgramWords program;
    program.arguments.assign(dashes == own.end() ? dashes : dashes + 1, own.end());
    own.erase(dashes, own.end());
    const std::set<std::string> compiling{"run", "profile", "sweep", "report"};
    if (!own.empty() && compiling.contains(own.front())) program.compiler = take_compiler_options(&own);
    for (std::string& word : own) {
        if (word.starts_with("-std=")) word.insert(0, 1, '-');
    }
    Commands commands;
    add_all(commands, program);
    return commands.run(own);
}
