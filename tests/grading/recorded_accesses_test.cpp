// First lines that follow from recorded accesses, and records that prove nothing.
#include "common/grading/recorded_accesses.h"

#include <gtest/gtest.h>

#include <functional>

#include "common/grading/arrays.h"
#include "common/grading/student.h"
#include "common/trace/json.h"
#include "tests/grading/misbehaves.h"

namespace lab::grading {
namespace {

using Json = nlohmann::json;

constexpr int warp = 32;

// A request of a block's first warp; `offset`: bytes of a lane's element from the first one.
Json request(const std::function<int(int)>& offset, int address, int cost, int ideal) {
    Json lanes = Json::array();
    for (int lane = 0; lane < warp; ++lane) lanes.push_back(offset(lane));
    return {{"warp", 0}, {"address", address}, {"lanes", lanes}, {"cost", cost}, {"ideal", ideal}};
}

Json access(const char* space, int line, std::size_t object, const Json& request) {
    return {{"where", {{"file", "/home/student/kernel.cu"}, {"line", line}, {"column", 5}}},
            {"kind", "load"},
            {"space", space},
            {"object", object},
            {"bytes", 4},
            {"requested", 512},
            {"seen_cost", request.at("cost")},
            {"seen_ideal", request.at("ideal")},
            {"kept", Json::array({request})}};
}

RecordedAccesses recorded(int block_x, int block_y, std::vector<Json> accesses) {
    return RecordedAccesses(trace::launch_from(
        Json{{"block", {block_x, block_y, 1}},
             {"recording",
              {{"objects", {{{"name", "M"}}, {{"name", "N"}}, {{"name", "tile"}}, {{"name", ""}}}}, {"accesses", std::move(accesses)}}}}));
}

constexpr std::size_t M = 0, N = 1, tile = 2, unnamed = 3;

const Message plain("plain", {"evidence"});

std::string distance_line(const RecordedAccesses& accesses, bool is_column_major = false) {
    return explained_by_distance(plain, accesses, {"not coalesced", "32 sectors", "load", {{"M", 50}}, is_column_major}).what;
}

std::string banks_line(const RecordedAccesses& accesses) {
    return explained_by_banks(plain, accesses, "load", "31 conflicts", ask_for_padding).what;
}

TEST(RecordedAccesses, NameArrayDistanceAndLine) {
    const auto by_rows = recorded(32, 8, {access("global", 31, M, request([](int lane) { return 200 * lane; }, 0, 32, 4))});
    EXPECT_EQ(distance_line(by_rows),
              "not coalesced: neighbouring threads load elements of M that lie 50 apart (32 sectors): does threadIdx.x choose the row "
              "instead of the column?");
    EXPECT_EQ(explained_by_distance(plain, by_rows, {"rule", "counts", "load", {}}).where, std::vector<std::string>{"kernel.cu:31"});
    EXPECT_NE(distance_line(by_rows, true).find("M is column-major, does threadIdx.x choose the column instead of the row?"),
              std::string::npos);
    const auto unrolled = recorded(32, 8, {access("global", 31, M, request([](int lane) { return 16 * lane; }, 0, 16, 4))});
    EXPECT_NE(distance_line(unrolled).find("lie 4 apart (32 sectors): does each thread take elements side by side"), std::string::npos);
    const auto other = recorded(32, 8, {access("global", 31, M, request([](int lane) { return 400 * lane; }, 0, 32, 4))});
    EXPECT_NE(distance_line(other).find("lie 100 apart (32 sectors): what is threadIdx.x multiplied by"), std::string::npos);
}

TEST(RecordedAccesses, ChooseTheCostliestAndOfEqualOnesTheFirstLine) {
    const auto strided = [](int line, std::size_t array, int cost) {
        return access("global", line, array, request([](int lane) { return 200 * lane; }, 0, cost, 4));
    };
    EXPECT_EQ(recorded(32, 8, {strided(7, M, 16), strided(9, N, 32)}).costliest(trace::Space::global, "load")->array, "N");
    EXPECT_EQ(recorded(32, 8, {strided(9, N, 32), strided(7, M, 32)}).costliest(trace::Space::global, "load")->array, "M");
    EXPECT_FALSE(recorded(32, 8, {strided(9, N, 32)}).costliest(trace::Space::global, "store"));
}

TEST(RecordedAccesses, CompareNeighboursInARowOfTheBlockOnly) {
    // Rows of 2 threads, side by side; the rows lie 200 bytes apart.
    const auto offset = [](int lane) { return 4 * (lane % 2) + 200 * (lane / 2); };
    EXPECT_EQ(recorded(2, 16, {access("global", 31, M, request(offset, 0, 16, 4))}).costliest(trace::Space::global, "load")->apart, 4);
    EXPECT_FALSE(recorded(32, 8, {access("global", 31, M, request(offset, 0, 16, 4))}).costliest(trace::Space::global, "load"));
}

TEST(RecordedAccesses, SayNothingThatTheDistanceDoesNotExplain) {
    // Misaligned, scattered, without a name, not recorded.
    EXPECT_EQ(distance_line(recorded(32, 8, {access("global", 31, M, request([](int lane) { return 4 * lane; }, 4, 5, 4))})), "plain");
    EXPECT_EQ(distance_line(recorded(32, 8, {access("global", 31, M, request([](int lane) { return lane * lane * 64; }, 0, 32, 4))})),
              "plain");
    EXPECT_EQ(distance_line(recorded(32, 8, {access("global", 31, unnamed, request([](int lane) { return 200 * lane; }, 0, 32, 4))})),
              "plain");
    EXPECT_EQ(distance_line(RecordedAccesses(trace::Launch())), "plain");
}

TEST(RecordedAccesses, NameTheSharedArrayAndItsBanks) {
    EXPECT_EQ(banks_line(recorded(32, 8, {access("shared", 31, tile, request([](int lane) { return 128 * lane; }, 4, 32, 1))})),
              "bank conflicts: neighbouring threads load words of tile that lie 32 apart, all in one bank (31 conflicts): is a row of tile "
              "32 words long instead of 33?");
    EXPECT_NE(banks_line(recorded(16, 16, {access("shared", 31, tile, request([](int lane) { return lane % 16 * 64; }, 0, 8, 1))}))
                  .find("lie 16 apart, in 2 of 32 banks"),
              std::string::npos);
    // The block's rows conflict, neighbours don't.
    EXPECT_EQ(banks_line(recorded(
                  16, 16, {access("shared", 31, tile, request([](int lane) { return lane % 16 * 4 + lane / 16 * 128; }, 0, 2, 1))})),
              "plain");
}

TEST(RecordedAccesses, NameTheRowsOfAWarpThatReadDifferentConstants) {
    const auto line = [](int block_x, const std::function<int(int)>& offset) {
        return explained_by_rows(plain, recorded(block_x, 256 / block_x, {access("constant", 31, M, request(offset, 0, 2, 1))})).what;
    };
    EXPECT_EQ(line(16, [](int lane) { return lane / 16 * 400; }), "plain: a warp of a 16 x 16 block has 2 rows");
}

TEST(RecordedAccesses, AddUpLoadsByArray) {
    const Json broadcast = request([](int) { return 0; }, 0, 1, 1);
    const auto bytes = recorded(32, 8,
                                {access("global", 7, M, broadcast), access("global", 8, N, broadcast), access("global", 9, N, broadcast),
                                 access("shared", 9, tile, broadcast)})
                           .loaded_bytes();
    EXPECT_EQ(bytes, (std::map<std::string, double>{{"M", 512}, {"N", 1024}}));
    // One load of two arrays, whose bytes are counted together.
    EXPECT_TRUE(recorded(32, 8, {access("global", 7, M, broadcast), access("global", 7, N, broadcast)}).loaded_bytes().empty());
}

TEST(RecordedAccesses, ShowNothingThatTheCallMadeAgainPrints) {
    Random random("again");
    const int rows = static_cast<int>(Misdeed::print_a_pass);
    const auto in = random.values<float>(static_cast<std::size_t>(rows) * 2);
    Call call("transpose");
    call.integer("rows", rows).integer("cols", 2).input("in", in).output<float>("out", in.size(), random);
    ::testing::internal::CaptureStdout();
    EXPECT_TRUE(call.run(student()).problem.empty());
    EXPECT_NE(::testing::internal::GetCapturedStdout(), "");
    ::testing::internal::CaptureStdout();
    EXPECT_FALSE(RecordedAccesses(call).costliest(trace::Space::global, "load"));  // no kernel
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace lab::grading
