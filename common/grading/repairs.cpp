#include "common/grading/repairs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/diagnosis/repair/search.h"
#include "common/grading/findings.h"
#include "common/grading/options.h"
#include "common/grading/reference_difference.h"
#include "common/grading/workshop.h"
#include "common/process/subprocess.h"

namespace lab::grading {
namespace {

template <typename T>
bool is_right(const std::vector<std::byte>& got, const Goal& goal) {
    if (got.size() != goal.values.size()) return false;
    for (std::size_t at = 0; at < got.size(); at += sizeof(T)) {
        T value{}, wanted{}, bound{};
        std::memcpy(&value, &got[at], sizeof value);
        std::memcpy(&wanted, &goal.values[at], sizeof wanted);
        std::memcpy(&bound, &goal.bounds[at], sizeof bound);
        if (!(std::abs(value - wanted) <= bound)) return false;  // false for a NaN
    }
    return true;
}

bool is_in_trial = false;

// Whether the output of an edited copy's call is right, and so are its counts where they are judged.
bool reaches(const Goal& goal, const std::vector<std::byte>& output, const Result& result) {
    if (result.status != 0 || !result.findings.empty()) return false;
    if (!(goal.is_double ? is_right<double>(output, goal) : is_right<float>(output, goal))) return false;
    if (!goal.judge_counts) return true;
    if (result.launches.empty()) return false;
    is_in_trial = true;
    const bool is_met = goal.judge_counts(result).empty();
    is_in_trial = false;
    return is_met;
}

// A call, made again in a program of its own, whose device then repeats it with other kernels.
class Rehearsal {
public:
    Rehearsal(Call call, Goal goal, std::uint64_t instructions)
        : call_(std::move(call)), goal_(std::move(goal)), program_(student().another()) {
        // An edit may make a loop endless. A launch that a fault ended has counted nothing.
        constexpr std::uint64_t least = 200'000, unknown = 1'000'000;
        call_.backend().max_instructions = instructions == 0 ? unknown : 20 * instructions + least;
        // A fault would end the call before its last launch.
        call_.backend().skips_kernels = true;
        can_run_ = call_.run(program_).problem.empty();
    }
    [[nodiscard]] bool is_right_with(const std::string& ptx) {
        try {
            std::vector<std::byte> output;
            trace::Answer answer = program_.replay(ptx, &output, {goal_.values, goal_.bounds});
            Result result;
            result.status = answer.status;
            static_cast<trace::CallTrace&>(result) = std::move(answer.report);
            return reaches(goal_, output, result);
        } catch (const DeviceFailure&) {
            return false;
        }
    }
    [[nodiscard]] bool can_run() const { return can_run_; }
    [[nodiscard]] double seconds() { return program_.device_seconds(); }

private:
    Call call_;
    Goal goal_;
    Program program_;
    bool can_run_ = false;
};

// A call of a function of the host, made again with edited copies of it.
class HostRehearsal {
public:
    HostRehearsal(Call call, Goal goal) : call_(std::move(call)), goal_(std::move(goal)) {
        // An edit may make a loop endless; a machine that others use lets a program wait.
        const bool is_small = std::ranges::all_of(call_.arrays(), [](const runner::BufferSpec& array) { return array.count <= 20'000; });
        call_.limit(std::chrono::milliseconds(is_small ? 100 : 500)).limit_sleep(std::chrono::seconds(3));
    }
    // `copy`: as Variants::alone() has it.
    [[nodiscard]] bool is_right_with(const std::string& copy) {
        const std::size_t blank = copy.rfind(' ');
        const std::string path = copy.substr(0, blank);
        call_.integer("edit", std::atoi(copy.c_str() + blank + 1));
        const auto [used, is_new] = programs_.try_emplace(path, student().another(path));
        if (!is_right_in(used->second)) return false;
        // An earlier copy may have left something to the next one, in constant memory for instance.
        Program other = student().another(path);
        return is_new || is_right_in(other);
    }

private:
    bool is_right_in(Program& program) {
        const Result result = call_.run(program);
        if (!result.problem.empty()) return false;
        const std::string& output = std::ranges::find_if(call_.arrays(), &runner::BufferSpec::output)->name;
        return reaches(goal_, result.output<std::byte>(output), result);
    }

    Call call_;
    Goal goal_;
    std::map<std::string, Program> programs_;
};

// Whether a copy of the subject makes a call right.
using IsRightWith = std::function<bool(const std::string&)>;

// That of one call, and the device's time for it so far.
struct Trial {
    IsRightWith is_right_with;
    std::function<double()> seconds;
};

// The search for one function, whichever of its instances failed.
struct Found {
    std::string test;         // in which it failed
    std::string kernel;       // mangled; or the host's function
    bool is_by_host = false;  // that, or the one that launches the kernel, was edited
    repair::Search search;
    bool is_of_counts = false;           // its values were right, its counts wrong
    diagnosis::Difference difference{};  // from the reference solution, where repairs tell nothing
    bool is_compared = false;            // with it
    std::vector<IsRightWith> former{};   // calls of a kernel for which a repair was searched
    bool is_given_up = false;            // the mistake is known to be elsewhere
    int searches = 0;
    int later_calls = 0;  // those that the repairs were tried on later
};
std::map<std::string, Found> found;
double spent = 0;  // by all searches
// Warp instructions of a call that takes the time of many small ones, from which as much can be learnt.
constexpr std::uint64_t large_call = 2'000'000;

nlohmann::json to_json(const repair::Edit& edit, const std::string& source) {
    const std::string whole = repair::edited(source, edit);
    const std::size_t begin = source.rfind('\n', edit.replacements.front().begin) + 1;
    const auto line_at = [&](const std::string& text) { return text.substr(begin, text.find('\n', begin) - begin); };
    const repair::Replacement& first = edit.replacements.front();
    return {{"text", source.substr(first.begin, first.end - first.begin)},
            {"line", edit.line},
            {"kind", edit.kind},
            {"phrase", edit.phrase},
            {"from", line_at(source)},
            {"to", line_at(whole)}};
}

// Whether a call is of a function of the host's: lab 1's, and those that copy arrays to the device themselves.
bool is_by_host(const Call& call) {
    return student().backend() == "host" || std::ranges::none_of(call.arrays(), &runner::BufferSpec::on_device);
}

// The kernel or function that a search for the cause of a wrong call edits, as repair::KernelName has it; "" if it could be several.
std::string subject_of(const Call& call, const Result& result) {
    if (is_by_host(call)) {
        // Its kernels have been judged before it; a wrong one explains this call as well.
        const bool has_wrong_kernel = std::ranges::any_of(
            result.launches, [](const trace::Launch& one) { return found.contains(repair::KernelName{one.mangled}.function()); });
        return has_wrong_kernel ? "" : call.function();
    }
    if (result.launches.empty()) return "";
    const std::string& kernel = result.launches.front().mangled;
    // Mistakes of the host's code are not the kernel's, even where an edit of the kernel would make up for them.
    const bool is_one = std::ranges::all_of(result.launches, [&](const trace::Launch& one) { return one.mangled == kernel; }) &&
                        std::ranges::all_of(call.arrays(), &runner::BufferSpec::on_device);
    return is_one ? kernel : "";
}

std::optional<Trial> trial_of(const Call& call, const Goal& goal, std::uint64_t instructions, bool is_by_host) {
    if (is_by_host) {
        const auto again = std::make_shared<HostRehearsal>(call, goal);
        return Trial{[again](const std::string& copy) { return again->is_right_with(copy); }, [] { return 0.0; }};
    }
    const auto again = std::make_shared<Rehearsal>(call, goal, instructions);
    if (!again->can_run()) return {};
    return Trial{[again](const std::string& ptx) { return again->is_right_with(ptx); }, [again] { return again->seconds(); }};
}

// The trial of a kernel's copies in the other order of blocks and warps, made for the first copy that is right in the given one.
IsRightWith trial_in_other_order(Call call, const Goal& goal, std::uint64_t instructions) {
    emulator::Order& order = call.backend().order;
    order = order == emulator::Order::forward ? emulator::Order::reversed : emulator::Order::forward;
    const auto trial = std::make_shared<std::optional<Trial>>();
    return [=](const std::string& ptx) {
        if (!*trial) *trial = trial_of(call, goal, instructions, false);
        return *trial && (*trial)->is_right_with(ptx);
    };
}

// Where the failure of a kernel's call shows, and what its launch tells.
struct Evidence {
    std::vector<unsigned> lines;
    std::vector<std::string> trivial;  // as repair::Means has it
};

// `share`: of the limit of a search; `also`: further calls that a repair has to make right.
repair::Search searched(const repair::KernelName& subject, const Trial& trial, double share, const std::vector<IsRightWith>& also = {},
                        Evidence evidence = {}) {
    const auto start = std::chrono::steady_clock::now();
    const auto spent_by_now = [&] { return process::seconds_of_children() + trial.seconds(); };
    const double before = spent_by_now();
    repair::Means means;
    means.compile = [&](const std::string& unit, std::size_t thread) { return workshop()->compiled(unit, subject.is_kernel(), thread); };
    means.threads = workshop()->folders.size();
    means.calls.emplace_back(trial.is_right_with);
    means.calls.insert(means.calls.end(), also.begin(), also.end());
    // A compiler that was ended, or waits, is not seen by its processor time, nor is a program that makes calls of the host's functions.
    means.seconds = [&] {
        const double times_slower = subject.is_kernel() ? 3 : 1.5;
        const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::max(spent_by_now() - before, waited / times_slower);
    };
    means.lines = std::move(evidence.lines);
    means.trivial = std::move(evidence.trivial);
    means.limit = std::min(share * workshop()->limit, 2 * workshop()->limit - spent);
    repair::Search search = repair::find_repairs(workshop()->source_text(), subject, means);
    spent += search.seconds;
    return search;
}

void compare_with_reference(const Call& call, const Expected& expected, Found* made) {
    made->is_compared = true;
    // Threads of a warp can hand registers to each other.
    const std::string source = workshop()->source_text();
    const auto has = [&](const char* word) { return source.find(word) != std::string::npos; };
    const bool hands_on = has("shfl") || has("reduce.h") || has("scan.h") || has("mma.h") || has("asm");
    made->difference = difference_from_reference(call, expected, !hands_on);
}

// The lines of the student's file where a wrong call's failure shows: where a fault stopped it, where two threads write one element, or
// where it departs from the reference's. What reads too early, or what nobody wrote, has its cause elsewhere.
std::vector<unsigned> lines_of_failure(const Call& call, const Result& result, const Goal& goal, Found* made) {
    std::vector<unsigned> lines;
    const std::string file = workshop()->source.filename().string();
    for (const Finding& finding : result.findings) {
        const bool is_at_cause = finding.stops || (finding.kind == FindingKind::race && finding.space == MemorySpace::global);
        for (const Place& place : finding.places) {
            if (is_at_cause && place.source.is_known() && place.source.file == file) lines.push_back(place.source.line);
        }
    }
    if (!lines.empty() || goal.expected == nullptr) return lines;
    compare_with_reference(call, *goal.expected, made);
    const auto& [first, text, last] = made->difference;
    for (unsigned line = first; line != 0 && line <= std::max(first, last); ++line) lines.push_back(line);
    return lines;
}

std::vector<std::string> trivial_in(const trace::Launch& launch) {
    if (launch.block.y != 1 || launch.grid.y != 1) return {};
    return {"threadIdx.y", "blockIdx.y", "blockDim.y", "gridDim.y"};
}

std::string name_of_test() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    return test == nullptr ? "" : fmt::format("{}.{}", test->test_suite_name(), test->name());
}

}  // namespace

bool is_trial() { return is_in_trial; }

bool can_teach(const Call& call, const Result& result, bool doubts, bool is_of_counts) {
    if (!workshop() || is_on_gpu()) return false;
    const std::string subject = subject_of(call, result);
    if (subject.empty()) return false;
    const auto known = found.find(repair::KernelName{subject}.function());
    if (known != found.end() && known->second.is_given_up) return false;
    if (known == found.end()) return !doubts && spent < 2 * workshop()->limit;
    const Found& made = known->second;
    if (made.kernel != subject || made.search.repairs.empty()) return false;
    constexpr int enough = 12;
    return is_of_counts ? doubts || made.is_of_counts : made.later_calls < enough;
}

void learn_from(const Call& call, const Result& result, const Goal& goal, bool doubts) {
    // Values suffice where a function is right.
    constexpr std::size_t large_output = 20'000 * sizeof(float);
    if (std::ranges::count_if(call.arrays(), &runner::BufferSpec::output) != 1) return;
    const bool has_crashed = result.problem.subject == Topic::crash;
    if (!result.problem.empty() && !(has_crashed && is_by_host(call))) return;
    // A launch of an impossible grid or block, or of another stream, says all itself, and edits avoid it in many ways. A wrong call of the
    // runtime is not the kernel's mistake.
    const auto says_all = [&](const Finding& one) {
        return one.error == cuda_error_invalid_configuration || one.kind == FindingKind::stream_race ||
               (one.is_mistake && !one.call.empty() && !is_by_host(call));
    };
    if (std::ranges::any_of(result.findings, says_all)) return;
    // A launch that a fault ended has counted nothing, nor has the host: the call's size follows from its arrays'.
    const std::uint64_t instructions = counters_of(result).warp_instructions;
    const std::size_t large_array = instructions == 0 && !is_by_host(call) ? 20'000 : 1'000'000;  // elements
    if (std::ranges::any_of(call.arrays(), [&](const runner::BufferSpec& array) { return array.count > large_array; })) return;
    if (instructions > large_call || (instructions == 0 && goal.values.size() > large_output)) return;
    const std::string subject = subject_of(call, result), function = repair::KernelName{subject}.function();
    const auto known = found.find(function);
    // The kernel is right where a change of its launch has helped.
    const bool is_of_launch = known != found.end() && known->second.is_by_host && !is_by_host(call);
    if (known != found.end()) {
        ++known->second.later_calls;
        const std::optional<Trial> trial = trial_of(call, goal, instructions, known->second.is_by_host);
        if (!trial) return;
        std::erase_if(known->second.search.repairs, [&](const repair::Repair& repair) { return !trial->is_right_with(repair.ptx); });
        // What was right by chance, at a square for instance, ended the search: it begins again, for this call and the former ones.
        constexpr int max_searches = 3;
        const bool may_begin_again = !doubts && known->second.searches < max_searches && spent < 2 * workshop()->limit;
        if (!may_begin_again || !known->second.search.repairs.empty()) return;
    }
    const std::string source = workshop()->source_text();
    if (!repair::is_written(source, repair::KernelName{subject})) return;
    // A kernel that is launched in the place of the one asked for, which the file has, too.
    const repair::KernelName asked{fmt::format("_Z{}{}v", call.function().size(), call.function())};
    if (!is_by_host(call) && function != call.function() && repair::is_written(source, asked)) return;
    std::optional<Trial> trial = trial_of(call, goal, instructions, is_by_host(call));
    if (!trial) return;
    Found& made = found.try_emplace(function, Found{name_of_test(), subject, false, {}}).first->second;
    std::vector<IsRightWith> also = made.former;
    if (!is_by_host(call)) also.push_back(trial_in_other_order(call, goal, instructions));
    // A device keeps a call's inputs; those of a program's call, and what a test judges counts by, end with the call.
    if (!is_by_host(call) && !goal.judge_counts) made.former.push_back(trial->is_right_with);
    ++made.searches;
    made.is_by_host = is_by_host(call);
    made.is_of_counts = goal.judge_counts != nullptr;
    const std::string launcher = made.is_by_host ? "" : repair::launcher_of(source, function);
    // A function that launches a kernel several times computes more than one that launches it once.
    const double of_kernel = is_of_launch ? 0 : launcher.empty() ? 1 : result.launches.size() == 1 ? 0.7 : 0.5;
    Evidence evidence;
    if (!made.is_by_host) evidence = {lines_of_failure(call, result, goal, &made), trivial_in(result.launches.front())};
    if (of_kernel > 0) made.search = searched(repair::KernelName{subject}, *trial, of_kernel, also, std::move(evidence));
    if (!made.search.repairs.empty() || launcher.empty() || spent >= 2 * workshop()->limit) return;
    // The kernel may be right, and launched in a wrong way.
    trial = trial_of(call, goal, instructions, true);
    made.search = searched(repair::KernelName{launcher}, *trial, 1 - of_kernel);
    made.is_by_host = !made.search.repairs.empty();
}

void give_up_search(const std::string& mangled) {
    Found& made = found[repair::KernelName{mangled}.function()];
    made.is_given_up = true;
    made.search = {};
}

void learn_difference(const Call& call, const Result& result, const Expected& expected) {
    if (is_by_host(call) || !result.problem.empty() || counters_of(result).warp_instructions > large_call) return;
    const auto known = found.find(repair::KernelName{subject_of(call, result)}.function());
    if (known == found.end()) return;
    Found& made = known->second;
    if (made.test != name_of_test() || !repair::told(made.search.repairs).empty() || made.is_compared) return;
    compare_with_reference(call, expected, &made);
}

void RepairsAtTheEnd::TearDown() {
    nlohmann::json all = nlohmann::json::object();
    const std::string source = workshop() ? workshop()->source_text() : "";
    for (const auto& [function, made] : found) {
        if (made.search.tried == 0 && made.difference.text.empty()) continue;
        nlohmann::json edits = nlohmann::json::array();
        for (const repair::Repair& repair : made.search.repairs) edits.push_back(to_json(repair.edit, source));
        const std::string told = repair::told(made.search.repairs);
        all[made.test] = {{"told", told.empty() ? made.difference.text : told},
                          {"edits", edits},
                          {"seconds", made.search.seconds},
                          {"tried", made.search.tried},
                          {"is_over_limit", made.search.is_over_limit}};
    }
    found.clear();
    spent = 0;
    if (!all.empty()) ::testing::Test::RecordProperty("repairs", all.dump());
}

}  // namespace lab::grading
