#include "common/grading/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "common/runner/request.h"

namespace lab::grading {
namespace {

using Json = nlohmann::json;

// What lets a launch go on, the one that explains most first: a missing barrier makes reads of what nobody wrote yet as well.
// API misuse comes in the order in which one mistake causes another.
constexpr std::array telling{"race",          "host race",         "stream race",           "absent lanes",    "uninitialised read",
                             "read too soon", "pointer exchanged", "wrong copy direction",  "wrong copy size", "use after free",
                             "double free",   "wrong free",        "unchecked launch error"};

const Json& list(const Result& result, const char* name) {
    static const Json none = Json::array();
    const auto found = result.report.find(name);
    return found == result.report.end() ? none : *found;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Source files without their folders: they differ from one machine to the next, and a lab has one file.
std::string without_folder(std::string text, const std::string& path) {
    const std::size_t folder = path.size() - base_name(path).size();
    for (std::size_t at = 0; folder != 0 && (at = text.find(path, at)) != std::string::npos;) {
        text.erase(at, folder);
    }
    return text;
}

// "in kernel k<16>(float*, int), block (0,0,0)" without what is in the kernel's own parentheses.
std::string without_parameters(const std::string& kernel) {
    const auto end = std::min(kernel.find(", block ("), kernel.size());
    const auto open = kernel.find('(');
    return open < end && kernel[end - 1] == ')' ? kernel.substr(0, open) + kernel.substr(end) : kernel;
}

// "N (1156 bytes)" for "a 1156-byte allocation made at ...": where the runner allocates an array is no place for a student to look at.
std::string with_names_of_arrays(std::string text) {
    const std::string made_at = fmt::format("-byte allocation made at {}", runner::array_place);
    const std::string_view digits = "0123456789";
    for (std::size_t at = 0; (at = text.find(made_at, at)) != std::string::npos;) {
        const std::size_t size = text.find_last_not_of(digits, at - 1) + 1;
        const std::size_t begin = text.rfind('a', size - 1);  // of "a" or "an"
        const std::size_t name = at + made_at.size();
        const std::size_t colon = text.find(':', name);
        if (begin == std::string::npos || colon == std::string::npos) break;  // not a text of ours
        const std::size_t end = std::min(text.find_first_not_of(digits, colon + 1), text.size());
        const std::string shown = fmt::format("{} ({} bytes)", text.substr(name, colon - name), text.substr(size, at - size));
        text.replace(begin, end - begin, shown);
        at = begin + shown.size();
    }
    return text;
}

// The number before `unit` in a text: 64 in "64 bytes past the end".
std::size_t number_before(const std::string& text, std::size_t unit) {
    const std::size_t end = text.find_last_of("0123456789", unit);
    const std::size_t start = end == std::string::npos ? end : text.find_last_not_of("0123456789", end) + 1;
    return end == std::string::npos ? 0 : std::stoul(text.substr(start, end + 1 - start));
}

// "N[256], N has 256 elements" of "address 0x...: directly past the end of N (1024 bytes)"; "" of other lines.
std::string element_outside(const std::string& line, std::size_t size) {
    const std::string past = " past the end of ";
    const std::size_t at = line.find(past);
    const std::size_t open = line.find(" (", at);
    if (line.rfind("address ", 0) != 0 || at == std::string::npos || open == std::string::npos ||
        line.find(" bytes)", open) == std::string::npos) {
        return "";
    }
    const std::string name = line.substr(at + past.size(), open - at - past.size());
    const std::size_t bytes = number_before(line, line.find(" bytes)", open));
    const std::size_t beyond = line.compare(at - 8, 8, "directly") == 0 ? 0 : number_before(line, at);
    return name.find(' ') != std::string::npos
               ? ""
               : fmt::format("{}[{}], but {} has {} elements", name, (bytes + beyond) / size, name, bytes / size);
}

// "M_tile" of "bytes 64 to 67 of M_tile in shared memory: no thread ..."; "" of other lines.
std::string element_unwritten(const std::string& line, std::size_t size) {
    const std::size_t to = line.find(" to ");
    const std::size_t of = line.find(" of ");
    const std::size_t in = line.find(" in shared memory:");
    return line.rfind("bytes ", 0) == 0 && to < of && of < in && in != std::string::npos
               ? fmt::format("element {} of {}", number_before(line, to) / size, line.substr(of + 4, in - of - 4))
               : "";
}

// The headline of an access, with the element that it is about where a line of its evidence tells.
void name_element(Message* message) {
    const std::size_t size = message->what.find("-byte ") < 3 ? number_before(message->what, message->what.find("-byte ")) : 0;
    for (const std::string& line : message->evidence) {
        std::string element;
        const std::string shared = "past the end of the block's ";
        if (const std::size_t at = line.find(shared); at != std::string::npos && message->kind == "out of bounds") {
            element = "the block has " + line.substr(at + shared.size());
        } else if (size > 0 && message->kind == "out of bounds") {
            element = element_outside(line, size);
        } else if (size > 0 && message->kind == "uninitialised read") {
            element = element_unwritten(line, size);
        }
        if (!element.empty()) {
            message->what += ": " + element;
            return;
        }
    }
    // Two writes at one line have one index: what differs between the threads is missing in it.
    const std::string two = ", by two threads";
    const auto writes = std::count_if(message->evidence.begin(), message->evidence.end(),
                                      [](const std::string& line) { return line.rfind("write by ", 0) == 0; });
    if (const std::size_t at = message->what.find(two); message->kind == "race" && at != std::string::npos && writes == 2) {
        message->what.replace(at, two.size(), ": two threads write the same element");
    }
}

bool stops(const Json& fault) { return fault.value("stops", fault.value("kind", "") != "race"); }

// A fault's text: headline, "at FILE:LINE in kernel K" (for a race "in kernel K, block B"), evidence.
Message from_fault(const Json& fault) {
    const std::string file = fault.value("file", "");
    Message message = from_text(with_names_of_arrays(without_folder(fault.value("text", fault.value("headline", "")), file)));
    message.kind = fault.value("kind", "");
    std::string kernel;
    if (!message.evidence.empty()) {
        const std::string& first = message.evidence.front();
        if (const auto in = first.find("in kernel "); in != std::string::npos && (in == 0 || first.rfind("at ", 0) == 0)) {
            kernel = " " + without_parameters(first.substr(in));
            message.evidence.erase(message.evidence.begin());
        }
    }
    name_element(&message);
    if (const int line = fault.value("line", 0); line != 0) {
        const int other = fault.value("other_line", 0);
        if (message.what.rfind("race in shared memory", 0) == 0 && other != 0 && other != line) {
            message.what += ": is a __syncthreads() missing between them?";
        }
        const std::string also = other != 0 && other != line ? fmt::format(" and line {}", other) : "";
        message.where.push_back(fmt::format("{}:{}{}{}", base_name(file), line, also, kernel));
    } else if (!kernel.empty()) {
        message.where.push_back(kernel.substr(1));
    }
    return message;
}

Message from_misuse(const Json& finding) {
    const std::string where = finding.value("where", "");
    const std::string file = where.substr(0, where.rfind(':'));
    Message message = from_text(with_names_of_arrays(without_folder(finding.value("text", ""), file)));
    message.kind = finding.value("kind", "");
    if (message.empty()) {
        message.what = fmt::format("{}: {}", finding.value("call", ""), message.kind);
    }
    if (!where.empty()) {
        message.where.push_back(base_name(where));
    }
    return message;
}

// All findings after which the program went on, in the order in which they were seen.
std::vector<Message> all_findings(const Result& result) {
    std::vector<Message> all;
    for (const auto& fault : list(result, "faults")) {
        if (!stops(fault)) {
            all.push_back(from_fault(fault));
        }
    }
    for (const auto& misuse : list(result, "api_findings")) {
        all.push_back(from_misuse(misuse));
    }
    return all;
}

Message first_of(const std::vector<Message>& all, const std::string& kind) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Message& one) { return one.kind == kind; });
    return found == all.end() ? Message() : *found;
}

// As the headlines of its findings have it.
std::string in_plain_words(const std::string& kind) { return kind == "uninitialised read" ? "read of what was never written" : kind; }

std::string short_place(const Message& message) {
    return message.where.empty() ? "" : " at " + message.where.back().substr(0, message.where.back().find(' '));
}

}  // namespace

Message finding(const Result& result, const std::string& kind) {
    for (const auto& fault : list(result, "faults")) {
        if (fault.value("kind", "") == kind) {
            return from_fault(fault);
        }
    }
    return first_of(all_findings(result), kind);
}

Message most_telling(const Result& result) {
    const auto all = all_findings(result);
    Message first;
    std::string others;
    for (const char* kind : telling) {
        const auto found = first_of(all, kind);
        if (found.empty()) {
            continue;
        }
        if (first.empty()) {
            first = found;
        } else {
            others += fmt::format("{}{}{}", others.empty() ? "also found: " : ", ", in_plain_words(kind), short_place(found));
        }
    }
    return first.with(others);
}

Message judge_right(const Result& result, const Shape& shape, Care care) {
    if (Message found = care == Care::everything ? most_telling(result) : Message(); !found.empty()) {
        return found;
    }
    const auto elsewhere = result.elsewhere.find(shape.name);
    if (elsewhere == result.elsewhere.end()) {
        return {};
    }
    const auto others = elsewhere->value("count", std::int64_t{1}) - 1;
    const std::string call = elsewhere->value("call", "");
    const std::string elements = place(shape, elsewhere->value("first", std::size_t{0})) +
                                 (others > 0 ? " and " + counted(others, "other element", "other elements") : "");
    return Message(fmt::format("{} was not computed on the device: a kernel has to store each of its elements", shape.name),
                   {call.empty() ? fmt::format("no kernel stored the value of {}", elements)
                                 : fmt::format("{} copied {} there", call, elements),
                    fmt::format("seen: {}, {}", counted(api(result, "launches"), "launch", "launches"),
                                counted(api(result, "copies"), "copy", "copies"))})
        .on(Section::task);
}

Message leak(const Result& result) { return first_of(all_findings(result), "leak"); }

Launched launched_in(const Result& result) {
    const Json& launches = list(result, "launches");
    if (launches.size() != 1) {
        return {};
    }
    const auto sizes = [&](const char* name) { return launches[0].value(name, std::vector<std::size_t>{0, 0, 0}); };
    const auto grid = sizes("grid");
    const auto block = sizes("block");
    const auto store = launches[0].find("global_store");
    const std::size_t bytes = store == launches[0].end() ? 0 : store->value("bytes", std::size_t{0});
    return {grid.at(0), grid.at(1), block.at(0), block.at(1), bytes / sizeof(float), api(result, "copies_to_host") > 0, false};
}

Message explained_by(const Message& found, const Message& wrong) {
    if (wrong.proof >= Proof::several) {
        Message whole = wrong.with("what follows from it: " + found.what);
        whole.where.insert(whole.where.end(), found.where.begin(), found.where.end());
        whole.kind = found.kind;
        return whole;
    }
    // Of what is wrong: how much, one example and the map. What values and pattern suggest is a guess, and the cause is known.
    const bool guesses = !wrong.evidence.empty() && wrong.evidence.front().find(" elements of ") != std::string::npos;
    Message whole = guesses ? found : found.with(wrong.what);
    const auto is_map = [](const std::string& line) { return line.rfind("map (", 0) == 0; };
    const auto map = std::find_if(wrong.evidence.begin(), wrong.evidence.end(), is_map);
    const auto examples = std::min<std::ptrdiff_t>(guesses ? 2 : 1, map - wrong.evidence.begin());
    whole.evidence.insert(whole.evidence.end(), wrong.evidence.begin(), wrong.evidence.begin() + examples);
    for (auto line = map; line != wrong.evidence.end() && (line == map || line->rfind("  ", 0) == 0); ++line) {
        whole.evidence.push_back(*line);
    }
    return whole;
}

Message explained_by_exits(const Result& result, Message wrong) {
    const bool is_open = wrong.proof == Proof::none && (wrong.kind.empty() || wrong.kind == "uninitialised read");
    std::int64_t exited = 0;
    for (const Json& launch : list(result, "launches")) {
        exited += launch.value("exited_at_barriers", std::int64_t{0});
    }
    if (wrong.empty() || !is_open || exited == 0) {
        return wrong;
    }
    wrong.evidence.insert(wrong.evidence.begin(), wrong.what);
    wrong.what = "threads return before a __syncthreads() at which others of their block wait: is what they should load or store missing?";
    return wrong;
}

Message stopped(const Result& result) {
    if (!result.problem.empty()) {
        return result.problem;
    }
    for (const auto& fault : list(result, "faults")) {
        if (stops(fault)) {
            return from_fault(fault);
        }
    }
    if (result.status == 0) {
        return {};
    }
    const std::string returned = "the error that came back: " + result.status_text;
    const std::string error = result.status_text.substr(0, result.status_text.find(':'));
    // What a function of a shipped file returns. The runtime itself may say so, too: then a call has failed.
    if (error == "cudaErrorNotSupported" && all_findings(result).empty()) {
        Message message = Message("your function is not written yet: it still returns cudaErrorNotSupported, as shipped").on(Section::task);
        message.kind = not_started;
        return message;
    }
    const auto names_it = [&](const Message& one) { return one.what.find(error) != std::string::npos; };
    if (const Message cause = most_telling(result); !cause.empty()) {
        return names_it(cause) ? cause : cause.with(returned);
    }
    auto failed = all_findings(result);
    const auto first = std::find_if(failed.begin(), failed.end(), names_it);
    if (first != failed.end()) {
        return *first;
    }
    Message message(returned);
    for (const auto& other : failed) {
        message.where.insert(message.where.end(), other.where.begin(), other.where.end());
        message = message.with(other.what);
        message.evidence.insert(message.evidence.end(), other.evidence.begin(), other.evidence.end());
    }
    return message;
}

std::string kind_of_times(const Result& result) {
    const std::string device = result.report.value("device", "unknown");
    return (result.report.value("backend", "") == "emulator" ? "modelled for " : "measured on ") + device;
}

double counter(const Result& result, const std::string& group, const std::string& name) {
    double sum = 0;
    for (const Json& launch : list(result, "launches")) {
        sum += launch.at(group).at(name).get<double>();
    }
    return sum;
}

std::string larger_count(const Result& own, const Result& other) {
    struct Count {
        const char* group;
        const char* name;
        const char* words;
    };
    constexpr std::array counts{Count{"machine_code", "instructions", "instructions"},
                                Count{"slowest_warps", "dependent_instructions", "instructions of its slowest warps"},
                                Count{"slowest_warps", "global_waits", "waits of its slowest warps for global memory"},
                                Count{"global_load", "sectors", "sectors loaded from global memory"},
                                Count{"global_store", "sectors", "sectors stored to global memory"},
                                Count{"shared_load", "wavefronts", "wavefronts of loads from shared memory"},
                                Count{"shared_store", "wavefronts", "wavefronts of stores to shared memory"}};
    constexpr double least = 1.1;
    double largest = least;
    std::string text;
    for (const Count& count : counts) {
        const double here = counter(own, count.group, count.name);
        const double there = counter(other, count.group, count.name);
        if (there > 0 && here > largest * there) {
            largest = here / there;
            text = fmt::format("{:.{}f} times as many {}", largest, largest < 10 ? 1 : 0, count.words);
        }
    }
    return text;
}

double sectors_per_request(const Result& result, const std::string& group) {
    const double requests = counter(result, group, "requests");
    return requests == 0 ? 0 : counter(result, group, "sectors") / requests;
}

std::string counted(std::int64_t count, const char* one, const char* many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

std::int64_t api(const Result& result, const std::string& name) { return result.report.at("api").at(name).get<std::int64_t>(); }

}  // namespace lab::grading
