// Checked form of a PTX translation unit, made by the parser, with every name resolved. Everything downstream works on indices; no name is
// looked up after parsing. Source: PTX ISA, chapters 4 (syntax), 5 (state spaces, types, variables) and 6 (operands).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/emulator/ptx/encoding.h"

namespace lab::ptx {

// PTX ISA 5.2, fundamental types.
enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64
};

// Bytes that a value of the type occupies in memory (pred: 1, none: 0).
[[nodiscard]] std::uint32_t size_of(Type type);

// PTX ISA 5.1, state spaces. `generic`: that of an instruction without a space.
enum class Space : std::uint8_t { generic, global, shared, local, constant, param };

// A source location. `inlined_at` indexes Module::locations (the call site), or is -1.
struct Location {
    std::uint32_t file = 0;  // index into Module::files; 0 is "unknown"
    std::uint32_t line = 0;  // from 1; 0 if the compiler gave none
    std::uint32_t column = 0;
    std::int32_t inlined_at = -1;
    std::uint32_t first_line = 0;  // first candidate for the line of a moved load, `line` being the last; 0: `line` is exact
};

// A register of a function. Registers of inner scopes `{ }` are made unique, so an index names exactly one.
struct Register {
    std::string name;
    Type type = Type::none;
};

// A variable of the module or of one function, in any state space.
struct Variable {
    // Inside an initialiser, the 8 (or 4) bytes at `offset` are the address of another symbol plus `addend`.
    struct Relocation {
        std::uint64_t offset = 0;
        std::string symbol;
        std::int64_t addend = 0;
        bool generic = false;  // written as generic(symbol)
    };
    std::string name;
    Space space = Space::global;
    Type type = Type::none;
    std::uint64_t size = 0;  // bytes of the whole variable; 0 for `extern .shared x[]` (dynamic shared memory)
    std::uint32_t align = 1;
    bool is_extern = false;
    std::vector<std::byte> initial;  // the first bytes, at most `size`; the rest is zero (compilers omit trailing zeros)
    std::vector<Relocation> relocations;
};

// A formal parameter of a function or kernel, or its return value.
struct Parameter {
    std::string name;
    Type type = Type::none;
    std::uint32_t size = 0;  // bytes
    std::uint32_t align = 1;
    std::uint32_t offset = 0;  // within the parameter block, in CUDA's layout of kernel arguments
};

enum class SpecialRegister : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    clock,
    clock_hi,
    clock64,
    globaltimer,
    globaltimer_lo,
    globaltimer_hi,
    lanemask_eq,
    lanemask_lt,
    lanemask_le,
    lanemask_gt,
    lanemask_ge,
    dynamic_smem_size,
    total_smem_size,
    warp_size,
};

struct Operand {
    enum class Kind : std::uint8_t {
        reg,      // %r1            -> reg
        integer,  // 42, -1, 0x10   -> bits (two's complement, 64 wide)
        real32,   // 0f3F800000     -> bits
        real64,   // 0d..., 1.0     -> bits
        special,  // %tid.x         -> special
        symbol,   // a variable, parameter or function used by name, + offset -> symbol_kind, index, offset
        memory,   // [ base + offset ] -> base is a register (reg valid), a symbol, or absolute (neither)
        label,    // branch target  -> index is the index of an instruction in Function::body (may equal body.size())
        vector,   // {a, b, c, d}   -> elements
        list,     // ( a, b )       of a call -> elements
        sink,     // _
    };
    enum class SymbolKind : std::uint8_t { none, module_variable, function_variable, parameter, return_parameter, function, label_table };
    Kind kind = Kind::sink;
    SymbolKind symbol_kind = SymbolKind::none;
    SpecialRegister special = SpecialRegister::tid_x;
    bool negated = false;       // !%p, or -%r where PTX has it
    bool has_register = false;  // memory: the base is Function::registers[reg]
    std::uint32_t reg = 0;
    std::uint32_t index = 0;
    std::int64_t offset = 0;
    std::uint64_t bits = 0;
    std::vector<Operand> elements;
};

struct Guard {
    std::uint32_t reg = 0;
    bool negated = false;
};

struct Instruction {
    std::string text;  // as written, without guard: "ld.global.v4.f32"
    Encoding encoding;
    Space space = Space::generic;  // the first that the modifiers name
    Type type = Type::none;        // the last that they name
    std::uint8_t elements = 1;     // of a vector
    std::optional<Guard> guard;
    // Operands as in PTX; setp's "p
    // q" and shfl's "d
    // p" become two operands. A call always has: list of results, callee (symbol or register), list of arguments and, if written, the
    // prototype (symbol of a label table).
    std::vector<Operand> operands;
    Location where;
    std::uint32_t ptx_line = 0;
    // First instruction of the immediate post-dominator of this instruction's basic block; body.size() if control reconverges only at the
    // end of the function. Paths on which a thread exits are ignored if there is another (see cfg.cpp): at "@p bra END" with "END: ret" it
    // is the next instruction.
    std::uint32_t reconvergence = 0;

    [[nodiscard]] Opcode opcode() const { return encoding.opcode; }
    [[nodiscard]] bool has(Modifier modifier) const { return encoding.has(modifier); }
};

// A list of branch targets (.branchtargets / brx.idx) or of a call prototype (.callprototype).
struct LabelTable {
    std::string name;
    std::vector<std::uint32_t> targets;  // instruction indices
};

struct Function {
    std::string name;             // mangled
    bool is_entry = false;        // .entry: a kernel
    bool is_declaration = false;  // no body: printf and the math functions that the machine provides, or another unit's
    bool is_noreturn = false;
    std::vector<Parameter> parameters;
    std::vector<Parameter> results;
    std::vector<Register> registers;
    std::vector<Variable> variables;  // .local, .shared and .param declared inside
    std::vector<LabelTable> label_tables;
    std::vector<Instruction> body;
    // First instruction of each basic block, ascending, block_starts[0] == 0 (empty body: empty).
    std::vector<std::uint32_t> block_starts;
    std::array<std::uint32_t, 3> max_threads{};       // .maxntid; 0 if not given
    std::array<std::uint32_t, 3> required_threads{};  // .reqntid
    std::uint32_t parameter_bytes = 0;
    Location where;
};

struct Module {
    std::string version;  // "6.0"
    std::string target;   // "sm_70"
    std::uint32_t address_size = 64;
    std::vector<std::string> files;   // [0] is ""
    std::vector<Location> locations;  // call sites of inlined code
    std::vector<Variable> variables;
    std::vector<Function> functions;
    // "file.cu:12" for the innermost position in the student's own code, or "" if the location has no line.
    [[nodiscard]] std::string describe(const Location& where) const;
    // The innermost position in the student's own code: for inlined library headers, the call outside of them. `where` itself if all of it
    // is library code.
    [[nodiscard]] Location student_place(const Location& where) const;
};

// Error in a PTX text, in one line for a student: error, place, remedy.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

// Parses and checks one PTX text. Throws Error and nothing else, for any input.
[[nodiscard]] Module parse(std::string_view text);

// Calls see() for the operand, then for all its components.
template <class See>
void for_each_within(const Operand& operand, const See& see) {
    see(operand);
    for (const Operand& element : operand.elements) for_each_within(element, see);
}

// The same for all operands of an instruction, without its guard.
template <class See>
void for_each_operand(const Instruction& instruction, const See& see) {
    for (const Operand& operand : instruction.operands) for_each_within(operand, see);
}

}  // namespace lab::ptx
