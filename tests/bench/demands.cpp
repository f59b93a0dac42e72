#include "tests/bench/demands.h"

#include <fmt/format.h>

#include "tests/bench/grading.h"
#include "tests/bench/kernels.h"

namespace lab::bench {
namespace {

// Of two medians of one run, in which the two alternated.
std::optional<double> ratio(const Results& results, const std::string& one, const std::string& other) {
    const auto a = results.median_ms(one);
    const auto b = results.median_ms(other);
    if (!a || !b) return std::nullopt;
    return *a / *b;
}

std::optional<double> seconds(const Results& results, const std::string& name) {
    const auto ms = results.median_ms(name);
    if (!ms) return std::nullopt;
    return *ms / 1000;
}

}  // namespace

std::vector<Figure> figures(const Results& results, std::optional<double> memory_mb) {
    std::vector<Figure> all{
        {"emulated matmul_global / triple loop, W=512", 2.5, "x", ratio(results, kernel_name(Kernel::global, 512), loop_name(512))},
        {"emulated matmul_global / triple loop, W=1024", 0.4, "x", ratio(results, kernel_name(Kernel::global, 1024), loop_name(1024))},
        {"emulated matmul_tiled<16> / matmul_global, W=1024", 0.5, "x",
         ratio(results, kernel_name(Kernel::tiled, 1024), kernel_name(Kernel::global, 1024))},
        {"matmul_global, all checks / counters alone, W=1024", 1.6, "x",
         ratio(results, kernel_name(Kernel::global, 1024, Checking::all), kernel_name(Kernel::global, 1024, Checking::none))},
        {"matmul_tiled<16>, all checks / counters alone, W=1024", 1.6, "x",
         ratio(results, kernel_name(Kernel::tiled, 1024, Checking::all), kernel_name(Kernel::tiled, 1024, Checking::none))},
        {"peak memory beyond the data, W=1024", 300, "MB", memory_mb},
    };
    for (const Modelled& counted : modelled_launches()) {
        Modelled timed = counted;
        timed.times = true;
        all.push_back({fmt::format("{}, times / counters alone, W={}, {}",
                                   counted.kernel == Kernel::global ? "matmul_global" : "matmul_tiled<16>", counted.W, counted.device),
                       1.3, "x", ratio(results, kernel_name(timed), kernel_name(counted))});
    }
    for (const std::string& lab : graded_labs()) {
        all.push_back({after_edit_name(lab) + ", warm", 5, "s", seconds(results, after_edit_name(lab))});
        all.push_back({compile_error_name(lab), 1, "s", seconds(results, compile_error_name(lab))});
    }
    // The demand was set for labs 1 to 3; it grows with the number of labs.
    all.push_back({all_solutions_name(), graded_labs().size() <= 3 ? 20.0 : 45.0, "s", seconds(results, all_solutions_name())});
    return all;
}

std::string table(const std::vector<Figure>& figures) {
    std::string text = fmt::format("{:<58} {:>12} {:>12}\n", "figure (median)", "demand", "measured");
    for (const Figure& figure : figures) {
        const std::string measured = figure.measured ? fmt::format("{:.2f} {}", *figure.measured, figure.unit) : "not run";
        text += fmt::format("{:<58} {:>12} {:>12}   {}\n", figure.name, fmt::format("<= {:g} {}", figure.most, figure.unit), measured,
                            !figure.measured ? ""
                            : figure.met()   ? "met"
                                             : "NOT MET");
    }
    return text;
}

}  // namespace lab::bench
