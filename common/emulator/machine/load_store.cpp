#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"

namespace lab::machine {

namespace {

using ptx::Space;

// Copies each word once, which memcpy does not promise: what is stored twice may undo what another block has stored in between.
inline void copy_span(std::uint32_t* to, const std::uint32_t* from, std::uint32_t words) {
#pragma omp simd
    for (std::uint32_t i = 0; i < words; ++i) to[i] = from[i];
}

template <class Element, class Lane>
void load_lanes(const Access& access, std::uint32_t element, Lane* to) {
    for (Mask left = access.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        Element value;
        std::memcpy(&value, access.at(lane) + std::size_t{element} * sizeof(Element), sizeof value);
        to[lane] = static_cast<Lane>(value);  // NOLINT(bugprone-signed-char-misuse): sign extension is what ld.s8 does
    }
}

template <class Lane>
void load_element(const Op* op, const Access& access, std::uint32_t element, Lane* to) {
    const bool is_signed = (op->flags & flag_signed) != 0;
    using Narrow16 = std::conditional_t<sizeof(Lane) == 8, std::int64_t, std::int32_t>;
    auto* to_signed = reinterpret_cast<Narrow16*>(to);
    switch (op->width) {
        case 1:
            is_signed ? load_lanes<std::int8_t>(access, element, to_signed) : load_lanes<std::uint8_t>(access, element, to);
            break;
        case 2:
            is_signed ? load_lanes<std::int16_t>(access, element, to_signed) : load_lanes<std::uint16_t>(access, element, to);
            break;
        case 4:
            is_signed ? load_lanes<std::int32_t>(access, element, to_signed) : load_lanes<std::uint32_t>(access, element, to);
            break;
        default:
            load_lanes<std::uint64_t>(access, element, to);
            break;
    }
}

// Any width, any number of elements, any mask.
void load_any(const Op* op, Warp& warp, const Access& access) {
    const auto* registers = static_cast<const VectorRegisters*>(op->detail);
    for (std::uint32_t element = 0; element < op->vector; ++element) {
        std::byte* to = warp.registers + (registers != nullptr ? registers->offset[element] : op->dst);
        if ((op->flags & flag_wide_lanes) != 0) {
            load_element(op, access, element, reinterpret_cast<std::uint64_t*>(to));
        } else {
            load_element(op, access, element, reinterpret_cast<std::uint32_t*>(to));
        }
    }
}

template <class Element, class Lane>
void store_lanes(const Access& access, std::uint32_t element, const Lane* from) {
    for (Mask left = access.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const auto value = static_cast<Element>(from[lane]);
        std::memcpy(access.at(lane) + std::size_t{element} * sizeof(Element), &value, sizeof value);
    }
}

template <class Lane>
void store_element(const Op* op, const Access& access, std::uint32_t element, const Lane* from) {
    switch (op->width) {
        case 1:
            store_lanes<std::uint8_t>(access, element, from);
            break;
        case 2:
            store_lanes<std::uint16_t>(access, element, from);
            break;
        case 4:
            store_lanes<std::uint32_t>(access, element, from);
            break;
        default:
            store_lanes<std::uint64_t>(access, element, from);
            break;
    }
}

void store_any(const Op* op, Warp& warp, const Access& access) {
    const auto* registers = static_cast<const VectorRegisters*>(op->detail);
    for (std::uint32_t element = 0; element < op->vector; ++element) {
        const std::byte* from = warp.registers + (registers != nullptr ? registers->offset[element] : op->b);
        if ((op->flags & flag_wide_lanes) != 0) {
            store_element(op, access, element, reinterpret_cast<const std::uint64_t*>(from));
        } else {
            store_element(op, access, element, reinterpret_cast<const std::uint32_t*>(from));
        }
    }
}

template <Space space, bool Full>
bool resolve(const Op* op, Warp& warp, AccessKind kind, Access& access) {
    alignas(64) std::uint64_t buffer[warp_size];
    const std::uint64_t* addresses = addresses_to_check(op, warp, buffer);
    if constexpr (space == Space::shared) {
        return resolve_shared<Full>(op, op->memory_id, warp, addresses, kind, access);
    } else {
        constexpr Traffic traffic = space == Space::constant ? Traffic::words : Traffic::sectors;
        return resolve_global<Full, traffic>(op, op->memory_id, warp, addresses, access);
    }
}

// The most frequent case: one 4-byte element into a 32-bit register.
template <Space space, bool Full>
const Op* load_word(const Op* op, Warp& warp) {
    Access access;
    if (!resolve<space, Full>(op, warp, AccessKind::load, access)) return nullptr;
    if (Full && access.host != nullptr && access.pattern->windowed) [[likely]] {
        gather_windows(access.host, *access.pattern, reinterpret_cast<std::uint32_t*>(warp.registers + op->dst));
    } else if (access.host != nullptr && access.pattern->span_count != 0) {
        for (const auto& [lane, words, delta] : access.pattern->spans())
            copy_span(lanes_of<std::uint32_t>(warp, op->dst) + lane, reinterpret_cast<const std::uint32_t*>(access.host + delta), words);
    } else {
        load_lanes<std::uint32_t>(access, 0, reinterpret_cast<std::uint32_t*>(warp.registers + op->dst));
    }
    LAB_CONTINUE(op + 1, warp);
}

template <bool Full>
inline void copy_words(const std::byte* host, const AccessPattern& pattern, std::uint32_t* to) {
    if (Full && pattern.windowed) [[likely]] {
        gather_windows(host, pattern, to);
        return;
    }
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        std::memcpy(to + lane, host + pattern.delta[lane], 4);
    }
}

template <bool Full>
const Op* load_global_word_following(const Op* op, Warp& warp) {
    const AccessSlot& leader = warp.slots[op->extra];
    const AccessPattern* pattern = leader.pattern;
    if (pattern == nullptr) [[unlikely]]
        return load_word<Space::global, Full>(op, warp);
    const std::uint64_t base = leader.base + static_cast<std::uint64_t>(op->offset);
    const std::uint64_t low = base + static_cast<std::uint64_t>(pattern->low);
    const std::uint64_t high = base + static_cast<std::uint64_t>(pattern->high);
    if (low < leader.low || high > leader.high || low >= high) [[unlikely]]
        return load_word<Space::global, Full>(op, warp);
    count_access(op->memory_id, warp, *pattern, base);
    if (leader.watched) [[unlikely]]
        note_watched(op, op->memory_id, warp, leader, *pattern, base);
    copy_words<Full>(reinterpret_cast<const std::byte*>(base + leader.to_host), *pattern, lanes_of<std::uint32_t>(warp, op->dst));
    LAB_CONTINUE(op + 1, warp);
}

// The first of a group in shared memory. Moving all lanes by the same number of words changes no bank conflicts, so each member costs as
// much as the first.
template <bool Full>
const Op* load_shared_word_leading(const Op* op, Warp& warp) {
    alignas(64) std::uint64_t buffer[warp_size];
    const auto& group = *static_cast<const AccessGroup*>(op->detail);
    AccessSlot& slot = warp.slots[op->memory_id];
    slot.group_checked = false;
    Access access;
    if (!resolve_shared<Full>(op, op->memory_id, warp, addresses_to_check(op, warp, buffer), AccessKind::load, access, false))
        return nullptr;
    const AccessPattern& pattern = *access.pattern;
    const std::uint64_t low = access.base + static_cast<std::uint64_t>(pattern.low + group.low);
    const std::uint64_t high = access.base + static_cast<std::uint64_t>(pattern.high + group.high);
    slot.group_checked = access.host != nullptr && low < high && high <= warp.block->shared_bytes;
    if (slot.group_checked) {
        count_access(group.memory_id, warp, pattern, access.base);
        if (group.is_vectorised) count_vectorised(group.vectorised, warp, pattern, access.base);
    }
    if (warp.worker->log_shared)
        note_shared(op, warp, pattern, access.base, AccessKind::load, false, slot.group_checked ? &group : nullptr);
    if (access.host != nullptr) {
        copy_words<Full>(access.host, pattern, lanes_of<std::uint32_t>(warp, op->dst));
    } else {
        load_lanes<std::uint32_t>(access, 0, lanes_of<std::uint32_t>(warp, op->dst));
    }
    LAB_CONTINUE(op + 1, warp);
}

template <bool Full>
const Op* load_shared_word_following(const Op* op, Warp& warp) {
    const AccessSlot& leader = warp.slots[op->extra];
    if (!leader.group_checked || leader.pattern == nullptr) [[unlikely]]
        return load_word<Space::shared, Full>(op, warp);
    const std::byte* host = warp.block->shared + (leader.base + static_cast<std::uint64_t>(op->offset));
    copy_words<Full>(host, *leader.pattern, lanes_of<std::uint32_t>(warp, op->dst));
    LAB_CONTINUE(op + 1, warp);
}

template <Space space, bool Full>
const Op* load(const Op* op, Warp& warp) {
    Access access;
    if (!resolve<space, Full>(op, warp, AccessKind::load, access)) return nullptr;
    load_any(op, warp, access);
    LAB_CONTINUE(op + 1, warp);
}

template <bool Full>
const Op* load_shared_vectorised(const Op* op, Warp& warp) {
    Access access;
    if (!resolve<Space::shared, Full>(op, warp, AccessKind::load, access)) return nullptr;
    count_vectorised(*static_cast<const VectorisedLoads*>(op->detail), warp, *access.pattern, access.base);
    load_element(op, access, 0, lanes_of<std::uint64_t>(warp, op->dst));
    LAB_CONTINUE(op + 1, warp);
}

template <Space space, bool Full>
const Op* store(const Op* op, Warp& warp) {
    Access access;
    if (!resolve<space, Full>(op, warp, AccessKind::store, access)) return nullptr;
    if constexpr (space == Space::shared) {
        if (warp.worker->log_shared)
            note_shared(op, warp, *access.pattern, access.base, AccessKind::store, same_value_where_shared(op, warp, *access.pattern));
    }
    const bool words = op->vector == 1 && op->width == 4 && (op->flags & flag_wide_lanes) == 0;
    if (Full && words && access.host != nullptr && access.pattern->consecutive) {
        std::memcpy(access.host, warp.registers + op->b, 128);
    } else if (words && access.host != nullptr && access.pattern->span_count != 0) {
        for (const auto& [lane, words, delta] : access.pattern->spans())
            copy_span(reinterpret_cast<std::uint32_t*>(access.host + delta), lanes_of<std::uint32_t>(warp, op->b) + lane, words);
    } else {
        store_any(op, warp, access);
    }
    LAB_CONTINUE(op + 1, warp);
}

// Local memory and parameters.
template <Space space, bool IsStore>
const Op* access_own(const Op* op, Warp& warp) {
    alignas(64) std::uint64_t buffer[warp_size];
    const std::uint64_t* addresses = effective_addresses(op, warp, buffer);
    Access access;
    const bool ok =
        space == Space::local ? resolve_local(op, warp, op->memory_id, addresses, access) : resolve_param(op, warp, addresses, access);
    if (!ok) return nullptr;
    IsStore ? store_any(op, warp, access) : load_any(op, warp, access);
    return op + 1;
}

// A generic address may be in any space, per lane: each space is a separate access. Memory ids of a generic instruction: global, then
// shared, then local.
template <bool IsStore>
const Op* generic(const Op* op, Warp& warp) {
    alignas(64) std::uint64_t buffer[warp_size];
    alignas(64) std::uint64_t offsets[warp_size];
    const std::uint64_t* addresses = effective_addresses(op, warp, buffer);
    const Mask all = warp.mask;
    Mask left = all;
    while (left != 0) {
        const std::uint64_t window = (addresses[first_lane(left)] + static_cast<std::uint64_t>(op->offset)) >> window_shift;
        Mask same = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const bool in_window = ((addresses[lane] + static_cast<std::uint64_t>(op->offset)) >> window_shift) == window;
            same |= static_cast<Mask>(in_window) << lane;
            offsets[lane] = (addresses[lane] + static_cast<std::uint64_t>(op->offset)) & window_offset_mask;
            offsets[lane] -= static_cast<std::uint64_t>(op->offset);
        }
        same &= left;
        left &= ~same;
        warp.set_mask(same);
        Access access;
        bool ok = false;
        const AccessKind kind = IsStore ? AccessKind::store : AccessKind::load;
        if (window == shared_window >> window_shift) {
            ok = resolve_shared<false>(op, op->memory_id + 1, warp, offsets, kind, access);
            if (ok && IsStore && warp.worker->log_shared)
                note_shared(op, warp, *access.pattern, access.base, kind, same_value_where_shared(op, warp, *access.pattern));
        } else if (window == local_window >> window_shift) {
            ok = resolve_local(op, warp, op->memory_id + 2, offsets, access);
        } else if (window == param_window >> window_shift && !IsStore) {
            ok = resolve_param(op, warp, offsets, access);
        } else {
            ok = resolve_global<false>(op, op->memory_id, warp, addresses, access);
        }
        if (ok) IsStore ? store_any(op, warp, access) : load_any(op, warp, access);
        warp.set_mask(all);
        if (!ok) return nullptr;
    }
    return op + 1;
}

template <Space space>
HandlerPair loads(bool word) {
    return word ? HandlerPair{{load_word<space, true>, load_word<space, false>}} : HandlerPair{{load<space, true>, load<space, false>}};
}

}  // namespace

bool is_word_load(const Op& op) { return op.width == 4 && op.vector == 1 && (op.flags & flag_wide_lanes) == 0; }

HandlerPair following_load_handler(Space space) {
    switch (space) {
        case Space::shared:
            return {{load_shared_word_following<true>, load_shared_word_following<false>}};
        case Space::global:
            return {{load_global_word_following<true>, load_global_word_following<false>}};
        default:
            return {};
    }
}

HandlerPair vectorised_load_handler() { return {{load_shared_vectorised<true>, load_shared_vectorised<false>}}; }

HandlerPair leading_load_handler() { return {{load_shared_word_leading<true>, load_shared_word_leading<false>}}; }

HandlerPair load_handler(Space space, const Op& op) {
    const bool word = is_word_load(op);
    switch (space) {
        case Space::shared:
            return loads<Space::shared>(word);
        case Space::constant:
            return loads<Space::constant>(word);
        case Space::global:
            return loads<Space::global>(word);
        case Space::local:
            return {{access_own<Space::local, false>, access_own<Space::local, false>}};
        case Space::param:
            return {{access_own<Space::param, false>, access_own<Space::param, false>}};
        default:
            return {{generic<false>, generic<false>}};
    }
}

HandlerPair store_handler(Space space) {
    switch (space) {
        case Space::shared:
            return {{store<Space::shared, true>, store<Space::shared, false>}};
        case Space::global:
            return {{store<Space::global, true>, store<Space::global, false>}};
        case Space::local:
            return {{access_own<Space::local, true>, access_own<Space::local, true>}};
        case Space::generic:
            return {{generic<true>, generic<true>}};
        default:
            return {};
    }
}

}  // namespace lab::machine
