// Frames: the registers of one function in one warp, with constants and special registers set.
#include <algorithm>
#include <cstring>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/control.h"

namespace lab::machine {

namespace {

template <class T>
void fill(std::byte* at, std::uint64_t value) {
    auto* lanes = reinterpret_cast<T*>(at);
    std::fill(lanes, lanes + warp_size, static_cast<T>(value));
}

void fill_slot(std::byte* at, std::uint64_t value, bool wide) {
    if (wide) {
        fill<std::uint64_t>(at, value);
    } else {
        fill<std::uint32_t>(at, value);
    }
}

// Masks of the lanes before, up to, from and after one; 0 for other registers.
std::uint64_t lane_mask(ptx::SpecialRegister which, unsigned lane) {
    using S = ptx::SpecialRegister;
    const std::uint64_t bit = 1ULL << lane;
    switch (which) {
        case S::lanemask_eq:
            return bit;
        case S::lanemask_lt:
            return bit - 1;
        case S::lanemask_le:
            return bit | (bit - 1);
        case S::lanemask_gt:
            return ~(bit | (bit - 1)) & all_lanes;
        case S::lanemask_ge:
            return ~(bit - 1) & all_lanes;
        default:
            return 0;
    }
}

// Value of a special register in one lane (PTX ISA chapter 10).
std::uint64_t special_value(ptx::SpecialRegister which, const Warp& warp, unsigned lane) {
    using S = ptx::SpecialRegister;
    const Worker& worker = *warp.worker;
    const LaunchConfig& config = *worker.config;
    const Dim3& block = config.block;
    const std::uint32_t thread = warp.index * warp_size + lane;
    switch (which) {
        case S::tid_x:
            return thread % block.x;
        case S::tid_y:
            return thread / block.x % block.y;
        case S::tid_z:
            return thread / block.x / block.y;
        case S::ntid_x:
            return block.x;
        case S::ntid_y:
            return block.y;
        case S::ntid_z:
            return block.z;
        case S::ctaid_x:
            return worker.block.index.x;
        case S::ctaid_y:
            return worker.block.index.y;
        case S::ctaid_z:
            return worker.block.index.z;
        case S::nctaid_x:
            return config.grid.x;
        case S::nctaid_y:
            return config.grid.y;
        case S::nctaid_z:
            return config.grid.z;
        case S::laneid:
            return lane;
        case S::warpid:
            return warp.index;
        case S::nwarpid:
            return (block.count() + warp_size - 1) / warp_size;
        case S::smid:
            return config.sm_count == 0 ? 0 : worker.block.linear % config.sm_count;
        case S::nsmid:
            return config.sm_count;
        case S::dynamic_smem_size:
            return config.dynamic_shared_bytes;
        case S::total_smem_size:
            return worker.block.shared_bytes;
        case S::warp_size:
            return warp_size;
        default:
            return lane_mask(which, lane);
    }
}

bool changes_with_block(ptx::SpecialRegister which) {
    using S = ptx::SpecialRegister;
    return which == S::ctaid_x || which == S::ctaid_y || which == S::ctaid_z || which == S::smid;
}

void fill_special(std::byte* base, const SpecialSlot& slot, const Warp& warp) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t value = special_value(slot.special, warp, lane);
        if (slot.wide) {
            reinterpret_cast<std::uint64_t*>(base + slot.offset)[lane] = value;
        } else {
            reinterpret_cast<std::uint32_t*>(base + slot.offset)[lane] = static_cast<std::uint32_t>(value);
        }
    }
}

std::uint64_t parameter_value(const ParameterSlot& slot, const std::byte* parameters) {
    std::uint64_t value = 0;
    std::memcpy(&value, parameters + slot.parameter, slot.bytes);
    if (slot.is_signed && slot.bytes < 8) {
        const unsigned unused = 64 - 8 * slot.bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
    }
    return value;
}

}  // namespace

void prepare_frame(Frame& frame, FunctionCode& function, Warp& warp) {
    constexpr std::uint64_t align = 64;
    frame.storage.assign(function.frame_bytes + align, std::byte{0});
    const auto start = reinterpret_cast<std::uint64_t>(frame.storage.data());
    frame.base = frame.storage.data() + ((start + align - 1) / align * align - start);
    frame.function = &function;
    for (const ConstantSlot& constant : function.constants) {
        if (constant.type == OperandType::pred) {
            *reinterpret_cast<Mask*>(frame.base + constant.offset) = constant.bits != 0 ? all_lanes : 0;
        } else {
            fill_slot(frame.base + constant.offset, constant.bits, constant.type == OperandType::bits64);
        }
    }
    for (const SpecialSlot& slot : function.specials) fill_special(frame.base, slot, warp);
    for (const ParameterSlot& slot : function.parameter_slots) {
        fill_slot(frame.base + slot.offset, parameter_value(slot, warp.worker->parameters), slot.wide);
    }
}

void refresh_for_block(Frame& frame, const Warp& warp) {
    for (const SpecialSlot& slot : frame.function->specials) {
        if (changes_with_block(slot.special)) fill_slot(frame.base + slot.offset, special_value(slot.special, warp, 0), slot.wide);
    }
}

Frame* take_frame(Warp& warp, FunctionCode& function) {
    auto& spare = warp.worker->spare_frames[&function];
    if (!spare.empty()) {
        Frame* frame = spare.back();
        spare.pop_back();
        for (const SpecialSlot& slot : function.specials) fill_special(frame->base, slot, warp);
        return frame;
    }
    warp.worker->frames.push_back(std::make_unique<Frame>());
    Frame* frame = warp.worker->frames.back().get();
    prepare_frame(*frame, function, warp);
    return frame;
}

}  // namespace lab::machine
