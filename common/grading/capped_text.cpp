#include "common/grading/capped_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::grading {
namespace {

// Bytes of the UTF-8 character at the front (The Unicode Standard, table 3-7); 0 if there is none.
std::size_t character_at_front(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t at = 1; at < length; ++at) {
        if ((byte(at) & 0xC0U) != 0x80) return 0;
    }
    const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool is_surrogate_or_beyond = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    return is_overlong || is_surrogate_or_beyond ? 0 : length;
}

}  // namespace

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
        const auto first = static_cast<unsigned char>(text[0]);
        const bool is_control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
        shown += length == 0 || is_control ? "?" : std::string(text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

}  // namespace lab::grading
