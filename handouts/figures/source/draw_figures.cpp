#include "handouts/figures/source/draw_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "handouts/figures/source/figures.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;
using report::Figure;

std::vector<Figure> chosen(const std::vector<std::string>& names) {
    const std::vector<Figure>& all = report::all_figures();
    if (names.empty()) return all;
    std::vector<Figure> figures;
    for (const std::string& name : names) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == name; });
        if (found == all.end()) throw BadInput(fmt::format("figures: no figure '{}'; ./lab figures --list names them", name));
        figures.push_back(*found);
    }
    return figures;
}

}  // namespace

int draw_figures(const Project& project, const DrawFiguresOptions& options) {
    const std::vector<Figure> figures = chosen(options.names);
    if (options.is_list) {
        for (const Figure& figure : figures) fmt::print("{}\n", figure.name);
        return 0;
    }
    const fs::path folder = options.folder.empty() ? project.root / "handouts/figures" : fs::path(options.folder);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw BadInput(fmt::format("figures: --out {}: {}", folder.string(), error.message()));
    for (const Figure& figure : figures) replace_file(folder / (figure.name + ".svg"), figure.draw().svg());
    fmt::print("{} figure{} drawn in {}\n", figures.size(), figures.size() == 1 ? "" : "s", folder.string());
    return 0;
}

}  // namespace lab::tools
