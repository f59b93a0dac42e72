// Initial values of variables. Source: PTX ISA 5.4.4 (initializers) and 5.4.5 (generic(), masks of addresses).
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/emulator/ptx/parser.h"
#include "common/emulator/ptx/types.h"

namespace lab::ptx {

namespace {

// Compilers omit only trailing zeros; this bounds the allocation for a hostile text.
constexpr std::uint64_t max_initial_bytes = std::uint64_t{64} << 20;

// The bits of a number in a variable of `type`, or nothing if they don't match.
std::optional<std::uint64_t> bits_as(Type type, const Literal& literal) {
    const bool integer = literal.kind == Operand::Kind::integer;
    const double wide = literal.kind == Operand::Kind::real64 ? std::bit_cast<double>(literal.bits)
                                                              : double{std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits))};
    if (type == Type::f64) {
        return std::bit_cast<std::uint64_t>(integer ? static_cast<double>(static_cast<std::int64_t>(literal.bits)) : wide);
    }
    if (type == Type::f32) {
        if (literal.kind == Operand::Kind::real32) return literal.bits;
        const auto value = integer ? static_cast<float>(static_cast<std::int64_t>(literal.bits)) : static_cast<float>(wide);
        return std::bit_cast<std::uint32_t>(value);
    }
    const std::size_t needed = literal.kind == Operand::Kind::real32 ? 4 : 8;
    if (integer || size_of(type) == needed) return literal.bits;
    return std::nullopt;
}

// 0xFF00 to 1: the mask that selects byte 1 of an address.
std::optional<std::uint64_t> byte_of_mask(std::uint64_t mask) {
    for (std::uint64_t byte = 0; byte < 8; ++byte) {
        if (mask == std::uint64_t{0xFF} << (8 * byte)) return byte;
    }
    return std::nullopt;
}

}  // namespace

void Parser::parse_initialiser(Variable& variable, Declarator& declarator) {
    const bool open_ended = declarator.is_array && declarator.extents.front() == 0;
    Declarator shape = declarator;
    if (!shape.is_array) shape.extents = {1};
    if (tokens_.at('{')) {
        parse_elements(variable, shape, 0, 0, open_ended ? largest_variable : declarator.size);
    } else {
        if (declarator.is_array || declarator.lanes > 1) tokens_.fail_expected("'{': an array's value is a list");
        store(variable, declarator, 0, parse_initial_value());
    }
    if (masked_bytes_ != 0) tokens_.fail("all eight bytes of an address in " + in_quotes(variable.name) + " must be given");
    initial_bytes_ += variable.initial.size();
    if (!open_ended) return;
    std::uint64_t stride = std::uint64_t{size_of(declarator.type)} * declarator.lanes;
    for (std::size_t i = 1; i < declarator.extents.size(); ++i) stride *= declarator.extents[i];
    variable.size = stride == 0 ? 0 : (variable.initial.size() + stride - 1) / stride * stride;
}

// One pair of braces. `level` counts dimensions from the outermost; a vector's lanes may have braces of their own.
void Parser::parse_elements(Variable& variable, const Declarator& declarator, std::size_t level, std::uint64_t begin, std::uint64_t end) {
    tokens_.expect('{', "at the start of the values");
    const std::uint64_t element = size_of(declarator.type);
    const bool of_lanes = level >= declarator.extents.size();
    std::uint64_t stride = of_lanes ? element : element * declarator.lanes;
    for (std::size_t i = level + 1; i < declarator.extents.size(); ++i) stride *= declarator.extents[i];
    std::uint64_t cursor = begin;
    while (!tokens_.at('}')) {
        if (tokens_.at('{')) {
            const std::size_t deepest = declarator.extents.size() - (declarator.lanes > 1 ? 0 : 1);
            if (level >= deepest) tokens_.fail("braces nest deeper than the array's dimensions");
            if (stride != 0 && (cursor - begin) % stride != 0) tokens_.fail("a braced row starts inside the row before it");
            if (cursor > end || end - cursor < stride) tokens_.fail("more values than " + in_quotes(variable.name) + " has room for");
            parse_elements(variable, declarator, level + 1, cursor, cursor + stride);
            cursor += stride;
        } else {
            if (cursor > end || end - cursor < element) tokens_.fail("more values than " + in_quotes(variable.name) + " has room for");
            store(variable, declarator, cursor, parse_initial_value());
            cursor += element;
        }
        if (!tokens_.accept(',') && !tokens_.at('}')) tokens_.fail_expected("',' or '}' in the values of " + in_quotes(variable.name));
    }
    tokens_.expect('}', "after the values");
}

Parser::InitialValue Parser::parse_initial_value() {
    InitialValue value;
    value.line = tokens_.peek().line;
    const bool negative = tokens_.accept('-');
    if (tokens_.at(TokenKind::number)) {
        value.literal = parse_literal(tokens_.take());
        if (negative) value.literal = negate(value.literal);
        if (negative || !tokens_.accept('(')) return value;
        value.mask = value.literal.bits;
        parse_symbol_address(value);
        tokens_.expect(')', "after the masked address");
        return value;
    }
    if (negative || !tokens_.at(TokenKind::word)) tokens_.fail_expected("a number or a name as initial value");
    parse_symbol_address(value);
    return value;
}

// name, name + 4, generic(name), generic(name) + 4
void Parser::parse_symbol_address(InitialValue& value) {
    value.generic = tokens_.accept_word("generic");
    if (value.generic) tokens_.expect('(', "after generic");
    value.symbol = tokens_.expect_kind(TokenKind::word, "the name whose address is meant").text;
    value.addend = parse_offset();
    if (value.generic) {
        tokens_.expect(')', "after generic(name");
        value.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.addend) + static_cast<std::uint64_t>(parse_offset()));
    }
}

void Parser::store(Variable& variable, const Declarator& declarator, std::uint64_t offset, const InitialValue& value) {
    const std::uint32_t size = size_of(declarator.type);
    const std::uint64_t end = offset + size;
    if (initial_bytes_ + end > max_initial_bytes) fail_at(value.line, "the initial values take more than 64 MiB");
    if (variable.initial.size() < end) variable.initial.resize(end);
    if (!value.symbol.empty()) {
        if (value.mask != ~std::uint64_t{0}) {
            if (size != 1) fail_at(value.line, "a mask of an address is for variables of bytes");
            return store_mask(variable, offset, value);
        }
        if (size != 8 && size != 4) fail_at(value.line, "the address of " + in_quotes(value.symbol) + " needs a 64-bit variable");
        variable.relocations.push_back({offset, std::string(value.symbol), value.addend, value.generic});
        return;
    }
    const auto bits = bits_as(declarator.type, value.literal);
    if (!bits) fail_at(value.line, "this floating-point value does not fit the type of " + in_quotes(variable.name));
    static_assert(std::endian::native == std::endian::little, "PTX memory is little-endian");
    std::memcpy(variable.initial.data() + offset, &*bits, std::min<std::size_t>(size, sizeof *bits));
}

// Packed structures hold addresses byte by byte: 0xFF(name), 0xFF00(name), ... up to 0xFF00000000000000(name).
void Parser::store_mask(Variable& variable, std::uint64_t offset, const InitialValue& value) {
    const auto byte = byte_of_mask(value.mask);
    if (!byte) fail_at(value.line, "a mask of an address must take one byte, as 0xFF00 does");
    const auto goes_on = [&](const Variable::Relocation& begun) {
        return begun.offset + *byte == offset && begun.symbol == value.symbol && begun.addend == value.addend;
    };
    if (*byte != masked_bytes_ || (*byte != 0 && !goes_on(variable.relocations.back()))) {
        fail_at(value.line, "the bytes of the address of " + in_quotes(value.symbol) + " must follow each other from the lowest on");
    }
    if (*byte == 0) variable.relocations.push_back({offset, std::string(value.symbol), value.addend, value.generic});
    masked_bytes_ = (masked_bytes_ + 1) % 8;
}

}  // namespace lab::ptx
