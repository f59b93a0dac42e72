#include "common/trace/counters.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lab::trace {
namespace {

constexpr std::array memory_counts{
#define MEMORY_COUNT(name, ...) &MemoryCounts::name,
#include "common/trace/counters.inc"
};
constexpr std::array work_counts{
#define WARP_WORK(member, ...) &WarpWork::member,
#include "common/trace/counters.inc"
};
constexpr std::array accesses{
#define ACCESS(name, ...) &Counters::name,
#include "common/trace/counters.inc"
};
constexpr std::array plain_counts{
#define COUNTER(member, ...) &Counters::member,
#include "common/trace/counters.inc"
};

template <class Each>
void each_count(Counters& counters, const Counters& other, Each each) {
    for (const auto access : accesses) {
        for (const auto count : memory_counts) each(counters.*access.*count, other.*access.*count);
    }
    for (const auto count : work_counts) each(counters.slowest.*count, other.slowest.*count);
    for (const auto count : plain_counts) each(counters.*count, other.*count);
}

enum MemoryKind : unsigned { global = 1, shared = 2, constant = 4 };

struct AccessNames {
#define MEMORY_COUNT(name, ...) ProfilerNames name{};
#include "common/trace/counters.inc"
};
struct AccessRow {
    const char* name;
    MemoryKind memory;
    Reported reported;
    const char* description;
    MemoryCounts Counters::*access;
    AccessNames profilers;
};
constexpr AccessRow access_rows[] = {
#define ACCESS(name_, memory_, reported_, description_, ...) \
    {#name_, memory_, Reported::reported_, description_, &Counters::name_, {__VA_ARGS__}},
#include "common/trace/counters.inc"
};

void add_access(std::vector<CounterRow>* rows, const AccessRow& of) {
    const auto add = [&](const char* name, CounterUnit unit, unsigned memories, const char* description, const ProfilerNames& profilers,
                         std::uint64_t MemoryCounts::*count) {
        if ((memories & of.memory) == 0) return;
        // The constant cache serves one word a pass, as a bank of shared memory does.
        const bool is_pass = of.memory == constant && unit == CounterUnit::wavefronts;
        rows->push_back({.group = of.name,
                         .name = is_pass ? "passes" : name,
                         .unit = unit,
                         .reported = of.reported,
                         .of = of.description,
                         .description = description,
                         .profilers = profilers,
                         .access = of.access,
                         .access_count = count});
    };
#define MEMORY_COUNT(name, unit, memories, description) \
    add(#name, CounterUnit::unit, memories, description, of.profilers.name, &MemoryCounts::name);
#include "common/trace/counters.inc"
}

std::vector<CounterRow> all_rows() {
    std::vector<CounterRow> rows;
    for (const AccessRow& access : access_rows) add_access(&rows, access);
#define COUNTER(member, group_, name_, unit_, reported_, description_, ...) \
    rows.push_back({.group = group_,                                        \
                    .name = name_,                                          \
                    .unit = CounterUnit::unit_,                             \
                    .reported = Reported::reported_,                        \
                    .of = {},                                               \
                    .description = description_,                            \
                    .profilers = __VA_ARGS__,                               \
                    .plain = &Counters::member});
#define WARP_WORK(member, name_, unit_, one_, description_) \
    rows.push_back({.group = "slowest_warps",               \
                    .name = (name_),                        \
                    .unit = CounterUnit::unit_,             \
                    .reported = Reported::by_launch,        \
                    .of = {},                               \
                    .description = (description_),          \
                    .one = (one_),                          \
                    .work = &WarpWork::member});
#include "common/trace/counters.inc"
    return rows;
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

const char* name_of(CounterUnit unit) {
    constexpr std::array names{"instructions", "sectors", "transactions", "lines",  "bytes",     "wavefronts",
                               "barriers",     "threads", "warps",        "blocks", "latencies", "waits"};
    return names.at(static_cast<std::size_t>(unit));
}

std::uint64_t& CounterRow::stored(Counters& counters) const {
    return access != nullptr ? counters.*access.*access_count : work != nullptr ? counters.slowest.*work : counters.*plain;
}

std::uint64_t CounterRow::stored(const Counters& counters) const {
    return access != nullptr ? counters.*access.*access_count : work != nullptr ? counters.slowest.*work : counters.*plain;
}

const std::vector<CounterRow>& counter_rows() {
    // Never destroyed: a report written at exit reads it.
    static const auto* const rows = new std::vector<CounterRow>(all_rows());
    return *rows;
}

const CounterRow& counter_row(std::string_view group, std::string_view name) {
    const std::vector<CounterRow>& rows = counter_rows();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const CounterRow& row) { return row.group == group && row.name == name; });
    if (found == rows.end()) throw std::out_of_range("no counter " + std::string(group) + "." + std::string(name));
    return *found;
}

}  // namespace lab::trace
