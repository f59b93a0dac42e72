// Text of any length of which only the beginning and the end are kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab::grading {

class CappedText {
public:
    static constexpr std::size_t max_head = 48 * 1024, max_tail = 16 * 1024;  // bytes

    void add(std::string_view text);
    [[nodiscard]] std::size_t size() const { return total_; }  // in bytes, of all that was added
    // The kept beginning and end; a line between them tells how many bytes are missing, if any are.
    [[nodiscard]] std::string text() const;

private:
    std::string head_, tail_;
    std::size_t total_ = 0;
};

// The text as valid UTF-8 whose only control characters are tabs and line ends, for terminals and JSON. A question mark replaces each other
// byte.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace lab::grading
