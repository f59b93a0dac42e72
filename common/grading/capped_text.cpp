#include "common/grading/capped_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/findings/utf8.h"

namespace lab::grading {

void CappedText::add(std::string_view text) {
    total_ += text.size();
    const std::size_t fits = std::min(text.size(), max_head - head_.size());
    head_ += text.substr(0, fits);
    tail_ += text.substr(fits);
    if (tail_.size() > 2 * max_tail) tail_.erase(0, tail_.size() - max_tail);
}

std::string CappedText::text() const {
    const std::size_t shown_tail = std::min(tail_.size(), max_tail);
    const std::size_t missing = total_ - head_.size() - shown_tail;
    const std::string tail = tail_.substr(tail_.size() - shown_tail);
    return missing == 0 ? head_ + tail : fmt::format("{}\n... and {} bytes more ...\n{}", head_, missing, tail);
}

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = character_at_front(text);
        const bool is_shown = length != 0 && (!is_control_at_front(text) || text[0] == '\n' || text[0] == '\t');
        shown += is_shown ? std::string(text.substr(0, length)) : "?";
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

}  // namespace lab::grading
