// printf for device code: applies the format's conversions to the packed argument list that the compiler made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace lab::machine {

struct PrintfResult {
    std::string text;
    int conversions = 0;  // CUDA's printf return value: the number of arguments parsed
};

// `read(offset, bytes)`: an integer of the argument list. `text_at(address)`: a device string, for %s.
[[nodiscard]] PrintfResult format_printf(const std::string& format, const std::function<std::uint64_t(std::uint64_t, unsigned)>& read,
                                         const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace lab::machine
