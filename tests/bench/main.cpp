// lab-bench: runs the benchmarks one after another, measures the memory, closes with the table of demands.
//
//   lab-bench [--strict] [--benchmark_filter=...] [Google Benchmark's other options]
//
// Exit status 0; with --strict 1 if a measured demand isn't met, or none was measured; 2 if something can't be run.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/bench/demands.h"
#include "tests/bench/grading.h"
#include "tests/bench/kernels.h"
#include "tests/bench/memory.h"

namespace {

// Removes the word from the command line; returns whether it was there.
bool take(std::vector<char*>* words, const char* word) {
    const auto found = std::find_if(words->begin(), words->end(), [&](const char* each) { return std::strcmp(each, word) == 0; });
    if (found == words->end()) return false;
    words->erase(found);
    return true;
}

}  // namespace

int main(int count, char** raw) {
    using namespace lab::bench;
    constexpr const char* peak_memory = "--peak-memory=";
    if (count == 2 && std::strncmp(raw[1], peak_memory, std::strlen(peak_memory)) == 0)
        return print_peak_memory(raw[1] + std::strlen(peak_memory));

    std::vector<char*> words(raw, raw + count);
    const bool strict = take(&words, "--strict");
    // Repetitions alternate, so that whatever slows this machine down slows all alike.
    std::string in_turn = "--benchmark_enable_random_interleaving=true";
    words.insert(words.begin() + 1, in_turn.data());
    int left = static_cast<int>(words.size());
    benchmark::Initialize(&left, words.data());
    if (benchmark::ReportUnrecognizedArguments(left, words.data())) return 2;

    register_kernels();
    register_grading();
    Results results;
    benchmark::RunSpecifiedBenchmarks(&results);
    const std::vector<Figure> all = figures(results, peak_memory_mb());
    fmt::print("\n{}", table(all));
    const auto measured = std::count_if(all.begin(), all.end(), [](const Figure& figure) { return figure.measured.has_value(); });
    const auto met = std::count_if(all.begin(), all.end(), [](const Figure& figure) { return figure.met(); });
    return strict && (met < measured || measured == 0) ? 1 : 0;
}
