// lab-study: `lab run`, `lab docs`, and the subcommands of `lab` that study a GPU or a kernel.
#include <set>

#include "common/tools/command_line.h"
#include "common/tools/counters.h"
#include "common/tools/docs/docs.h"
#include "common/tools/emulator_options.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/device_commands.h"
#include "common/tools/studies/kernel_commands.h"

namespace {

using namespace lab::tools;

void describe_run(CLI::App& app, ProgramOptions& options) {
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
}

void describe_counters(CLI::App& app, CountersOptions& options) {
    app.add_option("--hardware", options.hardware, "ncu's CSV, as tests/gpu/on_device.sh makes it")->required()->type_name("FILE");
    app.add_option("--ptx", options.ptx, "the PTX of that run; or nvcc, to compile it now")->default_val("nvcc")->type_name("FILE|nvcc");
    app.add_option("--gpu", options.gpu, "the GPU's name, for the table");
    app.add_option("--table", options.table, "write the table there instead of printing it")->type_name("FILE");
}

}  // namespace

int main(int count, char** words) {
    // Words after `--` belong to the program of `run`, whatever they look like. A compiler's -std is our --std.
    std::vector<std::string> own = words_of(count, words);
    const auto dashes = std::find(own.begin(), own.end(), "--");
    ProgramOptions program_options;
    program_options.arguments.assign(dashes == own.end() ? dashes : dashes + 1, own.end());
    own.erase(dashes, own.end());
    const std::set<std::string> compiling{"run", "profile", "sweep", "report"};
    if (!own.empty() && compiling.contains(own.front())) program_options.compiler = take_compiler_options(&own);
    for (std::string& word : own) {
        if (word.rfind("-std=", 0) == 0) word.insert(0, 1, '-');
    }
    const auto app = lab_app();
    CountersOptions counters_options;
    auto* const run_command = app->add_subcommand("run", "Compile a single-file CUDA program and run it in the emulator");
    describe_run(*run_command, program_options);
    run_command->footer(
        "Options of nvcc are understood as well: -Xcompiler, -fopenmp, -l and -L are passed on, those that make no difference here (-arch, "
        "-lineinfo, ...) are ignored. Arguments after -- are the program's own. Exit status: the program's, or 70 when the emulator found "
        "a "
        "fault.");
    auto* const counters_command =
        app->add_subcommand("counters", "Compare the emulator's counters with what Nsight Compute counted on a GPU");
    describe_counters(*counters_command, counters_options);
    DocsOptions docs_options;
    auto* const docs_command = app->add_subcommand("docs", "Build handouts, map of the code, API and reports of the solutions as one site");
    docs_command->add_option("--out", docs_options.out, "the site's folder (build/docs); an older site there is replaced")
        ->type_name("DIR");
    const auto run_study = add_studies(*app);
    const auto run_kernel_study = add_kernel_studies(*app, program_options);
    return run_command_line(*app, own, [&] {
        const Project project = Project::current();
        if (*run_command) return run_program(project, program_options);
        if (*counters_command) return counters(project, counters_options);
        if (*docs_command) return docs(project, docs_options);
        if (const auto status = run_study(project)) return *status;
        return run_kernel_study(project).value();
    });
}
