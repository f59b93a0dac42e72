#include "common/emulator/machine/device_printf.h"

#include <array>
#include <bit>
#include <cstdio>

namespace lab::machine {

namespace {

template <class T>
std::string formatted(const std::string& specification, T value) {
    std::array<char, 512> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), specification.c_str(), value);
    return length < 0 ? std::string()
                      : std::string(buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1));
}

}  // namespace

PrintfResult format_printf(const std::string& format, const std::function<std::uint64_t(std::uint64_t, unsigned)>& read,
                           const std::function<std::string(std::uint64_t)>& text_at) {
    PrintfResult result;
    std::uint64_t offset = 0;
    const auto next = [&](unsigned bytes) {
        offset = (offset + bytes - 1) / bytes * bytes;
        const std::uint64_t value = read(offset, bytes);
        offset += bytes;
        ++result.conversions;
        return value;
    };
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            result.text += format[i];
            continue;
        }
        if (i + 1 < format.size() && format[i + 1] == '%') {
            result.text += '%';
            ++i;
            continue;
        }
        // %[flags][width][.precision][size]type
        std::string flags = "%";
        unsigned longs = 0;
        std::size_t at = i + 1;
        for (; at < format.size(); ++at) {
            const char c = format[at];
            if (c == '*') {
                flags += std::to_string(static_cast<std::int32_t>(next(4)));
            } else if (c == 'l') {
                ++longs;
            } else if (c == 'z' || c == 'j' || c == 't') {
                longs = 2;
            } else if (c == 'h') {
                continue;  // promoted to int
            } else if (std::string("-+ #0.123456789").find(c) != std::string::npos) {
                flags += c;
            } else {
                break;
            }
        }
        if (at >= format.size()) {
            result.text += format.substr(i);
            break;
        }
        const char type = format[at];
        // Widths beyond 200 would not fit the buffer and are never intended.
        if (flags.size() > 12) flags = "%";
        switch (type) {
            case 'd':
            case 'i':
                result.text += longs > 0 ? formatted(flags + "lld", static_cast<long long>(next(8)))
                                         : formatted(flags + "d", static_cast<int>(next(4)));
                break;
            case 'u':
            case 'o':
            case 'x':
            case 'X':
                result.text += longs > 0 ? formatted(flags + "ll" + type, static_cast<unsigned long long>(next(8)))
                                         : formatted(flags + type, static_cast<unsigned>(next(4)));
                break;
            case 'c':
                result.text += formatted(flags + "c", static_cast<int>(next(4)));
                break;
            case 'p':
                result.text += formatted(flags + "p", reinterpret_cast<void*>(next(8)));
                break;
            case 's': {
                const std::string text = text_at(next(8));
                result.text += flags == "%" ? text : formatted(flags + "s", text.c_str());
                break;
            }
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
            case 'a':
            case 'A':
                result.text += formatted(flags + type, std::bit_cast<double>(next(8)));
                break;
            default:
                result.text += format.substr(i, at - i + 1);
                break;
        }
        i = at;
    }
    return result;
}

}  // namespace lab::machine
