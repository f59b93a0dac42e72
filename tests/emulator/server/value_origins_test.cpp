#include "common/emulator/server/value_origins.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

namespace lab::cuda {
namespace {

constexpr std::size_t word = sizeof(float);

// Addresses of device memory: nothing is read there.
const void* device(std::size_t element) { return reinterpret_cast<const void*>(0x7000000000 + element * word); }

std::vector<float> numbers(std::size_t count, float first) {
    std::vector<float> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
}

ByteRows flat(const void* at, std::size_t elements) { return {at, elements * word, elements * word, 1}; }

Values values(const std::vector<float>& of, float poison = -1) {
    Values all{reinterpret_cast<const std::byte*>(of.data()), of.size(), word, 0};
    std::memcpy(&all.poison, &poison, word);
    return all;
}

TEST(ValueOrigins, WhatNoCopyBroughtCameFromAKernel) {
    ValueOrigins origins;
    EXPECT_EQ(origins.of_device(device(0), values(numbers(8, 1))).count, 0U);
}

TEST(ValueOrigins, WhatTheHostBroughtDidNotComeFromAKernelUntilAKernelOverwroteIt) {
    ValueOrigins origins;
    const auto brought = numbers(3000, 1);  // three pages of the record
    origins.brought(flat(device(5), 3000), brought.data(), 3000 * word, "cudaMemcpy at a.cu:7");
    auto after = brought;
    std::fill(after.begin(), after.begin() + 2000, 0.5F);
    const auto found = origins.of_device(device(5), values(after));
    EXPECT_EQ(found.count, 1000U);
    EXPECT_EQ(found.first, 2000U);
    EXPECT_EQ(found.call, "cudaMemcpy at a.cu:7");
}

TEST(ValueOrigins, WhatStillHoldsThePoisonIsLeftOut) {
    ValueOrigins origins;
    const std::vector<float> untouched(4, -1);
    origins.brought(flat(device(0), 4), untouched.data(), 4 * word, "cudaMemcpy");
    EXPECT_EQ(origins.of_device(device(0), values(untouched)).count, 0U);
    EXPECT_EQ(origins.of_host(values(untouched)).count, 0U);
}

// A transposition that copies an input column by column.
TEST(ValueOrigins, RowsOfAnInputThatACopyMovedAreTheInputs) {
    constexpr std::size_t side = 4;
    ValueOrigins origins;
    const auto input = numbers(side * side, 1);
    origins.has_input(device(100), reinterpret_cast<const std::byte*>(input.data()), input.size() * word);
    std::vector<float> transposed(side * side);
    for (std::size_t column = 0; column < side; ++column) {
        origins.moved({device(column * side), word, word, side}, {device(100 + column), side * word, word, side}, "cudaMemcpy2D");
        for (std::size_t row = 0; row < side; ++row) transposed[column * side + row] = input[row * side + column];
    }
    EXPECT_EQ(origins.of_device(device(0), values(transposed)).count, side * side);
    // Had a kernel computed the same place's value itself, it would be another one.
    transposed[3] += 0.5F;
    EXPECT_EQ(origins.of_device(device(0), values(transposed)).count, side * side - 1);
}

TEST(ValueOrigins, ACopyOfWhatAKernelStoredIsAKernels) {
    ValueOrigins origins;
    const auto brought = numbers(8, 1);
    origins.brought(flat(device(0), 8), brought.data(), 8 * word, "cudaMemcpy");
    origins.moved(flat(device(0), 8), flat(device(64), 8), "cudaMemcpy");  // from where only a kernel can have written
    EXPECT_EQ(origins.of_device(device(0), values(brought)).count, 0U);
    origins.brought(flat(device(0), 8), brought.data(), 8 * word, "cudaMemcpy");
    origins.moved(flat(device(32), 8), flat(device(0), 8), "cudaMemcpyAsync");
    const auto found = origins.of_device(device(32), values(brought));
    EXPECT_EQ(found.count, 8U);
    EXPECT_EQ(found.call, "cudaMemcpyAsync");
    origins.filled(flat(device(32), 4));
    EXPECT_EQ(origins.of_device(device(32), values(brought)).count, 4U);
}

TEST(ValueOrigins, HostMemoryHasToHoldWhatCopiesFetchedFromKernels) {
    ValueOrigins origins;
    const auto result = numbers(8, 10);
    EXPECT_EQ(origins.of_host(values(result)).count, 8U);
    origins.fetched(flat(device(0), 4), result.data(), 4 * word);
    const auto found = origins.of_host(values(result));
    EXPECT_EQ(found.count, 4U);
    EXPECT_EQ(found.first, 4U);
    // In any order: the host may have moved them since.
    EXPECT_EQ(origins.of_host(values({13, 12, 11, 10})).count, 0U);
}

TEST(ValueOrigins, WhatWasBroughtAndFetchedAgainIsStillTheHosts) {
    ValueOrigins origins;
    auto result = numbers(8, 10);
    origins.brought(flat(device(0), 8), result.data(), 8 * word, "cudaMemcpy");
    result[0] = 99;  // stored by a kernel meanwhile
    origins.fetched(flat(device(0), 8), result.data(), 8 * word);
    const auto found = origins.of_host(values(result));
    EXPECT_EQ(found.count, 7U);
    EXPECT_EQ(found.first, 1U);
}

TEST(ValueOrigins, AKernelsValuesStayItsOwnOnTheWayThroughTheHost) {
    ValueOrigins origins;
    const auto result = numbers(8, 10);
    origins.fetched(flat(device(0), 8), result.data(), 8 * word);
    origins.brought(flat(device(64), 8), result.data(), 8 * word, "cudaMemcpy");
    EXPECT_EQ(origins.of_device(device(64), values(result)).count, 0U);
}

TEST(ValueOrigins, MemoryThatHostAndDeviceShareCountsAsTold) {
    ValueOrigins origins;
    const std::vector<float> result{1.5F, 2.5F};
    std::uint32_t bits = 0;
    std::memcpy(&bits, result.data(), word);
    origins.stored(bits);
    EXPECT_EQ(origins.of_host(values(result)).count, 1U);
    origins.cannot_tell();
    EXPECT_EQ(origins.of_host(values(result)).count, 0U);
    origins.begin();
    EXPECT_EQ(origins.of_host(values(result)).count, 2U);
}

TEST(ValueOrigins, ADoubleIsAKernelsWhereOneOfItsWordsIs) {
    ValueOrigins origins;
    const std::array<double, 2> brought{1.25, 2.25};
    origins.brought(flat(device(0), 4), brought.data(), sizeof brought, "cudaMemcpy");
    std::array<double, 2> now = brought;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &now[1], sizeof bits);
    bits ^= 1;  // one of its words only
    std::memcpy(&now[1], &bits, sizeof bits);
    const Values of{reinterpret_cast<const std::byte*>(now.data()), 2, sizeof(double), 0x7ff4000000000001};
    EXPECT_EQ(origins.of_device(device(0), of).count, 1U);
    origins.fetched(flat(device(0), 4), now.data(), sizeof now);
    EXPECT_EQ(origins.of_host(of).count, 1U);  // a kernel may leave one of two words as it was
}

}  // namespace
}  // namespace lab::cuda
