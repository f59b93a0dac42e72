// Grades lab 3: the matrix product through tiles in shared memory.
#include "tests/labs/square_product.h"

namespace lab::grading {
namespace {

template <typename T>
Call launch(const SquareProduct<T>& product, int tile, Random& random, const std::string& function = "matmul_tiled") {
    Call call = call_with(function, product, random);
    call.integer("tile", tile);
    return call;
}

template <typename T>
std::string named(int W, int tile, const std::string& problem) {
    return fmt::format("matmul_tiled<{}, {}> at W={}: {}", tile, type_name<T>(), W, problem);
}

template <typename T>
void expect_right(int tile, const std::vector<int>& widths) {
    Random random(fmt::format("tile {} {}", tile, type_name<T>()));
    for (const int W : widths) {
        const SquareProduct<T> product(W, random);
        Call call = launch(product, tile, random);
        const auto problem = judge_product(call.run(student()), product, call);
        if (!problem.empty()) {
            return fail(named<T>(W, tile, problem));
        }
    }
}

TEST(Lab3, MatchesReferenceWithTile16) {
    grade_as({3, Group::correct, 8});
    expect_right<float>(16, {16, 32, 112});
}

TEST(Lab3, MatchesReferenceWithTile32) {
    grade_as({3, Group::correct, 8});
    expect_right<float>(32, {32, 64, 160});
}

TEST(Lab3, MatchesReferenceWithTile25) {
    grade_as({3, Group::correct, 6});
    expect_right<float>(25, {25, 50, 175});
}

TEST(Lab3, MatchesReferenceAtWidth1000WithTile25) {
    grade_as({3, Group::correct, 8});
    expect_right<float>(25, {1000});
}

TEST(Lab3, MatchesReferenceInDouble) {
    grade_as({3, Group::correct, 10});
    expect_right<double>(16, {16, 80});
    expect_right<double>(25, {25, 75});
    expect_right<double>(32, {32, 96});
}

// What every launch of the safe tests has to be free of; "" if it is. On a GPU nothing looks for races, so they have to
// show in the results of many runs.
std::string unsafe(int tile, int W, const std::string& kind, Random& random) {
    const SquareProduct<float> product(W, random);
    const int runs = emulated() ? 1 : 10;
    for (int run = 0; run < runs; ++run) {
        Call call = launch(product, tile, random);
        const Result result = call.run(student());
        if (!result.problem.empty()) {
            return result.problem;
        }
        if (auto found = finding(result, kind); !found.empty()) {
            return found;
        }
        if (auto problem = judge_product(result, product, call); !problem.empty()) {
            return problem;
        }
    }
    return "";
}

void expect_safe(const std::string& kind) {
    Random random("safe " + kind);
    for (const int tile : {16, 25, 32}) {
        for (const int tiles : {1, 3}) {
            const auto problem = unsafe(tile, tile * tiles, kind, random);
            if (!problem.empty()) {
                return fail(named<float>(tile * tiles, tile, problem));
            }
        }
    }
}

TEST(Lab3, HasNoRaces) {
    grade_as({3, Group::safe, 10});
    expect_safe("race");
}

TEST(Lab3, ReachesEveryBarrierWithAllThreads) {
    grade_as({3, Group::safe, 5});
    expect_safe("divergent barrier");
}

TEST(Lab3, StaysInsideItsArrays) {
    grade_as({3, Group::safe, 5});
    expect_safe("out of bounds");
}

Contender contender(Program& program, const char* function, int tile, Random& random) {
    return {&program, [=, &random](const SquareProduct<float>& product) { return launch(product, tile, random, function); }};
}

TEST(Lab3, LoadsEachElementOncePerTile) {
    grade_as({3, Group::technique, 12});
    Random random("loads");
    if (!emulated()) {
        expect_good_side(1536, contender(student(), "matmul_tiled", 32, random), contender(reference(), "matmul_tiled", 32, random),
                         contender(reference(), "matmul_untiled", 32, random), "too many global loads", "tiles in shared memory", random);
        return;
    }
    for (const int tile : {16, 25, 32}) {
        const int W = 4 * tile;
        const SquareProduct<float> product(W, random);
        Call call = launch(product, tile, random);
        const Result result = call.run(student());
        const auto problem = judge_product(result, product, call);
        if (!problem.empty()) {
            return fail(named<float>(W, tile, problem));
        }
        const double loads = counter(result, "global_load", "bytes") / sizeof(float) / static_cast<double>(product.elements());
        const double wanted = 2.0 * W / tile;
        record_measurement(fmt::format("tile {}: {:.4g} global loads an element of P", tile, loads), "counted");
        expect(
            loads <= 1.05 * wanted,
            fmt::format("too many global loads: {:.4g} for each element of P at W={} with tile {}, instead of 2 W / TILE = {:.4g} (2 W = "
                        "{} without tiles).\n"
                        "  Each thread loads one element of M's tile and one of N's into shared memory, and all threads use all of them.",
                        loads, W, tile, wanted, 2 * W));
    }
}

TEST(Lab3, SharedLoadsAreFreeOfBankConflicts) {
    grade_as({3, Group::technique, 8});
    Random random("banks");
    if (!emulated()) {
        expect_good_side(1024, contender(student(), "matmul_tiled", 32, random), contender(reference(), "matmul_tiled", 32, random),
                         contender(reference(), "matmul_conflicting", 32, random), "bank conflicts", "conflict-free shared memory", random);
        return;
    }
    for (const int tile : {16, 25, 32}) {
        const int W = 3 * tile;
        const SquareProduct<float> product(W, random);
        Call call = launch(product, tile, random);
        const Result result = call.run(student());
        const auto problem = judge_product(result, product, call);
        if (!problem.empty()) {
            return fail(named<float>(W, tile, problem));
        }
        expect(counter(result, "shared_load", "requests") > 0, "nothing was read from shared memory");
        expect(counter(result, "shared_load", "conflicts") == 0,
               fmt::format("bank conflicts: {} for {} requests to shared memory with tile {}.\n"
                           "  Threads of a warp that read different words of one bank wait for each other: let threadIdx.x choose the "
                           "column of a tile.",
                           counter(result, "shared_load", "conflicts"), counter(result, "shared_load", "requests"), tile));
    }
}

constexpr int fast_width = 1024;

TEST(Lab3, BeatsTheCpuFiftyfold) {
    grade_as({3, Group::fast, 5});
    Random random("CPU");
    SquareProduct<float> product(emulated() ? 512 : fast_width, random);
    const auto make_call = [&](const SquareProduct<float>& current) { return launch(current, 32, random); };
    expect_speedup_over_cpu(product, {&student(), make_call}, 50);
}

TEST(Lab3, ReachesTheReferencesSpeedAtWidth1024) {
    grade_as({3, Group::fast, 15});
    Random random("speed");
    expect_fraction_of_reference(fast_width, contender(student(), "matmul_tiled", 32, random),
                                 contender(reference(), "matmul_tiled", 32, random), 0.85, random);
}

}  // namespace
}  // namespace lab::grading
