// Grades lab 2: the matrix product from global memory and its thread geometry.
#include <array>
#include <set>

#include "common/grading/recorded_accesses.h"
#include "tests/labs/lab2_launch.h"

namespace lab::grading {
namespace {

void expect_right(const std::string& function, const std::vector<int>& widths, const std::vector<Block>& blocks) {
    Random random(function + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    Shapes shapes;
    for (const int W : widths) {
        const SquareProduct<float> product(W, random);
        for (const Block block : blocks) {
            shapes.attempt(shape_of(W, block), [&] {
                Call call = launch(function, product, block, random);
                return judge_product(call.run(student()), product, call).at(named(function, W, block));
            });
        }
    }
    shapes.judge();
}

const std::vector<Block> all_blocks{{32, 32}, {16, 16}, {8, 8}, {256, 2}, {2, 256}, {7, 5}, {1, 1}, {32, 1}};

TEST_F(Lab2, MatchesReferenceAtWidthsThatBlocksDivide) {
    grade_as({2, Group::correct, 10});
    expect_right("matmul_global", {48, 16, 96}, {{8, 4}, {16, 16}});
}

TEST_F(Lab2, MatchesReferenceAtWidthsThatBlocksDoNotDivide) {
    grade_as({2, Group::correct, 10});
    expect_right("matmul_global", {17, 33, 100, 31, 15, 2, 1}, {{16, 16}, {32, 8}});
}

TEST_F(Lab2, MatchesReferenceInBlocksOfAnyShape) {
    grade_as({2, Group::correct, 10});
    expect_right("matmul_global", {40, 67}, all_blocks);
}

TEST_F(Lab2, XRowsMatchesReferenceInBlocksOfAnyShape) {
    grade_as({2, Group::correct, 5});
    expect_right("matmul_global_x_rows", {40, 67}, all_blocks);
    if (is_on_gpu()) return;
    const std::string place = "matmul_global_x_rows in blocks of 32x32";
    const Message same = Message("matmul_global_x_rows does what matmul_global does: does x choose the row here, as exercise (c) asks?")
                             .on(Section::task)
                             .of(Topic::not_by_rows);
    Random random("x rows");
    const SquareProduct<float> product(64, random);
    Call call = launch("matmul_global_x_rows", product, {32, 32}, random);
    const Result result = call.run(student());
    if (const auto problem = judge_product(result, product, call); !problem.empty()) {
        return fail(problem.at(place));
    }
    const double sectors = sectors_per_request(result, &Counters::global_store);
    expect(sectors >= 16,
           same.with(fmt::format("its stores take {:.3g} sectors a request; neighbours in a column need 32", sectors)).at(place));
}

// The grid may be larger than necessary: threads outside the matrix must not access memory.
TEST_F(Lab2, StaysInsideItsArrays) {
    grade_as({2, Group::safe, 10});
    Random random("stays inside");
    for (const auto* function : {"matmul_global", "matmul_global_x_rows"}) {
        Shapes shapes;
        for (const int W : {17, 50, 1}) {
            const SquareProduct<float> product(W, random);
            for (const Block block : {Block{16, 16}, Block{32, 4}, Block{5, 9}}) {
                shapes.attempt(shape_of(W, block), [&] {
                    Call call = launch(function, product, block, random);
                    call.integer("grid_x", (W + block.x - 1) / block.x + 1).integer("grid_y", (W + block.y - 1) / block.y + 2);
                    return judge_in_any_order<float>(call, product.shape(function), product.P, FindingKind::out_of_bounds)
                        .at(named(function, W, block) + ", in a grid larger than it has to be");
                });
            }
        }
        shapes.judge();
    }
}

// 32 neighbouring floats are 128 bytes: 4 sectors of 32. An element of M that all threads share takes 1.
Message judge_coalescing(const Call& call, const Result& result, const std::string& kind, int W) {
    const Access access = global_access(kind);
    const double requests = count(result, access, &MemoryCounts::requests);
    const double sectors = count(result, access, &MemoryCounts::sectors);
    const double fair_requests =
        std::max(requests, count(result, access, &MemoryCounts::bytes) / 128);  // a wide access may take more sectors
    record_measurement(fmt::format("global_{}: {:.2f} sectors a request", kind, sectors_per_request(result, access)), "counted");
    if (sectors <= 4 * fair_requests) {
        return {};
    }
    const std::string counts = fmt::format("{}s take {:.1f} sectors a request", kind, sectors_per_request(result, access));
    const Message plain = Message("not coalesced: " + counts + " instead of at most 4",
                                  {fmt::format("{} requests of warps took {} sectors of 32 bytes", requests, sectors),
                                   "neighbouring threads (threadIdx.x) have to touch neighbouring addresses: let x run along a row"})
                              .of(Topic::not_coalesced);
    return explained_by_distance(plain, RecordedAccesses(call),
                                 {"not coalesced", counts + ", at most 4 are allowed", kind, {{"M", W}, {"N", W}, {"P", W}}});
}

TEST_F(Lab2, CoalescesLoadsOfNAndStoresOfP) {
    grade_as({2, Group::technique, 15});
    Random random("coalescing");
    constexpr Block block{32, 8};
    const SquareProduct<float> product(128, random);
    Call call = launch("matmul_global", product, block, random);
    const Result result = call.run(student());
    const std::string place = named("matmul_global", product.W, block);
    const Message wrong = judge_product(result, product, call);
    for (const std::string kind : {"load", "store"}) {
        const auto judge = [&](const Result& one) { return judge_coalescing(call, one, kind, product.W); };
        const Message problem = judge_counts(
            wrong, call, result, [&] { return product.P; }, judge);
        if (!problem.empty()) fail(problem.at(place));
        if (!wrong.empty()) return;
    }
}

struct Way {
    const char* geometry;
    const char* name;
    const char* function;
    Block block;
};
constexpr std::array<Way, 6> ways{{{"block_32x32", "32x32", "matmul_global", {32, 32}},
                                   {"block_16x16", "16x16", "matmul_global", {16, 16}},
                                   {"block_8x8", "8x8", "matmul_global", {8, 8}},
                                   {"block_256x2", "256x2", "matmul_global", {256, 2}},
                                   {"block_2x256", "2x256", "matmul_global", {2, 256}},
                                   {"x_rows_32x32", "32x32, x mapped to rows", "matmul_global_x_rows", {32, 32}}}};

// What a list that doesn't name each way once does instead; "" if it does. Entries that a list lacks are 0, the first way.
std::string not_each_once(const std::vector<int>& order) {
    std::vector<std::string> missing, repeated;
    for (std::size_t which = 0; which < ways.size(); ++which) {
        const auto count = std::count(order.begin(), order.end(), static_cast<int>(which));
        if (count == 0) {
            missing.emplace_back(ways.at(which).geometry);
        } else if (count > 1) {
            repeated.push_back(fmt::format("{} {}", ways.at(which).geometry, count == 2 ? "twice" : fmt::format("{} times", count)));
        }
    }
    if (missing.empty()) {
        return "";
    }
    if (missing.size() + 1 == ways.size()) {
        return "predicted_order has to name each Geometry once: is it still empty?";
    }
    const std::string also = repeated.empty() ? "" : fmt::format(" and names {}", fmt::join(repeated, ", "));
    return fmt::format("predicted_order leaves out {}{}: it has to name each Geometry once, and an entry that is left out is {}",
                       fmt::join(missing, ", "), also, ways.front().geometry);
}

TEST_F(Lab2, PredictsTheOrderOfThreadGeometries) {
    grade_as({2, Group::technique, 5});
    Call question("predicted_order");
    const Result answer = question.run(student());
    if (!answer.problem.empty()) {
        return fail(answer.problem.at("predicted_order"));
    }
    const auto order = answer.values.at("order").get<std::vector<int>>();
    if (const std::string what = not_each_once(order); !what.empty()) {
        return fail(
            Message(what, {fmt::format("it names {} of the {} geometries", std::set<int>(order.begin(), order.end()).size(), ways.size())})
                .at("predicted_order")
                .on(Section::task)
                .of(Topic::no_prediction));
    }

    Random random("geometry");
    SquareProduct<float> product(256, random);
    std::array<double, 6> ms{};
    std::string times;
    std::vector<std::string> rows;
    std::string table = fmt::format("W={}, in the order that you predicted:", product.W);
    for (const int which : order) {
        const Way& way = ways.at(static_cast<std::size_t>(which));
        const auto make_call = [&](const SquareProduct<float>& current) { return launch(way.function, current, way.block, random); };
        const Measured measured = measure(product, {&student(), make_call});
        if (!measured.problem.empty()) {
            return fail(measured.problem.at(named(way.function, product.W, way.block)));
        }
        const Times& taken = measured.times;
        ms.at(static_cast<std::size_t>(which)) = taken.median();
        times = measured.kind;
        table += fmt::format(" {} {:.4g} ms;", way.name, taken.median());
        rows.push_back(fmt::format("  {:<24} {:.4g} ms", way.name, taken.median()));
    }
    record_measurement(table, times);
    // Only a clearly slower shape has to come later: a factor of 2 is beyond noise.
    Message wrong;
    int others = 0;
    for (std::size_t earlier = 0; earlier < order.size(); ++earlier) {
        for (std::size_t later = earlier + 1; later < order.size(); ++later) {
            const auto a = static_cast<std::size_t>(order[earlier]);
            const auto b = static_cast<std::size_t>(order[later]);
            if (ms.at(a) <= 2 * ms.at(b)) {
                continue;
            }
            const std::string pair = fmt::format(
                "{} is more than twice as slow as {}, which you expected to be slower: how many cache lines does a warp touch in each?",
                ways.at(a).name, ways.at(b).name);
            if (wrong.empty()) {
                wrong = Message(pair, {fmt::format("times {}, in the order that you predicted:", times)}).on(Section::task);
                wrong.evidence.insert(wrong.evidence.end(), rows.begin(), rows.end());
            } else {
                ++others;
            }
        }
    }
    if (others > 0) {
        wrong = wrong.with(fmt::format("and {} more pair{} in the wrong order", others, others == 1 ? " stands" : "s stand"));
    }
    expect(wrong.empty(), wrong.at("predicted_order"));
}

constexpr Block usual{16, 16};

TEST_F(Lab2, BeatsTheCpuTwentyfold) {
    grade_as({2, Group::fast, 5});
    Random random("CPU");
    SquareProduct<float> product(is_on_gpu() ? 1024 : 512, random);
    const auto make_call = [&](const SquareProduct<float>& current) { return launch("matmul_global", current, usual, random); };
    expect_speedup_over_cpu("matmul_global in blocks of 16x16", std::move(product), {&student(), make_call}, 20);
}

TEST_F(Lab2, ReachesTheReferencesSpeed) {
    grade_as({2, Group::fast, 10});
    Random random("speed");
    expect_fraction("matmul_global in blocks of 16x16", SquareProduct<float>(is_on_gpu() ? 1024 : 512, random),
                    candidate(student(), "matmul_global", usual, random), candidate(reference(), "matmul_global", usual, random),
                    share_of_reference);
}

}  // namespace
}  // namespace lab::grading
