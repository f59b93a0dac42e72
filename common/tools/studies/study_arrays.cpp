#include "common/tools/studies/study_arrays.h"

#include <cstring>
#include <random>

namespace lab::tools {
namespace {

template <typename T>
void fill(std::mt19937_64& engine, std::uint64_t count, std::byte* to) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(static_cast<double>(engine() >> 40U) * 0x1p-23 - 1);  // 24 bits: exact in float
        std::memcpy(to + i * sizeof value, &value, sizeof value);
    }
}

template <typename T>
std::uint64_t count_bits(const std::byte* raw, std::uint64_t count, T bits) {
    std::uint64_t equal = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        T value{};
        std::memcpy(&value, raw + i * sizeof value, sizeof value);
        equal += value == bits ? 1 : 0;
    }
    return equal;
}

}  // namespace

void append_random(std::uint64_t count, bool is_double, std::vector<std::byte>* raw) {
    std::mt19937_64 engine(std::random_device{}());
    const std::size_t at = raw->size();
    raw->resize(at + count * (is_double ? sizeof(double) : sizeof(float)));
    is_double ? fill<double>(engine, count, raw->data() + at) : fill<float>(engine, count, raw->data() + at);
}

std::uint64_t count_equal(const std::byte* raw, std::uint64_t count, bool is_double, std::uint64_t bits) {
    return is_double ? count_bits(raw, count, bits) : count_bits(raw, count, static_cast<std::uint32_t>(bits));
}

}  // namespace lab::tools
