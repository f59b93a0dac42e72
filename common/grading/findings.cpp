#include "common/grading/findings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "common/diagnosis/message.h"
#include "common/findings/finding_text.h"
#include "common/grading/options.h"

namespace lab::grading {
namespace {

// Findings that don't end a launch, the most informative first: a missing barrier causes uninitialised reads as well. API misuse comes in
// causal order.
constexpr std::array telling{FindingKind::race,
                             FindingKind::host_race,
                             FindingKind::stream_race,
                             FindingKind::absent_lanes,
                             FindingKind::uninitialised_read,
                             FindingKind::read_too_soon,
                             FindingKind::pointer_exchanged,
                             FindingKind::wrong_copy_direction,
                             FindingKind::wrong_copy_size,
                             FindingKind::use_after_free,
                             FindingKind::double_free,
                             FindingKind::wrong_free,
                             FindingKind::unchecked_launch_error};

// All findings after which the program continued, in order.
std::vector<Message> all_findings(const Result& result) {
    std::vector<Message> all;
    for (const Finding& found : result.findings) {
        if (!found.stops) {
            all.push_back(message_of(found));
        }
    }
    return all;
}

// The first finding of a kind that didn't end a launch; or null.
const Finding* first_of(const Result& result, FindingKind kind) {
    const auto found =
        std::find_if(result.findings.begin(), result.findings.end(), [kind](const Finding& one) { return one.kind == kind && !one.stops; });
    return found == result.findings.end() ? nullptr : &*found;
}

// Names of kinds as in the findings' headlines.
std::string_view in_plain_words(FindingKind kind) {
    return kind == FindingKind::uninitialised_read ? "read of what was never written" : name_of(kind);
}

std::string short_place(const Finding& finding) {
    const std::string place = finding.places.empty() ? "" : to_text(finding.places[0].source);
    return place.empty() ? "" : " at " + place;
}

}  // namespace

Message finding(const Result& result, FindingKind kind) {
    const auto found =
        std::find_if(result.findings.begin(), result.findings.end(), [kind](const Finding& one) { return one.kind == kind; });
    return found == result.findings.end() ? Message() : message_of(*found);
}

Message leading_finding(const Result& result) {
    Message first;
    std::string others;
    for (const FindingKind kind : telling) {
        const Finding* const found = first_of(result, kind);
        if (found == nullptr) {
            continue;
        }
        if (first.empty()) {
            first = message_of(*found);
        } else {
            others += fmt::format("{}{}{}", others.empty() ? "also found: " : ", ", in_plain_words(kind), short_place(*found));
            first.take_topics(message_of(*found));
        }
    }
    const Finding* const leaked = first_of(result, FindingKind::leak);
    if (first.kind == topic_of(FindingKind::double_free) && leaked != nullptr && leaked->line() != 0) {
        first.what += fmt::format(", and what line {} allocates never", leaked->line());
    }
    return first.with(others);
}

Message judge_right(const Result& result, const Shape& shape, Care care) {
    if (Message found = care == Care::everything ? leading_finding(result) : Message(); !found.empty()) {
        return found;
    }
    const auto elsewhere = result.elsewhere.find(shape.name);
    if (elsewhere == result.elsewhere.end()) {
        return {};
    }
    const auto others = static_cast<std::int64_t>(elsewhere->second.count) - 1;
    const std::string& call = elsewhere->second.call;
    const std::string elements =
        place(shape, elsewhere->second.first) + (others > 0 ? " and " + counted(others, "other element", "other elements") : "");
    return Message(fmt::format("{} was not computed on the device: a kernel has to store each of its elements", shape.name),
                   {call.empty() ? fmt::format("no kernel stored the value of {}", elements)
                                 : fmt::format("{} copied {} there", call, elements),
                    fmt::format("seen: {}, {}", counted(result.api.launches, "launch", "launches"),
                                counted(result.api.copies, "copy", "copies"))})
        .on(Section::task);
}

Message leak(const Result& result) {
    const Finding* const found = first_of(result, FindingKind::leak);
    return found == nullptr ? Message() : message_of(*found);
}

Launched launched_in(const Result& result) {
    if (result.launches.size() != 1) {
        return {};
    }
    const trace::Launch& launch = result.launches[0];
    const Finding* const race = first_of(result, FindingKind::race);
    return {launch.grid.x,
            launch.grid.y,
            launch.block.x,
            launch.block.y,
            launch.counters.global_store.bytes / sizeof(float),
            result.api.copies_to_host > 0,
            false,
            race != nullptr && race->space == MemorySpace::shared};
}

Message explained_by(const Message& found, const Message& wrong) {
    if (wrong.proof >= Proof::several && wrong.proof > found.proof) {
        Message whole = wrong.with("what follows from it: " + found.what);
        whole.where.insert(whole.where.end(), found.where.begin(), found.where.end());
        whole.take_topics(found);
        whole.kind = found.kind;
        return whole;
    }
    // Adds extent, one example and the map of wrong elements. Guesses from values and pattern are dropped, since the cause is known.
    const bool guesses = !wrong.evidence.empty() && wrong.evidence.front().kind == Line::Kind::count;
    Message whole = guesses ? found : found.with(wrong.what);
    whole.take_topics(wrong);
    const auto is_map = [](const Line& line) { return line.kind == Line::Kind::map; };
    const auto map = std::find_if(wrong.evidence.begin(), wrong.evidence.end(), is_map);
    const auto examples = std::min<std::ptrdiff_t>(guesses ? 2 : 1, map - wrong.evidence.begin());
    whole.evidence.insert(whole.evidence.end(), wrong.evidence.begin(), wrong.evidence.begin() + examples);
    std::copy_if(map, wrong.evidence.end(), std::back_inserter(whole.evidence), is_map);
    return whole;
}

Message explained_by_exits(const Result& result, Message wrong) {
    const bool is_open = wrong.proof == Proof::none && (wrong.kind == Topic::none || wrong.kind == Topic::uninitialised_read);
    std::int64_t exited = 0;
    for (const trace::Launch& launch : result.launches) {
        exited += static_cast<std::int64_t>(launch.counters.exited_at_barriers);
    }
    if (wrong.empty() || !is_open || exited == 0) {
        return wrong;
    }
    wrong.subject = Topic::none;
    return wrong.led_by(
        "threads return before a __syncthreads() at which others of their block wait: is what they should load or store missing?",
        "threads_exited");
}

bool may_depend_on_past_calls(const Message& wrong) {
    static const testing::TestInfo* asked_in = nullptr;
    static std::uint64_t asked_with = 0;
    const testing::TestInfo* const running = testing::UnitTest::GetInstance()->current_test_info();
    const bool is_asked = running == asked_in && options().seed == asked_with;  // each repetition of a test has a seed of its own
    // On a GPU, where nothing orders threads, a race gives one result now and another one then.
    const bool is_repeatable = !is_on_gpu();
    const bool says_it = wrong.kind == Topic::hang || wrong.kind == Topic::endless || wrong.kind == Topic::undecided ||
                         wrong.kind == Topic::not_started || wrong.kind == Topic::nothing_written || wrong.kind == Topic::race ||
                         wrong.topics.count(Topic::kept_between_calls) != 0;
    if (is_asked || !is_repeatable || says_it || student().calls() < 2) {
        return false;
    }
    asked_in = running;
    asked_with = options().seed;
    return true;
}

Message from_past_calls(const Shape& shape, Message wrong) {
    wrong = wrong.led_by(
        fmt::format("{} is right in a program that makes only this call, but not after earlier calls: is a static or global variable "
                    "kept from one to the next, or a local one used before it is set?",
                    shape.name),
        "kept_between_calls");
    wrong.proof = Proof::index;
    wrong.topics.insert(Topic::kept_between_calls);
    wrong.kind = Topic::none;
    wrong.subject = Topic::none;
    return wrong;
}

Message stopped(const Result& result) {
    if (!result.problem.empty()) {
        return result.problem;
    }
    for (const Finding& found : result.findings) {
        if (found.stops) {
            return message_of(found);
        }
    }
    if (result.status == 0) {
        return {};
    }
    const std::string returned = "the error that came back: " + result.status_text;
    const std::vector<Message> failed = all_findings(result);
    // Status of a stub's function. The runtime itself may return it, too, but then a call has failed.
    if (result.status == cuda_error_not_supported && failed.empty()) {
        Message message = Message("your function is not written yet: it still returns cudaErrorNotSupported, as shipped").on(Section::task);
        message.kind = Topic::not_started;
        return message;
    }
    const auto names_it = [&](const Message& one) { return one.findings.front().error == result.status; };
    if (const Message cause = leading_finding(result); !cause.empty()) {
        return names_it(cause) ? cause : cause.with(returned);
    }
    const auto first = std::find_if(failed.begin(), failed.end(), names_it);
    if (first != failed.end()) {
        return *first;
    }
    Message message(failed.empty() && result.api.failed_calls == 0 ? returned + ", although no call of the runtime had failed" : returned);
    for (const auto& other : failed) {
        message.where.insert(message.where.end(), other.where.begin(), other.where.end());
        message = message.with(other.what);
        message.evidence.insert(message.evidence.end(), other.evidence.begin(), other.evidence.end());
        message.take_topics(other);
    }
    return message;
}

std::string kind_of_times(const Result& result) {
    return (result.backend == "emulator" ? "modelled for " : "measured on ") + result.device;
}

Counters counters_of(const Result& result) {
    Counters sum;
    for (const trace::Launch& launch : result.launches) {
        sum += launch.counters;
    }
    return sum;
}

double count(const Result& result, Access access, std::uint64_t MemoryCounts::*counted) {
    return static_cast<double>(counters_of(result).*access.*counted);
}

std::string larger_count(const Result& own, const Result& other) {
    struct Count {
        double here, there;
        const char* words;
        bool is_global = false;
    };
    const Counters one = counters_of(own);
    const Counters two = counters_of(other);
    const auto both = [&](const auto& of, const char* words, bool is_global = false) {
        return Count{static_cast<double>(of(one)), static_cast<double>(of(two)), words, is_global};
    };
    const std::array counts{
        both([](const Counters& of) { return of.global_load.sectors; }, "sectors loaded from global memory", true),
        both([](const Counters& of) { return of.global_store.sectors; }, "sectors stored to global memory", true),
        both([](const Counters& of) { return of.sass_instructions; }, "instructions"),
        both([](const Counters& of) { return of.slowest.dependent_q6; }, "instructions of its slowest warps"),
        both([](const Counters& of) { return of.slowest.global_waits_q4; }, "waits of its slowest warps for global memory"),
        both([](const Counters& of) { return of.shared_load.wavefronts; }, "wavefronts of loads from shared memory"),
        both([](const Counters& of) { return of.shared_store.wavefronts; }, "wavefronts of stores to shared memory")};
    constexpr double least = 1.1;
    // Sectors of global memory cost the most: if they exceed by this factor, other counts follow from the same mistake or matter less.
    constexpr double decisive = 1.5;
    double largest = least;
    std::string text;
    for (const Count& count : counts) {
        if (count.there > 0 && count.here > largest * count.there) {
            largest = count.here / count.there;
            text = fmt::format("{:.{}f} times as many {}", largest, largest < 10 ? 1 : 0, count.words);
        }
        if (count.is_global && largest >= decisive) {
            return text;
        }
    }
    return text;
}

double sectors_per_request(const Result& result, Access access) {
    const double requests = count(result, access, &MemoryCounts::requests);
    return requests == 0 ? 0 : count(result, access, &MemoryCounts::sectors) / requests;
}

std::string counted(std::int64_t count, const char* one, const char* many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

}  // namespace lab::grading
