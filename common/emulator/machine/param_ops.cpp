#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"

namespace lab::machine {

namespace {

std::uint64_t sign_extended(std::uint64_t value, unsigned bytes) {
    const unsigned unused = 64 - 8 * bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

void write_lane(const Op* op, Warp& warp, std::uint32_t offset, unsigned lane, std::uint64_t value) {
    if ((op->flags & flag_wide_lanes) != 0) {
        lanes_of<std::uint64_t>(warp, offset)[lane] = value;
    } else {
        lanes_of<std::uint32_t>(warp, offset)[lane] = static_cast<std::uint32_t>(value);
    }
}

std::uint64_t part_of(const Warp& warp, std::uint32_t offset, unsigned bytes, unsigned lane) {
    const std::byte* at = warp.registers + offset;
    if (bytes == 8) return reinterpret_cast<const std::uint64_t*>(at)[lane];
    return reinterpret_cast<const std::uint32_t*>(at)[lane];
}

}  // namespace

const Op* load_param_variable(const Op* op, Warp& warp) {
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        std::uint64_t value = 0;
        std::memcpy(&value, warp.registers + op->a + std::size_t{lane} * op->extra + op->offset, op->width);
        if ((op->flags & flag_signed) != 0) value = sign_extended(value, op->width);
        write_lane(op, warp, op->dst, lane, value);
    }
    return op + 1;
}

const Op* store_param_variable(const Op* op, Warp& warp) {
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t value = part_of(warp, op->b, (op->flags & flag_wide_lanes) != 0 ? 8 : 4, lane);
        std::memcpy(warp.registers + op->a + std::size_t{lane} * op->extra + op->offset, &value, op->width);
    }
    return op + 1;
}

const Op* pack_register(const Op* op, Warp& warp) {
    const auto& detail = *static_cast<const PackDetail*>(op->detail);
    const std::uint64_t keep = detail.width == 8 ? ~0ULL : (1ULL << (8 * detail.width)) - 1;
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < detail.parts.size(); ++i) {
            value |= (part_of(warp, detail.parts[i], detail.width, lane) & keep) << (8 * detail.width * i);
        }
        if (detail.total == 8) {
            lanes_of<std::uint64_t>(warp, detail.whole)[lane] = value;
        } else {
            lanes_of<std::uint32_t>(warp, detail.whole)[lane] = static_cast<std::uint32_t>(value);
        }
    }
    return op + 1;
}

const Op* unpack_register(const Op* op, Warp& warp) {
    const auto& detail = *static_cast<const PackDetail*>(op->detail);
    const std::uint64_t keep = detail.width == 8 ? ~0ULL : (1ULL << (8 * detail.width)) - 1;
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t value = part_of(warp, detail.whole, detail.total, lane);
        for (std::size_t i = 0; i < detail.parts.size(); ++i) {
            const std::uint64_t part = (value >> (8 * detail.width * i)) & keep;
            if (detail.width == 8) {
                lanes_of<std::uint64_t>(warp, detail.parts[i])[lane] = part;
            } else {
                lanes_of<std::uint32_t>(warp, detail.parts[i])[lane] = static_cast<std::uint32_t>(part);
            }
        }
    }
    return op + 1;
}

const Op* read_clock(const Op* op, Warp& warp) {
    constexpr std::uint64_t cycles_an_instruction = 4;
    std::uint64_t value = (warp.warp_instructions - static_cast<std::uint64_t>(op->offset)) * cycles_an_instruction;
    const auto which = static_cast<ptx::SpecialRegister>(op->extra);
    using ptx::SpecialRegister;
    const std::uint64_t mhz = warp.worker->config->clock_mhz;
    const bool nanoseconds =
        which == SpecialRegister::globaltimer || which == SpecialRegister::globaltimer_lo || which == SpecialRegister::globaltimer_hi;
    if (nanoseconds) value = value * 1000 / (mhz == 0 ? 1000 : mhz);
    if (which == SpecialRegister::clock_hi || which == SpecialRegister::globaltimer_hi) value >>= 32U;
    for (Mask left = warp.mask; left != 0; left &= left - 1) write_lane(op, warp, op->dst, first_lane(left), value);
    return op + 1;
}

const Op* is_in_space(const Op* op, Warp& warp) {
    const auto* address = lanes_of<std::uint64_t>(warp, op->a);
    const auto space = static_cast<ptx::Space>(op->extra);
    Mask result = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t window = address[lane] >> window_shift;
        bool inside = window == 0 && address[lane] != 0;
        if (space == ptx::Space::shared) inside = window == shared_window >> window_shift;
        if (space == ptx::Space::local) inside = window == local_window >> window_shift;
        if (space == ptx::Space::param) inside = window == param_window >> window_shift;
        if (space == ptx::Space::constant && inside) {
            const Allocation* allocation = warp.worker->memory->find(address[lane]);
            inside = allocation != nullptr && allocation->kind == AllocationKind::constant;
        }
        result |= static_cast<Mask>(inside) << lane;
    }
    Mask& to = predicate(warp, op->dst);
    to = (to & ~warp.mask) | (result & warp.mask);
    return op + 1;
}

}  // namespace lab::machine
