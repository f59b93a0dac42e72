#include "common/emulator/ptx/literal.h"

#include <bit>
#include <charconv>

namespace lab::ptx {

namespace {

std::uint64_t parse_digits(const Token& token, std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (error == std::errc::result_out_of_range) fail_at(token.line, "the number " + in_quotes(token.text) + " does not fit 64 bits");
    if (error != std::errc{} || stop != end) fail_at(token.line, in_quotes(token.text) + " is not a number");
    return value;
}

Literal parse_hexadecimal_real(const Token& token, std::size_t digits, Operand::Kind kind) {
    if (token.text.size() != 2 + digits) {
        fail_at(token.line,
                in_quotes(token.text) + " must have exactly " + std::to_string(digits) + " hexadecimal digits after its prefix");
    }
    return {kind, parse_digits(token, token.text.substr(2), 16)};
}

Literal parse_decimal_real(const Token& token) {
    double value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error != std::errc{} || stop != end) fail_at(token.line, in_quotes(token.text) + " is not a number");
    return {Operand::Kind::real64, std::bit_cast<std::uint64_t>(value)};
}

}  // namespace

Literal parse_literal(const Token& token) {
    std::string_view text = token.text;
    const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
    if (second == 'f' || second == 'F') return parse_hexadecimal_real(token, 8, Operand::Kind::real32);
    if (second == 'd' || second == 'D') return parse_hexadecimal_real(token, 16, Operand::Kind::real64);
    if (second == 'x' || second == 'X') {
        if (text.back() == 'U') text.remove_suffix(1);
        return {Operand::Kind::integer, parse_digits(token, text.substr(2), 16)};
    }
    if (text.find_first_of(".eE") != std::string_view::npos) return parse_decimal_real(token);
    if (text.size() > 1 && text.back() == 'U') text.remove_suffix(1);
    if (second == 'b' || second == 'B') return {Operand::Kind::integer, parse_digits(token, text.substr(2), 2)};
    const bool octal = text.size() > 1 && text[0] == '0';
    return {Operand::Kind::integer, parse_digits(token, text, octal ? 8 : 10)};
}

Literal negate(const Literal& literal) {
    switch (literal.kind) {
        case Operand::Kind::real32:
            return {literal.kind, literal.bits ^ 0x8000'0000U};
        case Operand::Kind::real64:
            return {literal.kind, literal.bits ^ 0x8000'0000'0000'0000U};
        default:
            return {literal.kind, 0 - literal.bits};
    }
}

}  // namespace lab::ptx
