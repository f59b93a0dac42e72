
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>

#include "common/emulator/machine/builtins.h"

namespace lab::machine {

namespace {

template <class T>
std::string formatted(const std::string& specification, T value) {
    std::array<char, 512> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), specification.c_str(), value);
    return length < 0 ? std::string()
                      : std::string(buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1));
}

// The next argument, of that many bytes.
using NextArgument = std::function<std::uint64_t(unsigned bytes)>;

// %[flags][width][.precision][size]type
struct Specification {
    std::string flags = "%";  // with width and precision
    unsigned longs = 0;
    std::size_t end = 0;  // index of the type's character
};

Specification specification_at(const std::string& format, std::size_t begin, const NextArgument& next) {
    Specification result;
    std::size_t& at = result.end;
    for (at = begin + 1; at < format.size(); ++at) {
        const char c = format[at];
        if (c == '*') {
            result.flags += std::to_string(static_cast<std::int32_t>(next(4)));
        } else if (c == 'l') {
            ++result.longs;
        } else if (c == 'z' || c == 'j' || c == 't') {
            result.longs = 2;
        } else if (c == 'h') {
            continue;  // promoted to int
        } else if (std::string("-+ #0.123456789").find(c) != std::string::npos) {
            result.flags += c;
        } else {
            break;
        }
    }
    // A width or precision of thousands would not fit the buffer, and takes seconds to write.
    std::size_t digits = 0, most = 0;
    for (const char c : result.flags) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        most = std::max(most, digits);
    }
    if (most > 3) result.flags = "%";
    return result;
}

// Text of the next argument; nothing for a type that there isn't.
std::optional<std::string> converted(char type, const Specification& specification, const NextArgument& next,
                                     const std::function<std::string(std::uint64_t)>& text_at) {
    const std::string& flags = specification.flags;
    const bool is_long = specification.longs > 0;
    switch (type) {
        case 'd':
        case 'i':
            return is_long ? formatted(flags + "lld", static_cast<long long>(next(8))) : formatted(flags + "d", static_cast<int>(next(4)));
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            return is_long ? formatted(flags + "ll" + type, static_cast<unsigned long long>(next(8)))
                           : formatted(flags + type, static_cast<unsigned>(next(4)));
        case 'c':
            return formatted(flags + "c", static_cast<int>(next(4)));
        case 'p':
            return formatted(flags + "p", reinterpret_cast<void*>(next(8)));
        case 's': {
            const std::string text = text_at(next(8));
            return flags == "%" ? text : formatted(flags + "s", text.c_str());
        }
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            return formatted(flags + type, std::bit_cast<double>(next(8)));
        default:
            return std::nullopt;
    }
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
        const Specification specification = specification_at(format, i, next);
        if (specification.end >= format.size()) {
            result.text += format.substr(i);
            break;
        }
        result.text +=
            converted(format[specification.end], specification, next, text_at).value_or(format.substr(i, specification.end - i + 1));
        i = specification.end;
    }
    return result;
}

}  // namespace lab::machine
