#include "common/classroom/pseudonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace lab::classroom {
namespace {

struct Word {
    std::size_t begin = 0, end = 0;
    std::string folded;  // lower case
};

// Runs of letters and digits; a byte beyond ASCII is a letter.
std::vector<Word> words_of(const std::string& text) {
    std::vector<Word> words;
    bool is_inside = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool is_upper = c >= 'A' && c <= 'Z';
        const bool is_letter = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<signed char>(c) < 0;
        if (is_letter && !is_inside) words.push_back({at, at, ""});
        is_inside = is_letter;
        if (!is_letter) continue;
        words.back().end = at + 1;
        words.back().folded += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return words;
}

std::vector<std::string> folded(const std::string& name) {
    std::vector<std::string> all;
    for (Word& word : words_of(name)) all.push_back(std::move(word.folded));
    return all;
}

// Whether words stand for somebody wherever they are found.
bool is_telling(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) all += word;
    constexpr std::size_t min_characters = 3, min_digits = 5;
    return all.size() >= (all.find_first_not_of("0123456789") == std::string::npos ? min_digits : min_characters);
}

// Whether `name` stands in `text` from a word on, its words in their order, with at most two characters between them.
bool stands_at(const std::vector<Word>& text, std::size_t at, const std::vector<std::string>& name) {
    constexpr std::size_t max_gap = 2;
    if (at + name.size() > text.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (text[at + i].folded != name[i] || (i > 0 && text[at + i].begin > text[at + i - 1].end + max_gap)) return false;
    }
    return true;
}

}  // namespace

Pseudonyms::Pseudonyms(std::vector<std::string> students, std::uint64_t seed) : students_(std::move(students)) {
    std::mt19937_64 random(seed);
    std::shuffle(students_.begin(), students_.end(), random);
    for (std::size_t number = 0; number < students_.size(); ++number) {
        numbers_[students_[number]] = number;
        std::vector<std::string> name = folded(students_[number]);
        if (!is_telling(name)) continue;
        names_.emplace(name.front(), std::pair{name, number});
        if (name.size() == 1) continue;
        std::rotate(name.begin(), name.end() - 1, name.end());  // "Lovelace, Ada"
        names_.emplace(name.front(), std::pair{name, number});
    }
}

std::string Pseudonyms::of(const std::string& student) const { return fmt::format("student {}", numbers_.at(student) + 1); }

std::string Pseudonyms::without_names(const std::string& text, const std::vector<std::string>& authors) const {
    std::map<std::string, std::size_t> own;  // words of the authors' names
    for (const std::string& author : authors) {
        for (const std::string& word : folded(author)) {
            if (is_telling({word}) && word.find_first_not_of("0123456789") != std::string::npos) own.emplace(word, numbers_.at(author));
        }
    }
    const std::vector<Word> words = words_of(text);
    std::string made;
    std::size_t done = 0;
    for (std::size_t at = 0; at < words.size();) {
        std::size_t count = 0, number = 0;  // the longest name here
        const auto [first, last] = names_.equal_range(words[at].folded);
        for (auto each = first; each != last; ++each) {
            const auto& [name, whose] = each->second;
            if (name.size() > count && stands_at(words, at, name)) std::tie(count, number) = std::pair{name.size(), whose};
        }
        if (const auto found = own.find(words[at].folded); count == 0 && found != own.end())
            std::tie(count, number) = std::pair{1, found->second};
        if (count > 0) {
            made += text.substr(done, words[at].begin - done) + fmt::format("student {}", number + 1);
            done = words[at + count - 1].end;
        }
        at += std::max<std::size_t>(count, 1);
    }
    return made + text.substr(done);
}

}  // namespace lab::classroom
