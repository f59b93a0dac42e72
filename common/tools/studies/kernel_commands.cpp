#include "common/tools/studies/kernel_commands.h"

#include <memory>

#include "common/tools/emulator_options.h"
#include "common/tools/report/report.h"
#include "common/tools/studies/demo.h"
#include "common/tools/studies/profile.h"
#include "common/tools/studies/sweep.h"

namespace lab::tools {
namespace {

void describe(CLI::App& app, ProfileOptions& options) {
    app.add_option("LAB|FILE", options.subject, "a lab, or a CUDA program in one file");
    app.add_option("KERNEL", options.kernel, "one of the lab's kernels, or of the program's");
    app.add_option("--compare", options.compare, "more kernels, in columns beside: matmul_global, or LAB/matmul_global of another lab")
        ->type_name("KERNEL...");
    app.add_option("--size", options.size, "of the matrices: 512, or 1000x600 where they need not be square")->type_name("N");
    app.add_option("--block", options.block, "threads along x and y")->type_name("32x8");
    app.add_option("--type", options.type, "float or double")->type_name("TYPE");
    add_device(app, options.device);
    add_emulator_options(app, options.emulator, {"cold", "sample"});
    app.add_flag("--solution", options.is_solution, "the reference solution in place of your file");
    app.add_flag("--source", options.shows_source, "counts beside each line of source");
    app.add_flag("--hardware", options.wants_hardware, "the GPU's own counters as well (ncu)");
    app.add_option("-I", options.include_folders, "of a program: add a folder for #include")->allow_extra_args(false);
    app.add_option("-D", options.defines, "of a program: define a macro")->allow_extra_args(false);
    app.add_option("--json", options.json, "write all figures there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
    app.footer("Arguments after -- are the program's own.");
}

void describe(CLI::App& app, SweepOptions& options) {
    app.add_option("LAB|FILE", options.lab, "a lab, or a CUDA program in one file");
    app.add_option("KERNEL", options.kernel, "one of the lab's kernels, or of the program's");
    app.add_option("--blocks", options.blocks, "only these shapes; all that the kernel can have if not given")
        ->type_name("32x32,16x16,...");
    app.add_option("--size", options.size, "of the matrices: 512, or 1000x600 where they need not be square")->type_name("N");
    app.add_option("--type", options.type, "float or double")->type_name("TYPE");
    add_device(app, options.device);
    add_emulator_options(app, options.emulator, {"cold", "sample"});
    app.add_flag("--solution", options.is_solution, "the reference solution in place of your file");
    app.add_option("-I", options.include_folders, "of a program: add a folder for #include")->allow_extra_args(false);
    app.add_option("-D", options.defines, "of a program: define a macro")->allow_extra_args(false);
    app.add_option("--json", options.json, "write the results there, again after each shape; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
    app.footer("Arguments after -- are the program's own.");
}

void describe(CLI::App& app, DemoOptions& options) {
    app.add_option("--size", options.size, "side of the product's matrices (1024); the transposes' have twice that")->type_name("N");
    add_device(app, options.device);
    app.add_flag("--own", options.is_own, "your files in place of the solutions");
    app.add_option("--json", options.json, "write the times there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
}

void describe(CLI::App& app, ReportOptions& options) {
    app.add_option("LAB|FILE", options.subject, "a lab, or a CUDA program in one file");
    app.add_option("KERNEL", options.kernel, "one of the lab's kernels, or of the program's");
    app.add_option("--out", options.out, "write the page there (report.html)")->type_name("FILE");
    app.add_option("--size", options.size, "of the matrices: 512, or 1000x600 where they need not be square")->type_name("N");
    app.add_option("--block", options.blocks, "threads along x and y; a launch with each")->type_name("32x8,...");
    app.add_option("--type", options.type, "float or double")->type_name("TYPE");
    add_device(app, options.device);
    app.add_flag("--sweep", options.sweeps, "time every block shape that the kernel can have as well");
    app.add_flag("--solution", options.is_solution, "the reference solution in place of your file");
    app.add_option("--from", options.from, "another file, or a folder laid out like labs/, in place of your file")->type_name("PATH");
    app.add_flag("--no-score", options.leaves_score_out, "leave the verdict out, and grade nothing");
    app.add_option("-I", options.include_folders, "of a program: add a folder for #include")->allow_extra_args(false);
    app.add_option("-D", options.defines, "of a program: define a macro")->allow_extra_args(false);
    app.add_option("--json", options.json, "write the page's data there; - prints them")->type_name("OUT");
    app.footer("Arguments after -- are the program's own.");
}

struct KernelStudies {
    ReportOptions report;
    ProfileOptions profile;
    SweepOptions sweep;
    DemoOptions demo;
};

}  // namespace

std::function<std::optional<int>(const Project&)> add_kernel_studies(CLI::App& app, const ProgramWords& words) {
    const auto options = std::make_shared<KernelStudies>();
    CLI::App* const profile_command = app.add_subcommand("profile", "Show what a kernel does: counters, time, and what limits it");
    describe(*profile_command, options->profile);
    CLI::App* const sweep_command = app.add_subcommand("sweep", "Time a kernel with every block shape that it can have");
    describe(*sweep_command, options->sweep);
    CLI::App* const demo_command = app.add_subcommand("demo", "CPU, global memory, tiles, transposes: what each step gains");
    describe(*demo_command, options->demo);
    CLI::App* const report_command = app.add_subcommand("report", "Write a page: verdict, accesses, counters, what limits the time");
    describe(*report_command, options->report);
    return [=, &words](const Project& project) -> std::optional<int> {
        for (ProgramWords* const study : {static_cast<ProgramWords*>(&options->profile), static_cast<ProgramWords*>(&options->sweep),
                                          static_cast<ProgramWords*>(&options->report)}) {
            study->arguments = words.arguments;
            study->compiler = words.compiler;
        }
        if (*profile_command) return profile(project, options->profile);
        if (*sweep_command) return sweep(project, options->sweep);
        if (*demo_command) return demo(project, options->demo);
        if (*report_command) return report(project, options->report);
        return std::nullopt;
    };
}

}  // namespace lab::tools
