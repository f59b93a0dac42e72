// atom and red (PTX ISA 9.7.13.5, .6). Lanes act one after another in lane order, so results don't depend on the host.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"

namespace lab::machine {

namespace {

using ptx::Modifier;
using ptx::Space;
using ptx::Type;

template <class T>
T combine_add(T old, T operand, T) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(operand));
    } else {
        return old + operand;
    }
}
template <class T>
T combine_min(T old, T operand, T) {
    return std::min(old, operand);
}
template <class T>
T combine_max(T old, T operand, T) {
    return std::max(old, operand);
}
template <class T>
T combine_and(T old, T operand, T) {
    return old & operand;
}
template <class T>
T combine_or(T old, T operand, T) {
    return old | operand;
}
template <class T>
T combine_xor(T old, T operand, T) {
    return old ^ operand;
}
template <class T>
T combine_exch(T, T operand, T) {
    return operand;
}
template <class T>
T combine_cas(T old, T compare, T value) {
    return old == compare ? value : old;
}
template <class T>
T combine_inc(T old, T limit, T) {
    return old >= limit ? T{0} : static_cast<T>(old + 1);
}
template <class T>
T combine_dec(T old, T limit, T) {
    return old == 0 || old > limit ? limit : static_cast<T>(old - 1);
}

// Global memory is shared with blocks that run on other host threads; shared memory is not.
template <class T, T (*Combine)(T, T, T), bool Concurrent>
T update(std::byte* at, T operand, T second) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
    auto& place = *reinterpret_cast<Bits*>(at);
    if constexpr (Concurrent) {
        std::atomic_ref<Bits> cell(place);
        Bits seen = cell.load(std::memory_order_relaxed);
        while (!cell.compare_exchange_weak(seen, std::bit_cast<Bits>(Combine(std::bit_cast<T>(seen), operand, second)),
                                           std::memory_order_relaxed)) {
        }
        return std::bit_cast<T>(seen);
    } else {
        const T old = std::bit_cast<T>(place);
        place = std::bit_cast<Bits>(Combine(old, operand, second));
        return old;
    }
}

template <class T>
T operand_at(const Warp& warp, std::uint32_t offset, unsigned lane) {
    return from_storage<T>(reinterpret_cast<const Storage<T>*>(warp.registers + offset)[lane]);
}

template <class T, T (*Combine)(T, T, T), bool Concurrent>
void apply(const Op* op, Warp& warp, const Access& access) {
    for (Mask left = access.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const T old = update<T, Combine, Concurrent>(access.at(lane), operand_at<T>(warp, op->b, lane), operand_at<T>(warp, op->c, lane));
        if ((op->flags & flag_no_result) == 0) lanes_of<T>(warp, op->dst)[lane] = to_storage<T>(old);
    }
}

// Properties of an atomic besides its space. The lanes' operation is a function call, so that the rest is compiled once for all types and
// operations.
struct Atomic {
    void (*apply)(const Op*, Warp&, const Access&);
    std::uint32_t bytes;
    bool is_float;
};

// For the time model. Compilers merge a warp's integer additions to one word into one atomic.
void note_contention(const Op* op, const Warp& warp, const std::uint64_t* addresses, Mask lanes, const Atomic& atomic) {
    const bool is_joined = (op->flags & flag_uniform) != 0 && !atomic.is_float;
    warp.worker->contended.note(addresses, is_joined ? lanes & (~lanes + 1) : lanes, atomic.bytes, atomic.is_float);
}

const Op* run_global(const Op* op, Warp& warp, const Atomic& atomic) {
    alignas(64) std::uint64_t buffer[warp_size];
    Access access;
    const std::uint64_t* const addresses = effective_addresses(op, warp, buffer);
    if (!resolve_global<false>(op, op->memory_id, warp, addresses, access)) return nullptr;
    note_contention(op, warp, addresses, warp.mask, atomic);
    atomic.apply(op, warp, access);
    return op + 1;
}

const Op* run_shared(const Op* op, Warp& warp, const Atomic& atomic) {
    alignas(64) std::uint64_t buffer[warp_size];
    Access access;
    if (!resolve_shared<false>(op, op->memory_id, warp, effective_addresses(op, warp, buffer), AccessKind::atomic, access)) return nullptr;
    if (warp.worker->log_shared) note_shared(op, warp, *access.pattern, access.base, AccessKind::atomic, false);
    atomic.apply(op, warp, access);
    return op + 1;
}

const Op* run_generic(const Op* op, Warp& warp, const Atomic& atomic) {
    alignas(64) std::uint64_t buffer[warp_size];
    alignas(64) std::uint64_t offsets[warp_size];
    const std::uint64_t* addresses = effective_addresses(op, warp, buffer);
    const Mask all = warp.mask;
    Mask in_shared = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        in_shared |= static_cast<Mask>(addresses[lane] >> window_shift == shared_window >> window_shift) << lane;
        offsets[lane] = addresses[lane] & window_offset_mask;
    }
    for (const Mask part : {all & in_shared, all & ~in_shared}) {
        if (part == 0) continue;
        warp.set_mask(part);
        Access access;
        bool ok = false;
        if ((part & in_shared) != 0) {
            ok = resolve_shared<false>(op, op->memory_id + 1, warp, offsets, AccessKind::atomic, access);
            if (ok && warp.worker->log_shared) note_shared(op, warp, *access.pattern, access.base, AccessKind::atomic, false);
        } else {
            ok = resolve_global<false>(op, op->memory_id, warp, addresses, access);
            if (ok) note_contention(op, warp, addresses, part, atomic);
        }
        if (ok) atomic.apply(op, warp, access);
        warp.set_mask(all);
        if (!ok) return nullptr;
    }
    return op + 1;
}

template <class T, T (*Combine)(T, T, T), bool Concurrent>
constexpr Atomic atomic{&apply<T, Combine, Concurrent>, sizeof(T), std::is_floating_point_v<T>};

template <class T, T (*Combine)(T, T, T)>
const Op* global_atomic(const Op* op, Warp& warp) {
    return run_global(op, warp, atomic<T, Combine, true>);
}
template <class T, T (*Combine)(T, T, T)>
const Op* shared_atomic(const Op* op, Warp& warp) {
    return run_shared(op, warp, atomic<T, Combine, false>);
}
template <class T, T (*Combine)(T, T, T)>
const Op* generic_atomic(const Op* op, Warp& warp) {
    return run_generic(op, warp, atomic<T, Combine, true>);
}

template <class T, T (*Combine)(T, T, T)>
HandlerPair in_space(Space space) {
    switch (space) {
        case Space::global:
            return {{global_atomic<T, Combine>, global_atomic<T, Combine>}};
        case Space::shared:
            return {{shared_atomic<T, Combine>, shared_atomic<T, Combine>}};
        case Space::generic:
            return {{generic_atomic<T, Combine>, generic_atomic<T, Combine>}};
        default:
            return {};
    }
}

template <class T>
HandlerPair of_bits(Space space, Modifier operation) {
    switch (operation) {
        case Modifier::and_:
            return in_space<T, combine_and<T>>(space);
        case Modifier::or_:
            return in_space<T, combine_or<T>>(space);
        case Modifier::xor_:
            return in_space<T, combine_xor<T>>(space);
        case Modifier::exch:
            return in_space<T, combine_exch<T>>(space);
        case Modifier::cas:
            return in_space<T, combine_cas<T>>(space);
        default:
            return {};
    }
}

template <class T>
HandlerPair of_integer(Space space, Modifier operation) {
    using Unsigned = std::make_unsigned_t<T>;  // the bits don't depend on the sign
    if (operation == Modifier::add) return in_space<Unsigned, combine_add<Unsigned>>(space);
    if (operation == Modifier::min) return in_space<T, combine_min<T>>(space);
    if (operation == Modifier::max) return in_space<T, combine_max<T>>(space);
    if constexpr (std::is_unsigned_v<T>) {
        if (operation == Modifier::inc) return in_space<T, combine_inc<T>>(space);
        if (operation == Modifier::dec) return in_space<T, combine_dec<T>>(space);
    }
    return of_bits<Unsigned>(space, operation);
}

}  // namespace

HandlerPair atomic_handler(Space space, Modifier operation, Type type) {
    switch (type) {
        case Type::u32:
            return of_integer<std::uint32_t>(space, operation);
        case Type::s32:
            return of_integer<std::int32_t>(space, operation);
        case Type::u64:
            return of_integer<std::uint64_t>(space, operation);
        case Type::s64:
            return of_integer<std::int64_t>(space, operation);
        case Type::b32:
            return of_bits<std::uint32_t>(space, operation);
        case Type::b64:
            return of_bits<std::uint64_t>(space, operation);
        case Type::b16:
            return operation == Modifier::cas ? in_space<std::uint16_t, combine_cas<std::uint16_t>>(space) : HandlerPair{};
        case Type::f32:
            return operation == Modifier::add ? in_space<float, combine_add<float>>(space) : HandlerPair{};
        case Type::f64:
            return operation == Modifier::add ? in_space<double, combine_add<double>>(space) : HandlerPair{};
        default:
            return {};
    }
}

}  // namespace lab::machine
