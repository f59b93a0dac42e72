// Text of which little is kept, however long it is: its beginning and its end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab::grading {

class CappedText {
public:
    static constexpr std::size_t most_head = 48 * 1024, most_tail = 16 * 1024;  // bytes

    void add(std::string_view text);
    [[nodiscard]] bool empty() const { return total_ == 0; }
    // What is kept; where something is missing, a line says how much.
    [[nodiscard]] std::string text() const;

private:
    std::string head_, tail_;
    std::size_t total_ = 0;
};

// The same as it can be shown and written as JSON: UTF-8 in whole characters, without control characters but tabs and line ends. What else
// there was is a question mark.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace lab::grading
