// Grades lab 3: the matrix product through tiles in shared memory.
#include "common/grading/recorded_accesses.h"
#include "tests/labs/square_product.h"

namespace lab::grading {
using Lab3 = GradedTest;

namespace {

template <typename T>
Call launch(const SquareProduct<T>& product, int tile, Random& random, const std::string& function = "matmul_tiled") {
    Call call = call_with(function, product, random);
    call.integer("tile", tile);
    return call;
}

template <typename T>
std::string kernel(int tile) {
    return fmt::format("matmul_tiled<{}, {}>", tile, type_name<T>());
}

std::string shape_of(int W, int tile) { return fmt::format("W={} with tile {}", W, tile); }

template <typename T>
std::string named(int W, int tile) {
    return fmt::format("{} at W={}", kernel<T>(tile), W);
}

template <typename T>
void try_tile(Shapes& shapes, int tile, const std::vector<int>& widths) {
    Random random(fmt::format("tile {} {}", tile, type_name<T>()));
    for (const int W : widths) {
        shapes.attempt(shape_of(W, tile), [&] {
            const SquareProduct<T> product(W, random);
            Call call = launch(product, tile, random);
            return judge_product(call.run(student()), product, call).at(named<T>(W, tile));
        });
    }
}

template <typename T>
void expect_right(int tile, const std::vector<int>& widths) {
    Shapes shapes;
    try_tile<T>(shapes, tile, widths);
    shapes.judge();
}

TEST_F(Lab3, MatchesReferenceWithTile16) {
    grade_as({3, Group::correct, 8});
    expect_right<float>(16, {16, 48, 112});  // 3 tiles: which of them a sum lacks tells more than of 2
}

TEST_F(Lab3, MatchesReferenceWithTile32) {
    grade_as({3, Group::correct, 8});
    expect_right<float>(32, {32, 64, 160});
}

TEST_F(Lab3, MatchesReferenceWithTile25) {
    grade_as({3, Group::correct, 6});
    expect_right<float>(25, {25, 50, 175});
}

TEST_F(Lab3, MatchesReferenceAtWidth1000WithTile25) {
    grade_as({3, Group::correct, 8});
    expect_right<float>(25, {1000});
}

TEST_F(Lab3, MatchesReferenceInDouble) {
    grade_as({3, Group::correct, 10});
    Shapes shapes;
    try_tile<double>(shapes, 16, {16, 80});
    try_tile<double>(shapes, 25, {25, 75});
    try_tile<double>(shapes, 32, {32, 96});
    shapes.judge();
}

// Each safe test fails for any checker's finding, and reports its own kind first.
void expect_safe(FindingKind kind) {
    Random random(fmt::format("safe {}", name_of(kind)));
    Shapes shapes;
    for (const int tile : {16, 25, 32}) {
        for (const int tiles : {1, 3}) {
            const int W = tile * tiles;
            shapes.attempt(shape_of(W, tile), [&] {
                const SquareProduct<float> product(W, random);
                Call call = launch(product, tile, random);
                return judge_in_any_order<float>(call, product.shape(call.function()), product.P, kind).at(named<float>(W, tile));
            });
        }
    }
    shapes.judge();
}

TEST_F(Lab3, HasNoRaces) {
    grade_as({3, Group::safe, 10});
    expect_safe(FindingKind::race);
}

TEST_F(Lab3, ReachesEveryBarrierWithAllThreads) {
    grade_as({3, Group::safe, 5});
    expect_safe(FindingKind::divergent_barrier);
}

TEST_F(Lab3, StaysInsideItsArrays) {
    grade_as({3, Group::safe, 5});
    expect_safe(FindingKind::out_of_bounds);
}

Candidate<SquareProduct<float>> candidate(Program& program, const char* function, int tile, Random& random) {
    return {&program, [=, &random](const SquareProduct<float>& product) { return launch(product, tile, random, function); }};
}

// Judges the counts of one launch of each tile size, its output checked: `judge` gets the call, its result, W and tile.
void expect_of_counts(const std::string& purpose, int tiles, const std::function<Message(const Call&, const Result&, int, int)>& judge) {
    Random random(purpose);
    Shapes shapes;
    for (const int tile : {16, 25, 32}) {
        const int W = tiles * tile;
        shapes.attempt(shape_of(W, tile), [&] {
            const SquareProduct<float> product(W, random);
            Call call = launch(product, tile, random);
            const Result result = call.run(student());
            const Message problem = judge_counts(
                judge_product(result, product, call), call, result, [&] { return product.P; },
                [&](const Result& one) { return judge(call, one, W, tile); });
            return problem.at(named<float>(W, tile));
        });
    }
    shapes.judge();
}

// "N is loaded 64 times for each element of P instead of W / TILE = 4 (M: 4): does it bypass its tile?" Empty if the record does not tell.
std::string loads_by_array(const RecordedAccesses& accesses, int W, int tile) {
    const double wanted = static_cast<double>(W) / tile;
    std::vector<std::string> over, others;
    bool is_untiled = true;
    for (const auto& [array, bytes] : accesses.loaded_bytes()) {
        const double loads = bytes / sizeof(float) / (static_cast<double>(W) * W);
        if (loads <= 1.05 * wanted) {
            others.push_back(fmt::format("{}: {:.4g}", array, loads));
            continue;
        }
        over.push_back(fmt::format("{} is loaded {:.4g} times", array, loads));
        is_untiled = is_untiled && loads == W;
    }
    if (over.empty()) {
        return "";
    }
    const std::string beside = others.empty() ? "" : fmt::format(" ({})", fmt::join(others, ", "));
    const std::string question = !is_untiled ? "" : over.size() == 1 ? ": does it bypass its tile?" : ": do they bypass their tiles?";
    return fmt::format("{} for each element of P instead of W / TILE = {:.4g}{}{}", fmt::join(over, ", "), wanted, beside, question);
}

TEST_F(Lab3, LoadsEachElementOncePerTile) {
    grade_as({3, Group::technique, 12});
    expect_of_counts("loads", 4, [](const Call& call, const Result& result, int W, int tile) -> Message {
        const double loads = loads_an_element(result, W);
        const double wanted = 2.0 * W / tile;
        record_measurement(fmt::format("tile {}: {:.4g} global loads an element of P", tile, loads), "counted");
        if (loads <= 1.05 * wanted) {
            return {};
        }
        const std::string arrays = loads_by_array(RecordedAccesses(call), W, tile);
        const std::string total = fmt::format("{:.4g} for each element of P instead of 2 W / TILE = {:.4g}", loads, wanted);
        return Message("too many global loads: " + (arrays.empty() ? total : arrays),
                       {fmt::format("{}; without tiles they are 2 W = {}", arrays.empty() ? "counted" : "in all " + total, 2 * W),
                        "each thread loads one element of M's tile and one of N's into shared memory, then each uses a row of one and a "
                        "column of "
                        "the other"})
            .of(Topic::too_many_loads);
    });
}

TEST_F(Lab3, SharedLoadsAreFreeOfBankConflicts) {
    grade_as({3, Group::technique, 8});
    expect_of_counts("banks", 3, [](const Call& call, const Result& result, int /*W*/, int /*tile*/) -> Message {
        const double requests = count(result, &Counters::shared_load, &MemoryCounts::requests);
        const double conflicts = count(result, &Counters::shared_load, &MemoryCounts::conflicts);
        if (requests == 0) {
            return Message("nothing was read from shared memory", {"its loads are counted: 0 requests"}).of(Topic::no_shared_loads);
        }
        if (conflicts == 0) {
            return {};
        }
        const std::string each = fmt::format("{:.3g}", conflicts / requests);
        const Message plain =
            Message("bank conflicts: " + each + " for each load from shared memory",
                    {fmt::format("{} conflicts in {} loads of warps", conflicts, requests),
                     "threads of a warp that read different words of one bank wait for each other",
                     "let threadIdx.x choose the column of a tile: neighbours then read neighbouring words, or all the same one"})
                .of(Topic::bank_conflicts);
        return explained_by_banks(plain, RecordedAccesses(call), "load", each + " conflicts a load, 0 are allowed",
                                  [](const std::string& array, std::int64_t) {
                                      return fmt::format("does threadIdx.x choose a row of {} instead of a column?", array);
                                  });
    });
}

constexpr int fast_width = 1024;

TEST_F(Lab3, BeatsTheCpuFiftyfold) {
    grade_as({3, Group::fast, 5});
    Random random("CPU");
    SquareProduct<float> product(is_on_gpu() ? fast_width : 512, random);
    const auto make_call = [&](const SquareProduct<float>& current) { return launch(current, 32, random); };
    expect_speedup_over_cpu(kernel<float>(32), std::move(product), {&student(), make_call}, 50);
}

TEST_F(Lab3, ReachesTheReferencesSpeedAtWidth1024) {
    constexpr int tile = 32;
    grade_as({3, Group::fast, 15});
    Random random("speed");
    expect_fraction(kernel<float>(tile), SquareProduct<float>(fast_width, random), candidate(student(), "matmul_tiled", tile, random),
                    candidate(reference(), "matmul_tiled", tile, random), share_of_reference);
}

}  // namespace
}  // namespace lab::grading
