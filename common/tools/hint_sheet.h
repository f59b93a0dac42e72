// The hints of a lab, from tests/labs/labN_hints.md.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/topic.h"

namespace lab::tools {

struct Hint {
    std::string text;                 // one or more paragraphs, a blank line between; a paragraph is one long line
    std::set<diagnosis::Topic> when;  // only for failures about all of these; empty: for all
};

struct HintSection {
    std::string about;  // a test's full name, or does_not_compile
    std::vector<Hint> hints;
};

inline constexpr const char* does_not_compile = "does not compile";

// Reads a sheet. A section is a line "## Lab<n>.HasNoRaces"; its hints are a numbered list, from general to particular:
//
//   1. Text that may go on
//      in indented lines.
//   2. [when: race, shared memory] Text for failures about both of these topics only (common/diagnosis/topic.h).
//
// Text before the first section is ignored. Throws BadInput, with file and line, for anything else.
[[nodiscard]] std::vector<HintSection> read_hints(const std::filesystem::path& file);

// The hints for one test that fit a failure about `topics`, in the sheet's order.
[[nodiscard]] std::vector<Hint> fitting(const std::vector<HintSection>& sheet, const std::string& about,
                                        const std::set<diagnosis::Topic>& topics);

// Paragraphs broken into lines of at most `width` characters, each after `indent` spaces.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent, std::size_t width);

}  // namespace lab::tools
