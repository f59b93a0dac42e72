// Characters of UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace lab {

// Bytes of the UTF-8 character at the front of a text that is not empty (The Unicode Standard, table 3-7); 0 if there is none.
[[nodiscard]] std::size_t character_at_front(std::string_view text);

// Whether that character is a control character (general category Cc).
[[nodiscard]] bool is_control_at_front(std::string_view text);

}  // namespace lab
