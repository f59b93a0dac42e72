// The exact text that a student sees for a mutant, kept in a file and read as prose: its shape, and what differs from the file.
#pragma once

#include <filesystem>
#include <string>

namespace lab::mutants {

// A failure as GoogleTest writes it, less its own preamble.
[[nodiscard]] std::string as_students_see_it(const std::string& failure);

// Measured times and figures that follow from them, addresses and counts of races become "#".
[[nodiscard]] std::string without_chance(const std::string& text);

// What is wrong with a message's shape: at most 25 lines; one line that says what, then "  where: " lines, then evidence, then
// "  read: FILE, SECTION" last. "" if nothing is.
[[nodiscard]] std::string misshapen(const std::string& message);

// Compares with the file, or writes it. "" if they agree, else what to tell the one who changed the message.
[[nodiscard]] std::string differs_from(const std::filesystem::path& golden, const std::string& text, bool update);

}  // namespace lab::mutants
