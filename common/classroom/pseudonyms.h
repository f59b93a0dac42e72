// Numbers in place of students' names, for pages that others may see.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lab::classroom {

class Pseudonyms {
public:
    // "student 1", "student 2", ... in a random order that follows from `seed`. Who doesn't know the seed can't go back to the names.
    Pseudonyms(std::vector<std::string> students, std::uint64_t seed);

    // Students in the order of their numbers.
    [[nodiscard]] const std::vector<std::string>& students() const { return students_; }
    [[nodiscard]] std::string of(const std::string& student) const;

    // `text` with numbers in place of names: those of all students, and of its `authors` also single words of the name, where three or
    // more characters are no number. Words compare without case; "_", "-" and spaces between them are alike. A name of one or two
    // characters, or a number below 10000, stays: it would be found in any message.
    [[nodiscard]] std::string without_names(const std::string& text, const std::vector<std::string>& authors) const;

private:
    std::vector<std::string> students_;
    std::map<std::string, std::size_t> numbers_;
    // Names as words, by their first word.
    std::multimap<std::string, std::pair<std::vector<std::string>, std::size_t>> names_;
};

}  // namespace lab::classroom
