#include "common/emulator/ptx/types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lab::ptx {

namespace {

struct TypeRow {
    std::string_view name;
    Type type;
    std::uint32_t size;
};
constexpr std::array<TypeRow, 20> types{{
    {".pred", Type::pred, 1},   {".b8", Type::b8, 1},     {".b16", Type::b16, 2},       {".b32", Type::b32, 4}, {".b64", Type::b64, 8},
    {".b128", Type::b128, 16},  {".u8", Type::u8, 1},     {".u16", Type::u16, 2},       {".u32", Type::u32, 4}, {".u64", Type::u64, 8},
    {".s8", Type::s8, 1},       {".s16", Type::s16, 2},   {".s32", Type::s32, 4},       {".s64", Type::s64, 8}, {".f16", Type::f16, 2},
    {".f16x2", Type::f16x2, 4}, {".bf16", Type::bf16, 2}, {".bf16x2", Type::bf16x2, 4}, {".f32", Type::f32, 4}, {".f64", Type::f64, 8},
}};

constexpr std::array<std::pair<std::string_view, Space>, 5> spaces{{
    {".global", Space::global},
    {".shared", Space::shared},
    {".local", Space::local},
    {".const", Space::constant},
    {".param", Space::param},
}};

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

template <class Table>
auto second_of(const Table& table, std::string_view name) {
    const auto row = std::ranges::find(table, name, [](const auto& entry) { return entry.first; });
    return row == table.end() ? std::nullopt : std::optional(row->second);
}

}  // namespace

std::optional<Type> type_named(std::string_view directive) {
    const auto row = std::ranges::find(types, directive, &TypeRow::name);
    return row == types.end() ? std::nullopt : std::optional(row->type);
}

std::optional<Space> space_named(std::string_view directive) { return second_of(spaces, directive); }

std::optional<SpecialRegister> special_register_named(std::string_view word) { return second_of(special_registers, word); }

std::uint32_t size_of(Type type) {
    const auto row = std::ranges::find(types, type, &TypeRow::type);
    return row == types.end() ? 0 : row->size;
}

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

}  // namespace lab::ptx
