// The first access that differs from a right kernel's, of records made up for it.
#include "common/diagnosis/first_difference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lab::diagnosis {
namespace {

using trace::AccessKind;
using trace::Recording;
using Elements = std::vector<std::uint64_t>;

// Blocks 0 and 5 of a grid of 3 x 2, each of 2 x 2 threads. Arrays M, N and P of 64 floats.
class MadeUp {
public:
    explicit MadeUp(bool has_tiles = true) {
        if (has_tiles) record_.accesses.push_back({.kind = AccessKind::store, .space = trace::Space::shared});
        launch_.mangled = "k";
        launch_.grid = {3, 2, 1};
        launch_.block = {2, 2, 1};
        record_.blocks = {0, 5};
        for (const char* const name : {"M", "N", "P"})
            record_.objects.push_back({name, trace::Space::global, 4096 * (record_.objects.size() + 1), 256});
    }
    // Lanes 0, 1, ... of a block's only warp access these elements of an array.
    MadeUp& access(AccessKind kind, std::uint32_t line, std::uint32_t object, const Elements& elements, std::uint32_t iteration = 0,
                   std::uint32_t block = 0) {
        Recording::Request request{.block = block, .iteration = iteration, .of = 2, .address = record_.objects[object].begin};
        Recording::Touched touched{.block = block, .interval = iteration, .object = object, .kind = kind};
        for (std::size_t lane = 0; lane < elements.size(); ++lane) {
            request.lanes.at(lane) = static_cast<std::int64_t>(4 * elements[lane]);
            touched.runs.push_back({4 * elements[lane], 4 * elements[lane] + 4});
        }
        const auto same = std::ranges::find_if(
            record_.accesses, [&](const auto& one) { return one.kind == kind && one.where.line == line && one.object == object; });
        if (same != record_.accesses.end()) {
            same->kept.push_back(request);
        } else {
            record_.accesses.push_back({.where = {"k.cu", line, 1}, .kind = kind, .object = object, .bytes = 4, .kept = {request}});
        }
        record_.touched.push_back(std::move(touched));
        return *this;
    }
    MadeUp& load(std::uint32_t line, std::uint32_t object, const Elements& elements, std::uint32_t iteration = 0, std::uint32_t block = 0) {
        return access(AccessKind::load, line, object, elements, iteration, block);
    }
    MadeUp& store(std::uint32_t line, const Elements& elements, std::uint32_t block = 0) {
        return access(AccessKind::store, line, P, elements, 0, block);
    }
    [[nodiscard]] trace::Launch launch() const {
        trace::Launch made = launch_;
        made.recording = std::make_shared<const Recording>(record_);
        return made;
    }
    static constexpr std::uint32_t M = 0, N = 1, P = 2;

private:
    trace::Launch launch_;
    Recording record_;
};
constexpr std::uint32_t M = MadeUp::M, N = MadeUp::N;

// Two tiles of N below each other, in rows of 8.
const trace::Launch right =
    MadeUp().load(7, M, {0, 1, 8, 9}).load(8, N, {0, 1, 8, 9}).load(8, N, {16, 17, 24, 25}, 1).store(20, {0, 1, 8, 9}).launch();

std::string told(const MadeUp& wrong, const trace::Launch& solution = right, const RowLengths& rows = {}) {
    const auto found = first_difference(wrong.launch(), solution, rows);
    if (!found) return "";
    const std::string to = found->last_line > found->line ? " to " + std::to_string(found->last_line) : "";
    return std::to_string(found->line) + to + ": " + found->text;
}

MadeUp goes_right() {
    return MadeUp().load(7, M, {0, 1, 8, 9}).load(9, N, {0, 1, 8, 9}).load(9, N, {2, 3, 10, 11}, 1).store(20, {0, 1, 8, 9});
}

TEST(FirstDifference, NamesTheLoadThatTakesOtherElements) {
    EXPECT_EQ(told(goes_right()),
              "9: in iteration 2 thread (0,0,0) of block (0,0,0) loads N[2]; the block needs N[16], which none of its threads loads");
    EXPECT_EQ(told(goes_right(), right, {{"N", 8}}),
              "9: in iteration 2 thread (0,0,0) of block (0,0,0) loads N[0][2]; the block needs N[2][0], which none of its threads loads");
}

TEST(FirstDifference, NamesTheThreadAndTheBlock) {
    const auto solution = MadeUp().load(8, N, {4, 5, 6, 7}, 0, 1).store(20, {0}, 1).launch();
    EXPECT_EQ(told(MadeUp().load(8, N, {4, 5, 6, 40}, 0, 1).store(20, {0}, 1), solution),
              "8: in iteration 1 thread (1,1,0) of block (2,1,0) loads N[40]; the block needs N[7], which none of its threads loads");
}

// The missing element need not be the one that the same thread of the right kernel takes. Another block may need the element taken.
TEST(FirstDifference, TellsWhatIsMissingInThatBlock) {
    const auto solution = MadeUp().load(8, N, {40}).load(8, N, {4, 5, 6}, 0, 1).store(20, {1}).store(20, {0}, 1).launch();
    EXPECT_EQ(told(MadeUp().load(8, N, {40}).load(8, N, {4, 40, 5}, 0, 1).store(20, {1}).store(20, {0}, 1), solution),
              "8: in iteration 1 thread (1,0,0) of block (2,1,0) loads N[40]; the block needs N[6], which none of its threads loads");
}

// Its loads do not show why it has no outputs.
TEST(FirstDifference, IsSilentAboutABlockThatStoresNothing) {
    const auto wrong = MadeUp().load(7, M, {0, 1, 8, 9}).load(8, N, {0, 1, 8, 9}).load(8, N, {2}, 1);
    EXPECT_EQ(told(wrong), "");
    EXPECT_NE(told(MadeUp(wrong).store(20, {0, 1, 8, 9})), "");
}

TEST(FirstDifference, TakesTheEarlierIterationThenTheEarlierLine) {
    const auto wrong = [](std::uint32_t line_of_M, std::uint32_t iteration_of_M) {
        return MadeUp().load(line_of_M, M, {40, 40, 40, 40}, iteration_of_M).load(9, N, {50, 50, 50, 50}, 1).store(20, {0, 1, 8, 9});
    };
    EXPECT_EQ(told(wrong(10, 0)).substr(0, 3), "10:");
    EXPECT_EQ(told(wrong(10, 1)).substr(0, 3), "9: ");
    EXPECT_EQ(told(wrong(8, 1)).substr(0, 3), "8: ");
}

TEST(FirstDifference, LetsThreadsAndIterationsShareElementsInAnyWay) {
    EXPECT_EQ(told(MadeUp()
                       .load(7, M, {9, 8, 1, 0})
                       .load(8, N, {16, 17, 24, 25})
                       .load(30, N, {0, 8}, 0)
                       .load(30, N, {1, 9}, 1)
                       .store(20, {9, 8, 1, 0})),
              "");
}

TEST(FirstDifference, NamesElementsThatNoThreadLoads) {
    EXPECT_EQ(told(MadeUp().load(7, M, {0, 1, 8}).load(8, N, {0, 1, 8, 9}).store(20, {0, 1, 8, 9})),
              "7: no thread of block (0,0,0) loads M[9], which the block needs");
    EXPECT_EQ(told(MadeUp().load(7, M, {0, 1, 8, 9}).load(8, N, {0, 1, 8, 9}).store(20, {0, 1, 8, 9})),
              "8: no thread of block (0,0,0) loads N[16] and 3 others, which the block needs");
    const auto with_another_block = MadeUp().load(7, M, {0}).store(20, {0}).load(7, M, {32}, 0, 1).store(20, {32}, 1);
    EXPECT_EQ(told(MadeUp().load(7, M, {0}).store(20, {0}).store(20, {32}, 1), with_another_block.launch()),
              "7: no thread of block (2,1,0) loads M[32], which the block needs");
    // Without tiles their values may be unused.
    EXPECT_EQ(told(MadeUp(false).load(7, M, {0, 1, 8}).load(8, N, {0, 1, 8, 9}).store(20, {0, 1, 8, 9})), "");
    // Either line could have to take them: lines that are close together are told, from the first to the last.
    const auto of_lines = [&](unsigned first, unsigned last) {
        return told(MadeUp().load(7, M, {0, 1, 8, 9}).load(first, N, {0, 1}).load(last, N, {8, 9}).store(20, {0, 1, 8, 9}));
    };
    EXPECT_EQ(of_lines(8, 9), "8 to 9: no thread of block (0,0,0) loads N[16] and 3 others, which the block needs");
    EXPECT_EQ(of_lines(8, 18), "");
    EXPECT_EQ(told(MadeUp().load(7, M, {0, 1, 8, 9}).store(20, {0, 1, 8, 9})), "");
}

TEST(FirstDifference, AllowsElementsThatAreNotNeeded) {
    EXPECT_EQ(told(MadeUp()
                       .load(7, M, {0, 1, 8, 9})
                       .load(8, N, {0, 1, 8, 9})
                       .load(8, N, {16, 17, 24, 25}, 1)
                       .load(8, N, {60}, 2)
                       .store(20, {0, 1, 8, 9})),
              "");
}

TEST(FirstDifference, NamesTheStoreWhereAllLoadsAgree) {
    const auto wrong = [](const Elements& stored) {
        return MadeUp().load(7, M, {0, 1, 8, 9}).load(8, N, {0, 1, 8, 9}).load(8, N, {16, 17, 24, 25}, 1).store(21, stored);
    };
    EXPECT_EQ(told(wrong({0, 1, 2, 9})),
              "21: in iteration 1 thread (0,1,0) of block (0,0,0) stores to P[2]; the block's outputs include P[8], which none of its "
              "threads stores to");
    // Which outputs are missing the verdict says; a guard may be the cause.
    EXPECT_EQ(told(wrong({0, 1, 8})), "");
}

TEST(FirstDifference, LeavesOtherMapsOfBlocksAlone) {
    EXPECT_EQ(
        told(MadeUp().load(7, M, {32, 33, 40, 41}).load(8, N, {0, 1, 8, 9}).load(8, N, {16, 17, 24, 25}, 1).store(20, {32, 33, 40, 41})),
        "");
    // Fewer outputs are no other map.
    EXPECT_EQ(told(MadeUp().load(7, M, {0, 1}).load(8, N, {0, 1, 8, 9}).load(8, N, {16, 17, 24, 25}, 1).store(3, {0, 1})),
              "7: no thread of block (0,0,0) loads M[8] and 1 other, which the block needs");
}

TEST(FirstDifference, ComparesOnlyWhatIsComparable) {
    const trace::Launch wrong = goes_right().launch();
    ASSERT_TRUE(first_difference(wrong, right, {}));
    const auto changed = [&](const auto& change) {
        trace::Launch other = wrong;
        auto record = std::make_shared<Recording>(*wrong.recording);
        change(other, *record);
        if (other.recording) other.recording = std::move(record);
        return first_difference(other, right, {}).has_value();
    };
    EXPECT_TRUE(changed([](auto&, auto&) {}));
    EXPECT_FALSE(changed([](auto& launch, auto&) { launch.grid.y = 1; }));
    EXPECT_FALSE(changed([](auto& launch, auto&) { launch.block.x = 4; }));
    EXPECT_FALSE(changed([](auto& launch, auto&) { launch.mangled = "other"; }));
    EXPECT_FALSE(changed([](auto& launch, auto&) { launch.has_fault = true; }));
    EXPECT_FALSE(changed([](auto& launch, auto&) { launch.recording = nullptr; }));
    EXPECT_FALSE(changed([](auto&, auto& record) { record.blocks = {0, 4}; }));
    EXPECT_FALSE(changed([](auto&, auto& record) { record.objects[M].name = ""; }));
    EXPECT_FALSE(changed([](auto&, auto& record) { record.objects[M].name = "other"; }));
    EXPECT_FALSE(changed([](auto&, auto& record) { record.touched[0].is_cut = true; }));
    EXPECT_FALSE(changed([](auto&, auto& record) { record.touched.back().kind = AccessKind::atomic; }));
}

}  // namespace
}  // namespace lab::diagnosis
