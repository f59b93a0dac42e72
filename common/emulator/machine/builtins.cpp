#include "common/emulator/machine/builtins.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

std::byte* lane_memory(Warp& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t window = address >> window_shift;
    const std::uint64_t offset = address & window_offset_mask;
    if (window == local_window >> window_shift) {
        if (offset > warp.local_bytes || warp.local_bytes - offset < bytes) return nullptr;
        return warp.local + std::size_t{lane} * warp.local_bytes + offset;
    }
    if (window == shared_window >> window_shift) {
        if (offset > warp.block->shared_bytes || warp.block->shared_bytes - offset < bytes) return nullptr;
        return warp.block->shared + offset;
    }
    return warp.worker->memory->host(address, bytes);
}

namespace {

std::uint64_t argument(const Op* op, const Warp& warp, std::size_t index, unsigned lane) {
    const auto& slots = static_cast<const BuiltinDetail*>(op->detail)->arguments;
    if (index >= slots.size()) return 0;
    std::uint64_t value = 0;
    std::memcpy(&value, warp.registers + slots[index].offset + std::size_t{lane} * slots[index].lane_bytes,
                std::min<std::uint32_t>(slots[index].lane_bytes, 8));
    return value;
}

void set_result(const Op* op, Warp& warp, unsigned lane, std::uint64_t value) {
    const auto& slots = static_cast<const BuiltinDetail*>(op->detail)->results;
    if (slots.empty()) return;
    std::memcpy(warp.registers + slots[0].offset + std::size_t{lane} * slots[0].lane_bytes, &value,
                std::min<std::uint32_t>(slots[0].lane_bytes, 8));
}

// A zero-terminated string in device memory, at most 4096 characters of it.
std::string device_string(Warp& warp, unsigned lane, std::uint64_t address) {
    constexpr std::size_t longest = 4096;
    std::string text;
    while (text.size() < longest) {
        const std::byte* at = lane_memory(warp, lane, address + text.size(), 1);
        if (at == nullptr || *at == std::byte{0}) break;
        text.push_back(static_cast<char>(*at));
    }
    return text;
}

// int vprintf(const char* format, void* arguments): arguments are consecutive, each aligned to its size.
// A block prints at most as much as a GPU's buffer holds by default (cudaLimitPrintfFifoSize); the rest is lost.
const Op* device_vprintf(const Op* op, Warp& warp) {
    constexpr std::size_t most = std::size_t{1} << 20;
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (warp.worker->printed_bytes > most) {
            set_result(op, warp, lane, ~0U);
            continue;
        }
        const std::string format = device_string(warp, lane, argument(op, warp, 0, lane));
        const std::uint64_t list = argument(op, warp, 1, lane);
        const auto read = [&](std::uint64_t offset, unsigned bytes) {
            std::uint64_t value = 0;
            const std::byte* at = lane_memory(warp, lane, list + offset, bytes);
            if (at != nullptr) std::memcpy(&value, at, bytes);
            return value;
        };
        const auto text_at = [&](std::uint64_t address) { return device_string(warp, lane, address); };
        PrintfResult result = format_printf(format, read, text_at);
        set_result(op, warp, lane, static_cast<std::uint64_t>(result.conversions));
        warp.worker->printed_bytes += result.text.size();
        warp.worker->printed.push_back(std::move(result.text));
    }
    return op + 1;
}

// void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t char_size)
const Op* device_assert(const Op* op, Warp& warp) {
    const unsigned lane = first_lane(warp.mask);
    Violation violation{.kind = FindingKind::assertion, .lane = lane, .lanes = warp.mask};
    const std::string file = device_string(warp, lane, argument(op, warp, 1, lane));
    violation.text = fmt::format("assert({}) at {}:{} in {}", device_string(warp, lane, argument(op, warp, 0, lane)),
                                 file.substr(file.rfind('/') + 1),  // without its folder, which differs between machines
                                 argument(op, warp, 2, lane) & 0xffffffffU, device_string(warp, lane, argument(op, warp, 3, lane)));
    return violate(op, warp, std::move(violation));
}

const Op* bad_pointer(const Op* op, Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes) {
    return violate(
        op, warp,
        {.kind = FindingKind::out_of_bounds, .lane = lane, .lanes = 1U << lane, .address = address, .bytes = bytes, .is_store = true});
}

// Destructors of classes with virtual functions have a variant that calls free() for `delete`. There is no device heap, so only a null
// pointer can be freed.
const Op* device_free(const Op* op, Warp& warp) {
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (argument(op, warp, 0, lane) == 0) continue;
        return violate(op, warp,
                       {.kind = FindingKind::unsupported,
                        .lane = lane,
                        .lanes = 1U << lane,
                        .text = "free() or delete in device code: the emulator has no device heap"});
    }
    return op + 1;
}

template <class T>
bool store_at(Warp& warp, unsigned lane, std::uint64_t address, T value) {
    std::byte* at = lane_memory(warp, lane, address, sizeof(T));
    if (at == nullptr) return false;
    std::memcpy(at, &value, sizeof value);
    return true;
}

template <class T>
T as(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T>
std::uint64_t bits_of(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T, bool Pi>
const Op* sincos_function(const Op* op, Warp& warp) {
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        double x = as<T>(argument(op, warp, 0, lane));
        if (Pi) x = std::remainder(x, 2.0) * 3.14159265358979323846;
        if (!store_at(warp, lane, argument(op, warp, 1, lane), static_cast<T>(std::sin(x))))
            return bad_pointer(op, warp, lane, argument(op, warp, 1, lane), sizeof(T));
        if (!store_at(warp, lane, argument(op, warp, 2, lane), static_cast<T>(std::cos(x))))
            return bad_pointer(op, warp, lane, argument(op, warp, 2, lane), sizeof(T));
    }
    return op + 1;
}

// A function of two results: compute(lane, &second) returns the first one; the second one goes through the pointer that is argument `to`.
template <class Second, class Compute>
const Op* with_second_result(const Op* op, Warp& warp, std::size_t to, const Compute& compute) {
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        Second second = 0;
        const auto first = compute(lane, &second);
        const std::uint64_t address = argument(op, warp, to, lane);
        if (!store_at(warp, lane, address, second)) return bad_pointer(op, warp, lane, address, sizeof second);
        set_result(op, warp, lane, bits_of(first));
    }
    return op + 1;
}

template <class T>
const Op* frexp_function(const Op* op, Warp& warp) {
    return with_second_result<int>(op, warp, 1,
                                   [&](unsigned lane, int* exponent) { return std::frexp(as<T>(argument(op, warp, 0, lane)), exponent); });
}

template <class T>
const Op* modf_function(const Op* op, Warp& warp) {
    return with_second_result<T>(op, warp, 1,
                                 [&](unsigned lane, T* whole) { return std::modf(as<T>(argument(op, warp, 0, lane)), whole); });
}

template <class T>
const Op* remquo_function(const Op* op, Warp& warp) {
    return with_second_result<int>(op, warp, 2, [&](unsigned lane, int* quotient) {
        return std::remquo(as<T>(argument(op, warp, 0, lane)), as<T>(argument(op, warp, 1, lane)), quotient);
    });
}

}  // namespace

const Op* trap(const Op* op, Warp& warp) {
    return violate(op, warp, {.kind = FindingKind::trap, .lane = first_lane(warp.mask), .lanes = warp.mask});
}

Handler builtin_function(const std::string& name) {
    static const std::unordered_map<std::string, Handler> functions = {
        {"vprintf", device_vprintf},
        {"__assertfail", device_assert},
        {"free", device_free},
        {"__nv_sincos", sincos_function<double, false>},
        {"__nv_sincosf", sincos_function<float, false>},
        {"__nv_fast_sincosf", sincos_function<float, false>},
        {"__nv_sincospi", sincos_function<double, true>},
        {"__nv_sincospif", sincos_function<float, true>},
        {"__nv_frexp", frexp_function<double>},
        {"__nv_frexpf", frexp_function<float>},
        {"__nv_modf", modf_function<double>},
        {"__nv_modff", modf_function<float>},
        {"__nv_remquo", remquo_function<double>},
        {"__nv_remquof", remquo_function<float>},
    };
    const auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
}

}  // namespace lab::machine
