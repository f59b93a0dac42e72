// Sums and scaling of counters.
#include <array>

#include "common/emulator/machine/launch.h"

namespace lab::machine {
namespace {

constexpr std::array memory_counts{&MemoryCounts::requests, &MemoryCounts::sectors,    &MemoryCounts::transactions, &MemoryCounts::lines,
                                   &MemoryCounts::bytes,    &MemoryCounts::wavefronts, &MemoryCounts::conflicts};
constexpr std::array work_counts{&WarpWork::parts, &WarpWork::global_wait_sixteenths, &WarpWork::shared_wait_sixteenths};
constexpr std::array spaces{&Counters::global_load,   &Counters::global_store, &Counters::global_atomic, &Counters::local_load,
                            &Counters::local_store,   &Counters::shared_load,  &Counters::shared_store,  &Counters::shared_atomic,
                            &Counters::constant_load, &Counters::mapped_load,  &Counters::mapped_store};
constexpr std::array plain_counts{&Counters::warp_instructions,
                                  &Counters::thread_instructions,
                                  &Counters::block_barriers,
                                  &Counters::joined_instructions,
                                  &Counters::joined_wavefronts,
                                  &Counters::machine_instructions,
                                  &Counters::fp32_instructions,
                                  &Counters::fp64_instructions,
                                  &Counters::special_instructions,
                                  &Counters::branches,
                                  &Counters::divergent_branches,
                                  &Counters::barriers,
                                  &Counters::exited_at_barriers,
                                  &Counters::warps,
                                  &Counters::blocks};

// All counters: one that is omitted here would be lost in sums.
static_assert(sizeof(MemoryCounts) == memory_counts.size() * sizeof(std::uint64_t));
static_assert(sizeof(WarpWork) == work_counts.size() * sizeof(std::uint64_t));
static_assert(sizeof(Counters) == spaces.size() * sizeof(MemoryCounts) + sizeof(WarpWork) + plain_counts.size() * sizeof(std::uint64_t));

template <class Each>
void each_count(Counters& counters, const Counters& other, Each each) {
    for (const auto space : spaces) {
        for (const auto count : memory_counts) each(counters.*space.*count, other.*space.*count);
    }
    for (const auto count : work_counts) each(counters.slowest.*count, other.slowest.*count);
    for (const auto count : plain_counts) each(counters.*count, other.*count);
}

}  // namespace

MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
    for (const auto count : memory_counts) this->*count += other.*count;
    return *this;
}

Counters& Counters::operator+=(const Counters& other) {
    each_count(*this, other, [](std::uint64_t& count, std::uint64_t more) { count += more; });
    return *this;
}

WarpWork& WarpWork::operator+=(const WarpWork& other) {
    for (const auto count : work_counts) this->*count += other.*count;
    return *this;
}

Counters scaled(const Counters& counters, std::uint64_t to, std::uint64_t from) {
    Counters result;
    each_count(result, counters, [&](std::uint64_t& count, std::uint64_t part) {
        count = part / from * to + (part % from * to + from / 2) / from;  // avoids a product that could overflow
    });
    return result;
}

}  // namespace lab::machine
