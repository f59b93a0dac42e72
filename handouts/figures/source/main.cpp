// lab-figures: the subcommand of `lab` that draws the handouts' figures.
#include "common/tools/command_line.h"
#include "handouts/figures/source/draw_figures.h"

int main(int count, char** words) {
    using namespace lab::tools;
    const auto app = lab_app();
    DrawFiguresOptions options;
    auto* const command = app->add_subcommand("figures", "Draw the handouts' figures again, as SVG");
    command->add_option("NAME", options.names, "a figure, as --list names it; all of them if none is named");
    command->add_option("--out", options.folder, "write them there; handouts/figures if not given")->type_name("FOLDER");
    command->add_flag("--list", options.is_list, "only name them");
    return run_command_line(*app, words_of(count, words), [&] { return draw_figures(Project::current(), options); });
}
