// Message to the student when a test fails: what is wrong, where, evidence, and a section to read, always in this order.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/diagnosis/topic.h"
#include "common/findings/finding.h"

namespace lab::diagnosis {

enum class Section { idea, task, failures, mistakes };

// "handouts/lab<n>_topic.md, Mistakes that many make"; "" for a lab without a handout.
[[nodiscard]] std::string reading(int lab, Section section);

struct Reading {
    std::string file;     // from the repository's root
    std::string section;  // as in its heading
};
// All possible results of reading().
[[nodiscard]] std::vector<Reading> all_readings();

// Kind of proof behind a message's first line. A proof by terms may be the result of a race; one by an index explains a race. `several`:
// one of several indices that explain the same.
enum class Proof { none, terms, several, index };

// One line of evidence, and its part in a verdict on elements.
struct Line {
    enum class Kind { plain, count, map };  // number of wrong elements; a map of them, with its heading
    std::string text;
    Kind kind = Kind::plain;

    Line(std::string words, Kind of = Kind::plain) : text(std::move(words)), kind(of) {}
    Line(const char* words) : text(words) {}
    bool operator==(const Line&) const = default;
};

// Numbers of wrong elements of an output, by cell of a grid of at most 64 x 64.
struct WrongElements {
    std::string name;  // "P"
    std::size_t rows = 0, columns = 0, count = 0;
    std::size_t cell_rows = 1, cell_columns = 1;  // elements of a cell; those at the last edges may have fewer
    std::vector<std::vector<std::size_t>> cells;
    bool operator==(const WrongElements&) const = default;
};

// One of several causes that a message's elements allow, and the name that it has at every shape: "columns by 4".
struct Explanation {
    std::string name, what;
    bool is_of_sides = false;  // with all sides equal, it would leave out nothing
    bool operator==(const Explanation&) const = default;
};

struct Message {
    std::string what;                       // one line: the violated rule; empty if nothing is wrong
    std::vector<std::string> where;         // "matmul_tiled<16, float> at W=32", "shared_tiling.cu:31", from outside to inside
    std::vector<Line> evidence;             // numbers, a map, the two threads
    std::string read;                       // "handouts/lab<n>_topic.md, Mistakes that many make"
    Topic kind = Topic::none;               // that determines the form: of a finding, or of a call as a whole
    Topic subject = Topic::none;            // of `what`, if that is a crash or a copy
    std::set<Topic> topics;                 // further topics
    std::vector<Finding> findings;          // findings that it reports
    std::string cause;                      // name of the cause in `what` (causes/list.h); "" if none is known
    Proof proof = Proof::none;              // how well the cause in `what` is proven
    std::vector<Explanation> explanations;  // that allow `what`, the likeliest first; the last is always true; empty if there is but one
    std::optional<WrongElements> wrong;
    std::optional<Section> about;  // of the handout, where the mistake says it better than the test's group

    static constexpr std::size_t max_lines = 25;

    Message() = default;
    Message(std::string text) : what(std::move(text)) {}  // a plain text is a message, too
    Message(const char* text) : what(text) {}
    Message(std::string text, std::vector<Line> lines) : what(std::move(text)), evidence(std::move(lines)) {}
    [[nodiscard]] bool empty() const { return what.empty(); }
    // The same with an outer context: "matmul_tiled<16, float> at W=32" precedes the present one. An empty message stays empty.
    [[nodiscard]] Message at(const std::string& place) const&;
    // The same with one more line of evidence.
    [[nodiscard]] Message with(const std::string& line) const&;
    // The same with another first line and the name of its cause; the former one becomes the first line of evidence.
    [[nodiscard]] Message led_by(const std::string& first_line, const std::string& name) const&;
    // The same, with another section to read.
    [[nodiscard]] Message on(Section section) const&;
    // The same, with one more topic.
    [[nodiscard]] Message of(Topic topic) const&;
    // Adds the topics of another message whose lines have become evidence of this one.
    void take_topics(const Message& other);
    // Its kind and its other topics.
    [[nodiscard]] std::set<Topic> all_topics() const;
};

// Texts as lines of evidence.
[[nodiscard]] std::vector<Line> lines(const std::vector<std::string>& texts);

// At most Message::max_lines lines; excess evidence is replaced by "... n lines more".
[[nodiscard]] std::string to_text(const Message& message);

// {"what", "where": [...], "evidence": [...], "read", "topics": [names of LAB_TOPICS], "findings": [as finding_json.h says]}, "cause" where
// it is known, and, of wrong elements,
// "wrong": {"name", "rows", "columns", "wrong_count", "cell_rows", "cell_columns", "cells": [rows of counts]}
[[nodiscard]] nlohmann::json to_json(const Message& message);

// Explanations by loops that take 2, 4, 8 or 16 at a time, of which `reached` of `all` remain: "`what`, and 28 is the last multiple of 4
// up to 31: ...". `line` distinguishes them from those of other loops: "column". Empty if no such loop ends there.
[[nodiscard]] std::vector<Explanation> lacks_rest(const std::string& line, std::size_t reached, std::size_t all, const std::string& what);

// What explains the outputs at several shapes: the only explanation that all of these lists share, or else the one that is always true, the
// last, if the first of the lists does not hold for all. Empty if the message is as good.
[[nodiscard]] std::string shared_explanation(const std::vector<std::vector<Explanation>>& at_shapes,
                                             const std::vector<Explanation>& of_message);

[[nodiscard]] Message message_of(const Finding& finding);

}  // namespace lab::diagnosis
