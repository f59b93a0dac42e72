// What a student is told when a test fails: what is wrong, where, the evidence, and what to read, always in this order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/grading/reading.h"

namespace lab::grading {

// The kind of a message about the grader's own failure: the test neither passed nor failed.
inline constexpr const char* undecided = "undecided";
// The kinds of a message about a function that does nothing yet, and about one that still returns what the shipped file returns.
inline constexpr const char* nothing_written = "nothing written";
inline constexpr const char* not_started = "not started";

// What a message's first line rests on. A cause that is about terms may be what a race has left; one about an index explains a race.
// `several`: it is one of several indices that explain the same.
enum class Proof { none, terms, several, index };

struct Message {
    std::string what;                   // one line: the rule that was broken; empty if nothing is wrong
    std::vector<std::string> where;     // "matmul_tiled<16, float> at W=32", "shared_tiling.cu:31", from outside to inside
    std::vector<std::string> evidence;  // lines: numbers, a map, the two threads
    std::string read;                   // "handouts/lab<n>_topic.md, Mistakes that many make"
    std::string kind;                   // of a finding, as common/runner/backend.h has them; "hang", one of those above; or ""
    Proof proof = Proof::none;          // of the cause that `what` names
    std::optional<Section> about;       // of the handout, where the mistake says it better than the test's group

    static constexpr std::size_t most_lines = 25;

    Message() = default;
    Message(std::string text) : what(std::move(text)) {}  // a text alone is a message, too
    Message(const char* text) : what(text) {}
    Message(std::string text, std::vector<std::string> lines) : what(std::move(text)), evidence(std::move(lines)) {}
    [[nodiscard]] bool empty() const { return what.empty(); }
    // The same, seen from further outside: "matmul_tiled<16, float> at W=32" before what is there already. Nothing stays nothing.
    [[nodiscard]] Message at(const std::string& place) const&;
    // The same with one more line of evidence.
    [[nodiscard]] Message with(const std::string& line) const&;
    // The same, with another section to read.
    [[nodiscard]] Message on(Section section) const&;
};

// At most Message::most_lines lines. Where there is more evidence than that, its end gives way to "... n lines more".
[[nodiscard]] std::string to_text(const Message& message);

// A text of several lines ("headline\n  at ...\n  more"): its first line is what, the others are evidence.
[[nodiscard]] Message from_text(const std::string& text);

}  // namespace lab::grading
