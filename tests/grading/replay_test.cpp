// Calls of the solutions, repeated by the device with the same kernels, with wrong ones, and with the same again.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>

#include "common/grading/child.h"

namespace lab::grading {
namespace {

std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return text.substr(0, text.find('\0'));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    return text;
}

// Some values, none of which is 0.
std::vector<float> values(std::size_t count) {
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<float>(i * 37 % 101) / 64.0F - 0.7F;
    return all;
}

// A call of a solution's function on M and N, which have the same values each time.
class Replay : public ::testing::Test {
protected:
    struct Array {
        const char* name;
        std::size_t count;
        bool is_output;
    };
    void call(int lab, const std::string& function, const std::map<std::string, int>& integers, const std::vector<Array>& arrays,
              bool is_on_device) {
        const std::string program = std::string(LAB_BUILD_FOLDER) + "/bin/lab" + std::to_string(lab) + "_reference";
        ptx_ =
            text_of(std::string(LAB_BUILD_FOLDER) + "/tests/labs/CMakeFiles/lab" + std::to_string(lab) + "_reference_unit.dir/kernels.ptx");
        ASSERT_NE(ptx_.find(".entry"), std::string::npos);
        child_ = std::make_unique<Child>(program, "emulator");
        runner::Request request;
        request.call = function;
        request.backend.max_instructions = max_instructions_;
        for (const auto& [name, value] : integers) request.integers[name] = value;
        std::vector<std::vector<float>> inputs;
        std::vector<std::span<const std::byte>> contents;
        for (const Array& array : arrays) {
            runner::BufferSpec spec{array.name, "float", array.count, array.is_output, 0, 0};
            spec.on_device = is_on_device;
            inputs.push_back(values(array.is_output ? 0 : array.count));
            const auto content = std::as_bytes(std::span(inputs.back()));
            if (!array.is_output) spec.checksum = runner::checksum(content.data(), content.size(), nullptr, 0);
            request.buffers.push_back(spec);
            contents.push_back(content);
        }
        const Reply reply = child_->call(request, contents, {});
        ASSERT_TRUE(reply.answer) << reply.reason;
        ASSERT_EQ(reply.answer->status, 0);
        ASSERT_TRUE(reply.answer->report.findings.empty());
        outputs_ = reply.outputs;
        launches_ = reply.answer->report.launches.size();
        instructions_ = reply.answer->report.launches.at(0).counters.warp_instructions;
    }
    void expect_the_same() {
        std::vector<std::byte> outputs;
        const trace::Answer answer = child_->replay(ptx_, &outputs);
        EXPECT_EQ(outputs, outputs_);
        EXPECT_TRUE(answer.report.findings.empty());
        ASSERT_EQ(answer.report.launches.size(), launches_);
        EXPECT_EQ(answer.report.launches.at(0).counters.warp_instructions, instructions_);
    }
    void call_tiled(int width) {
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
        call(3, "matmul_tiled", {{"W", width}, {"tile", 16}}, {{"M", count, false}, {"N", count, false}, {"P", count, true}}, true);
    }

    std::string ptx_;
    std::unique_ptr<Child> child_;
    std::vector<std::byte> outputs_;
    std::size_t launches_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t max_instructions_ = 0;  // of a call; 0: the device's usual limit
};

TEST_F(Replay, WithTheSameKernelsDoesTheSame) {
    ASSERT_NO_FATAL_FAILURE(call_tiled(48));
    expect_the_same();
    expect_the_same();
}

TEST_F(Replay, WithOtherKernelsSeesTheirFaultsAndForgetsThem) {
    ASSERT_NO_FATAL_FAILURE(call_tiled(48));
    std::vector<std::byte> outputs;
    const std::string no_barriers = replaced(ptx_, "bar.sync \t0;", "");
    ASSERT_NE(no_barriers, ptx_);
    const trace::Answer racing = child_->replay(no_barriers, &outputs);
    ASSERT_FALSE(racing.report.findings.empty());
    EXPECT_EQ(racing.report.findings.at(0).kind, FindingKind::race);
    const std::string far_away = replaced(ptx_, "cvta.to.global.u64", "not.b64");
    ASSERT_NE(far_away, ptx_);
    const trace::Answer outside = child_->replay(far_away, &outputs);
    ASSERT_FALSE(outside.report.findings.empty());
    EXPECT_TRUE(outside.report.findings.at(0).stops);
    expect_the_same();
}

TEST_F(Replay, EndsSoonAfterAWrongBlockIfAsked) {
    ASSERT_NO_FATAL_FAILURE(call_tiled(48));
    std::vector<std::byte> outputs;
    const std::vector<float> bounds(outputs_.size() / sizeof(float), 1e-6F);
    // The kernels themselves: no block is wrong.
    const trace::Answer right = child_->replay(ptx_, &outputs, {outputs_, std::as_bytes(std::span(bounds))});
    EXPECT_EQ(outputs, outputs_);
    EXPECT_EQ(right.report.launches.at(0).counters.warp_instructions, instructions_);
    // One element expected otherwise, in the third block of nine: the output is looked at after the fourth, and the others don't run.
    std::vector<std::byte> expected = outputs_;
    const float other = 1000;
    constexpr std::size_t in_third_block = 40;
    std::memcpy(expected.data() + in_third_block * sizeof other, &other, sizeof other);
    const trace::Answer stopped = child_->replay(ptx_, &outputs, {expected, std::as_bytes(std::span(bounds))});
    EXPECT_EQ(stopped.report.launches.at(0).counters.warp_instructions, instructions_ / 9 * 4);
    EXPECT_EQ(std::memcmp(outputs.data(), outputs_.data(), 16 * 48 * sizeof(float)), 0);
    EXPECT_NE(outputs, outputs_);
    expect_the_same();
}

TEST_F(Replay, RepeatsCopiesFromAndToTheHost) {
    ASSERT_NO_FATAL_FAILURE(call(2, "matmul_on_device", {{"W", 20}}, {{"M", 400, false}, {"N", 400, false}, {"P", 400, true}}, false));
    expect_the_same();
    expect_the_same();
}

TEST_F(Replay, RepeatsCopiesToConstantMemory) {
    ASSERT_NO_FATAL_FAILURE(
        call(4, "matmul_constant", {{"m", 9}, {"n", 33}, {"k", 20}}, {{"A", 180, false}, {"B", 660, false}, {"C", 297, true}}, true));
    expect_the_same();
    expect_the_same();
}

TEST_F(Replay, CountsTheInstructionLimitAnewEachTime) {
    max_instructions_ = 100'000;
    ASSERT_NO_FATAL_FAILURE(call_tiled(48));
    ASSERT_GT(instructions_, 10'000U);
    for (int i = 0; i < 12; ++i) ASSERT_NO_FATAL_FAILURE(expect_the_same());
}

TEST_F(Replay, TellsWhatIsNoPtx) {
    ASSERT_NO_FATAL_FAILURE(call_tiled(32));
    std::vector<std::byte> outputs;
    EXPECT_THROW((void)child_->replay("nothing", &outputs), DeviceFailure);
    expect_the_same();
}

// The text without all other kernels.
std::string only(const std::string& kernel, std::string ptx) {
    const std::string begin = ".visible .entry ", end = "\n}\n";
    for (std::size_t at = ptx.find(begin); at != std::string::npos;) {
        const bool is_it = ptx.substr(at, ptx.find('(', at) - at).find(kernel) != std::string::npos;
        if (!is_it) ptx.erase(at, ptx.find(end, at) + end.size() - at);
        at = ptx.find(begin, at + (is_it ? 1 : 0));
    }
    return ptx;
}

// The time of 200, each with a text of its own, for whoever changes it: ctest -V shows it.
TEST_F(Replay, WithOneKernelOfSeveralDoesTheSameTwoHundredTimes) {
    ASSERT_NO_FATAL_FAILURE(call_tiled(48));
    ptx_ = only("Li16EfE", ptx_);
    const std::string one = ptx_;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i) {
        ptx_ = replaced(one, ".version", "// " + std::to_string(i) + "\n.version");
        ASSERT_NO_FATAL_FAILURE(expect_the_same());
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("200 repetitions of a product of 48 x 48: %.2f s\n", taken.count());
}

}  // namespace
}  // namespace lab::grading
