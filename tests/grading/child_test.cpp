// All ways in which student code can fail to answer are distinguished, and the next test works all the same.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "common/diagnosis/verdict.h"
#include "common/grading/call.h"
#include "common/grading/findings.h"
#include "common/grading/options.h"
#include "common/grading/patience.h"
#include "common/trace/json.h"
#include "tests/grading/misbehaves.h"

namespace lab::grading {
namespace {

// Reason why a call of the misbehaving transpose fails; "" if its result is right.
std::string problem_of(Misdeed misdeed, std::chrono::milliseconds limit = std::chrono::seconds(10),
                       std::chrono::milliseconds asleep = std::chrono::seconds(30)) {
    Random random("misdeed");
    const int rows = static_cast<int>(misdeed);
    const int cols = 6;
    const auto in = random.values<float>(static_cast<std::size_t>(rows) * cols);
    Call call("transpose");
    call.integer("rows", rows)
        .integer("cols", cols)
        .input("in", in)
        .output<float>("out", in.size(), random)
        .limit(limit)
        .limit_sleep(asleep);
    const Result result = call.run(student());
    if (!result.problem.empty()) {
        return to_text(result.problem);
    }
    return to_text(compare(Shape{"out", static_cast<std::size_t>(cols), static_cast<std::size_t>(rows)}, result.output<float>("out"),
                           expect_transpose(in, rows, cols), call.poison_of("out")));
}

void expect_rejected(Misdeed misdeed, const std::string& reason) {
    const auto problem = problem_of(misdeed);
    EXPECT_NE(problem.find(reason), std::string::npos) << "said: " << problem;
    EXPECT_EQ(problem_of(Misdeed::none), "") << "and the next test was not served";
}

TEST(Frame, ViewsAreSentAsIfTheyLayInOnePiece) {
    for (const std::size_t bytes : {0U, 1U, 65535U, 65536U, 65537U, 131073U, 300000U}) {
        std::vector<std::byte> content(bytes);
        for (std::size_t i = 0; i < bytes; ++i) content[i] = static_cast<std::byte>(i * 2654435761U >> 13U);
        runner::Frame whole;
        whole.json = "{}";
        whole.raw = content;
        for (const std::size_t cut : {std::size_t{0}, bytes / 3, bytes}) {
            runner::Frame cut_in_two;
            cut_in_two.json = "{}";
            const std::span<const std::byte> all(content);
            cut_in_two.views = {all.first(cut), {}, all.subspan(cut)};
            EXPECT_EQ(header_of(cut_in_two, 1).raw_bytes, bytes);
            EXPECT_EQ(header_of(cut_in_two, 1).checksum, header_of(whole, 1).checksum) << bytes << " bytes, cut at " << cut;
        }
    }
}

// What is said of the second of two calls, each on its own input.
std::string second_of_two(Misdeed misdeed, double surplus) {
    Random random("past");
    const int rows = static_cast<int>(misdeed);
    std::string said;
    for (int nth = 0; nth < 2; ++nth) {
        const auto in = random.values<float>(static_cast<std::size_t>(rows) * 2);
        Call call("transpose");
        call.integer("rows", rows).integer("cols", 2).input("in", in).output<float>("out", in.size(), random);
        Expected expected = expect_transpose(in, rows, 2);
        expected.value[0] += nth * surplus;
        said = judge_output<float>(call.run(student()), Shape{"out", 2, static_cast<std::size_t>(rows)}, expected, call).what;
    }
    return said;
}

TEST(Call, BlamesEarlierCallsWhereANewProgramGetsItRight) {
    EXPECT_EQ(second_of_two(Misdeed::remember_the_past, 0),
              "out is right in a program that makes only this call, but not after earlier calls: is a static or global variable kept from "
              "one to the next, or a local one used before it is set?");
}
TEST(Call, BlamesNoEarlierCallsWhereANewProgramGetsItWrong) {
    EXPECT_EQ(second_of_two(Misdeed::none, 0), "");
    EXPECT_EQ(second_of_two(Misdeed::none, 5), "1 of 2 elements of out is wrong (2 x 1)");
}

TEST(Child, AnswersWhenNothingIsWrong) { EXPECT_EQ(problem_of(Misdeed::none), ""); }
TEST(Child, ExplainsExit) { expect_rejected(Misdeed::exit_0, "your code called exit(0) during transpose"); }
TEST(Child, ExplainsExitWithoutCleanup) { expect_rejected(Misdeed::underscore_exit_0, "your code called exit(0) during transpose"); }
TEST(Child, TakesNoExitForAnAnswerAlthoughTheResultWasWritten) {
    expect_rejected(Misdeed::exit_after_writing, "your code called exit(0) during transpose");
}
TEST(Child, ExplainsAbort) { expect_rejected(Misdeed::abort, "stopped with SIGABRT in transpose"); }
TEST(Child, ExplainsASegmentationFault) {
    expect_rejected(Misdeed::null_pointer, "crashed with SIGSEGV in transpose: it touched the address");
}
TEST(Child, ExplainsALocalArrayLargerThanTheStack) { expect_rejected(Misdeed::large_local_array, "transpose: the stack is full"); }
TEST(Child, ExplainsALocalArrayThatIsTooSmall) {
    expect_rejected(Misdeed::overrun_a_local_array,
                    "stopped in transpose: it ran past the end of a local array: for which sizes is that too small?");
    EXPECT_EQ(ended_by(SIGSEGV, "transpose", R"({"local_array": true})").reason,
              "crashed with SIGSEGV in transpose: it ran past the end of a local array: for which sizes is that too small?");
}
TEST(Child, ExplainsAnUnsignedIndexBelow0) {
    expect_rejected(Misdeed::count_below_0,
                    "crashed with SIGSEGV in transpose: it touched in[4294967295], but in has 150 elements: did an unsigned index go below "
                    "0?");
    const Ending overflow = ended_by(SIGSEGV, "transpose", R"({"array": "A", "past_end": true, "element": -5, "count": 3000000000})");
    EXPECT_EQ(overflow.reason, "crashed with SIGSEGV in transpose: it touched A[-5], as an int index would that has overflowed");
    EXPECT_EQ(overflow.topics, (std::set<Topic>{Topic::crash, Topic::bad_address}));
}
TEST(Child, ExplainsDivisionByZero) { expect_rejected(Misdeed::divide_by_zero, "crashed with SIGFPE in transpose"); }
TEST(Child, SurvivesClosedDescriptors) { expect_rejected(Misdeed::close_everything, "your code"); }
TEST(Child, SurvivesGarbageOnEveryDescriptor) { expect_rejected(Misdeed::write_everywhere, "no valid answer"); }
TEST(Child, SeesWritesPastTheEnd) { expect_rejected(Misdeed::write_past_the_end, "it touched the bytes directly past the end of out"); }
TEST(Child, SeesReadsPastTheEnd) { expect_rejected(Misdeed::read_past_the_end, "it touched the bytes directly past the end of in"); }
// As in a loop that starts at -1: it writes the very pattern that would show a write.
TEST(Child, SeesACopyOfOnePatternOverAnother) {
    expect_rejected(Misdeed::copy_from_before_to_before, "your code wrote before the start of out");
}

TEST(Child, SeesWritesBeforeTheStart) { expect_rejected(Misdeed::write_before_the_start, "your code wrote before the start of out"); }
TEST(Child, SeesAChangedInput) {
    expect_rejected(Misdeed::change_the_input, "your code changed its input in: inputs are for reading only\n  in[0] was");
}
TEST(Child, ExplainsExceptions) {
    expect_rejected(Misdeed::throw_something, "threw an exception during transpose\n  what(): thrown on purpose");
}
TEST(Child, ExplainsEndlessRecursion) {
    expect_rejected(Misdeed::endless_recursion, "crashed with SIGSEGV in transpose: the stack is full");
}
TEST(Child, DoesNotWaitForWhatIsLeftBehind) { expect_rejected(Misdeed::leave_a_child_behind, "your code called exit(3) during transpose"); }
TEST(Child, IsNotFooledByAPrintedPass) { EXPECT_EQ(problem_of(Misdeed::print_a_pass), ""); }

TEST(Child, KeepsTheFirstLineShortWhereMuchIsKnownOfAnAddress) {
    Finding finding;
    finding.kind = FindingKind::host_access;
    finding.headline = "your host code used the device pointer 0x10";
    finding.locations.push_back({});
    finding.locations[0].object = {ObjectKind::allocation, "P", 64, {}, {}, false, false, {}};
    const auto ending = ended_by(SIGSEGV, "transpose", nlohmann::json{{"finding", finding}}.dump());
    EXPECT_EQ(ending.reason, "crashed with SIGSEGV in transpose: your host code used the device pointer 0x10");
    EXPECT_EQ(ending.details, std::vector<std::string>{"inside P (64 bytes)"});
    EXPECT_EQ(ending.findings, std::vector<Finding>{finding});
    EXPECT_EQ(ending.topics, std::set<Topic>{Topic::crash});
    EXPECT_EQ(ended_by(SIGSEGV, "transpose", R"({"finding": {"kind": 3}})").reason, "crashed with SIGSEGV in transpose");
    EXPECT_EQ(ended_by(SIGSEGV, "transpose", "").reason, "crashed with SIGSEGV in transpose");
}

TEST(Child, StopsAnEndlessLoop) {
    const auto problem = problem_of(Misdeed::endless_loop, std::chrono::milliseconds(300));
    EXPECT_EQ(problem,
              "still running after 0.3 s of processor time during transpose\n  look for a loop whose condition never becomes false, or for "
              "steps that are far too slow or too many\n"
              "  the program ended there; later tests start it anew");
    EXPECT_EQ(problem_of(Misdeed::none), "");
}

TEST(Child, StopsWhatOnlyWaits) {
    const auto problem = problem_of(Misdeed::sleep_without_end, std::chrono::seconds(10), std::chrono::milliseconds(300));
    EXPECT_EQ(problem,
              "still waiting after 0.3 s during transpose\n  it sleeps, or waits for what never comes: a lock, a thread, an input?\n"
              "  the program ended there; later tests start it anew");
    EXPECT_EQ(problem_of(Misdeed::none), "");
}

// A separate process that computes forever, or sleeps, and holds that many bytes.
class Other {
public:
    explicit Other(bool computes, std::size_t bytes = 0) : pid_(::fork()) {
        const std::vector<char> held(pid_ == 0 ? bytes : 0, 'x');
        while (pid_ == 0) {
            if (!computes) {
                ::pause();
            }
        }
    }
    ~Other() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Other(const Other&) = delete;
    Other& operator=(const Other&) = delete;
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    pid_t pid_;
};

// Last result of look(), polled for so long.
Wait after(Patience& patience, std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    Wait last = Wait::goes_on;
    while (last == Wait::goes_on && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(Patience::between_looks);
        last = patience.look();
    }
    return last;
}

TEST(Patience, CountsProcessorTimeAndSleepApart) {
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    const Other computes(true);
    Patience short_of_time(computes.pid(), 0, {milliseconds(200), seconds(600)});
    EXPECT_EQ(after(short_of_time, seconds(60)), Wait::computes_too_long);
    Patience never_asleep(computes.pid(), 0, {seconds(600), milliseconds(100)});
    EXPECT_EQ(after(never_asleep, milliseconds(600)), Wait::goes_on);
    const Other sleeps(false);
    Patience asleep(sleeps.pid(), 0, {milliseconds(200), milliseconds(200)});
    EXPECT_EQ(after(asleep, seconds(60)), Wait::sleeps_too_long);
}

TEST(Patience, IsNotAsleepWhileItsDeviceWorks) {
    using std::chrono::milliseconds;
    const Other waits(false), device(true);
    Patience patience(waits.pid(), device.pid(), {milliseconds(200), milliseconds(100)});
    EXPECT_EQ(after(patience, milliseconds(600)), Wait::goes_on);
    Patience alone(waits.pid(), 0, {milliseconds(200), milliseconds(100)});
    EXPECT_EQ(after(alone, std::chrono::seconds(60)), Wait::sleeps_too_long);
}

TEST(Patience, CountsTheMemoryOfTheDeviceToo) {
    constexpr std::size_t mib = std::size_t{1} << 20;
    const Other waits(false), device(true, 512 * mib);
    Limits limits;
    limits.memory = 256 * mib;
    Patience patience(waits.pid(), device.pid(), limits);
    EXPECT_EQ(after(patience, std::chrono::seconds(60)), Wait::takes_too_much_memory);
    limits.memory = 1024 * mib;
    Patience with_more(waits.pid(), device.pid(), limits);
    EXPECT_EQ(after(with_more, std::chrono::milliseconds(300)), Wait::goes_on);
}

TEST(Child, StopsEndlessOutputAndKeepsLittleOfIt) {
    ::testing::internal::CaptureStdout();
    const auto problem = problem_of(Misdeed::print_without_end, std::chrono::seconds(60));
    const auto shown = ::testing::internal::GetCapturedStdout();
    EXPECT_NE(problem.find("your code prints more than 64 MiB during"), std::string::npos) << problem;
    EXPECT_LT(shown.size(), 3 * (CappedText::max_head + CappedText::max_tail));
    EXPECT_NE(shown.find("bytes more"), std::string::npos);
}

TEST(Child, KeepsWhatWasPrintedBeforeACrashInOrder) {
    ::testing::internal::CaptureStdout();
    const auto problem = problem_of(Misdeed::print_and_crash);
    const auto shown = ::testing::internal::GetCapturedStdout();
    EXPECT_NE(problem.find("crashed with SIGSEGV"), std::string::npos) << problem;
    EXPECT_EQ(shown, "  your code> to stdout\n  your code> to stderr\n  your code> to stdout again\n");
}

TEST(Child, ExplainsAnExitBeforeMain) {
    const Child child(options().reference, "emulator");  // CMakeLists.txt gives exits_early as the reference
    EXPECT_NE(child.start_failure().find("your code called exit(0) before any of your functions was called"), std::string::npos)
        << child.start_failure();
    EXPECT_FALSE(child.alive());
}

TEST(Child, SaysWhichProgramCannotBeStarted) {
    const Child child("/nowhere/at/all", "emulator");
    EXPECT_NE(child.start_failure().find("/nowhere/at/all can't be started"), std::string::npos) << child.start_failure();
}

TEST(Child, SavesInputsForReplay) {
    const auto folder = std::filesystem::temp_directory_path() / "lab-grading-test-inputs";
    std::filesystem::remove_all(folder);
    options().save_inputs = folder.string();
    EXPECT_EQ(problem_of(Misdeed::none), "");
    options().save_inputs.clear();
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        ++files;
        const auto command = options().runner + " --replay '" + entry.path().string() + "' > " + (folder / "said.txt").string();
        EXPECT_EQ(std::system(command.c_str()), 0);
    }
    EXPECT_EQ(files, 1U);
    std::ifstream said(folder / "said.txt");
    const std::string text((std::istreambuf_iterator<char>(said)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("calling transpose"), std::string::npos) << text;
    EXPECT_NE(text.find("\"status\": 0"), std::string::npos) << text;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lab::grading
