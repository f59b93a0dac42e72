#include "common/emulator/ptx/types.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/emulator/ptx/instruction_set.h"

namespace lab::ptx {

namespace {

// The row of the modifier with the directive's name, without its dot.
const ModifierRow& row_of_directive(std::string_view directive) {
    return row_of(directive.starts_with('.') ? modifier_named(directive.substr(1)) : Modifier::unknown);
}

constexpr std::array<std::pair<std::string_view, SpecialRegister>, 36> special_registers{{
    {"%tid.x", SpecialRegister::tid_x},
    {"%tid.y", SpecialRegister::tid_y},
    {"%tid.z", SpecialRegister::tid_z},
    {"%ntid.x", SpecialRegister::ntid_x},
    {"%ntid.y", SpecialRegister::ntid_y},
    {"%ntid.z", SpecialRegister::ntid_z},
    {"%ctaid.x", SpecialRegister::ctaid_x},
    {"%ctaid.y", SpecialRegister::ctaid_y},
    {"%ctaid.z", SpecialRegister::ctaid_z},
    {"%nctaid.x", SpecialRegister::nctaid_x},
    {"%nctaid.y", SpecialRegister::nctaid_y},
    {"%nctaid.z", SpecialRegister::nctaid_z},
    {"%tid", SpecialRegister::tid_x},
    {"%ntid", SpecialRegister::ntid_x},
    {"%ctaid", SpecialRegister::ctaid_x},
    {"%nctaid", SpecialRegister::nctaid_x},
    {"%laneid", SpecialRegister::laneid},
    {"%warpid", SpecialRegister::warpid},
    {"%nwarpid", SpecialRegister::nwarpid},
    {"%smid", SpecialRegister::smid},
    {"%nsmid", SpecialRegister::nsmid},
    {"%gridid", SpecialRegister::gridid},
    {"%clock", SpecialRegister::clock},
    {"%clock_hi", SpecialRegister::clock_hi},
    {"%clock64", SpecialRegister::clock64},
    {"%globaltimer", SpecialRegister::globaltimer},
    {"%globaltimer_lo", SpecialRegister::globaltimer_lo},
    {"%globaltimer_hi", SpecialRegister::globaltimer_hi},
    {"%lanemask_eq", SpecialRegister::lanemask_eq},
    {"%lanemask_lt", SpecialRegister::lanemask_lt},
    {"%lanemask_le", SpecialRegister::lanemask_le},
    {"%lanemask_gt", SpecialRegister::lanemask_gt},
    {"%lanemask_ge", SpecialRegister::lanemask_ge},
    {"%dynamic_smem_size", SpecialRegister::dynamic_smem_size},
    {"%total_smem_size", SpecialRegister::total_smem_size},
    {"WARP_SZ", SpecialRegister::warp_size},
}};

}  // namespace

std::optional<Type> type_named(std::string_view directive) {
    const Type type = row_of_directive(directive).type;
    return type == Type::none ? std::nullopt : std::optional(type);
}

std::optional<Space> space_named(std::string_view directive) {
    const Space space = row_of_directive(directive).space;
    return space == Space::generic ? std::nullopt : std::optional(space);
}

std::optional<SpecialRegister> special_register_named(std::string_view word) {
    const auto row = std::ranges::find(special_registers, word, [](const auto& entry) { return entry.first; });
    return row == special_registers.end() ? std::nullopt : std::optional(row->second);
}

std::uint32_t size_of(Type type) {
    switch (type) {
        case Type::none:
            return 0;
        case Type::pred:
        case Type::b8:
        case Type::u8:
        case Type::s8:
            return 1;
        case Type::b16:
        case Type::u16:
        case Type::s16:
        case Type::f16:
        case Type::bf16:
            return 2;
        case Type::b32:
        case Type::u32:
        case Type::s32:
        case Type::f32:
        case Type::f16x2:
        case Type::bf16x2:
            return 4;
        case Type::b64:
        case Type::u64:
        case Type::s64:
        case Type::f64:
            return 8;
        case Type::b128:
            return 16;
    }
    return 0;
}

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

}  // namespace lab::ptx
