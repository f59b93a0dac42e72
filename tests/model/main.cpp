// lab-fidelity: the subcommand of `lab` that compares modelled with published and measured times.
#include "common/tools/command_line.h"
#include "tests/model/fidelity.h"

namespace {

using namespace lab::tools;

void describe(CLI::App& app, FidelityOptions& options) {
    app.add_option("--device", options.device, "only tables about this GPU; with --rows, the GPU to model");
    app.add_flag("--measure", options.measures, "on a GPU: time the labs' kernels in many sizes and blocks, and count them by ncu");
    app.add_option("--kernels", options.kernels, "with --measure: the labs' kernels, or others that the model wasn't made with")
        ->check(CLI::IsMember({"labs", "others"}))
        ->default_str("labs");
    app.add_option("--rows", options.rows, "what was measured so: model the same; with --measure, where it goes")->type_name("FILE");
    app.add_option("--size", options.size, "rows of matrices up to this side")->check(CLI::Range(512, 8192))->capture_default_str();
    app.add_option("--sample", options.blocks, "of larger launches of rows model about so many blocks; 0: all")
        ->type_name("BLOCKS")
        ->capture_default_str();
    app.add_option("--json", options.json, "write the figures there; - prints them")->type_name("OUT");
    app.add_option("--svg", options.svg, "draw the figures into that file")->type_name("FILE");
}

}  // namespace

int main(int count, char** words) {
    Commands commands;
    commands.add("fidelity", "Published times beside those that the emulator models", describe, fidelity);
    return commands.run(words_of(count, words));
}
