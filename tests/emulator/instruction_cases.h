// Runs one instruction of the table on a separate warp: each case in several lanes, with all lanes active, in place (the result's register
// is a source, too), and with some lanes active, of which the others must not change.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "common/emulator/machine/table.h"
#include "common/emulator/machine/worker.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::machine::testing {

inline constexpr std::uint64_t low16 = 0xffff;
inline constexpr std::uint64_t ones64 = ~std::uint64_t{0};
inline constexpr float infinity = std::numeric_limits<float>::infinity();

// Sources and result as bits; a predicate is 0 or 1. The inputs in a message identify the failed case.
struct Case {
    std::vector<std::uint64_t> in;
    std::uint64_t out = 0;
};

inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

class OneWarp {
public:
    static constexpr std::uint32_t slot_bytes = warp_size * 8;
    OneWarp() {
        worker_.config = &config_;
        warp_.worker = &worker_;
        warp_.registers = storage_;
        warp_.set_mask(all_lanes);
        std::memset(storage_, 0x5a, sizeof(storage_));
    }
    Warp& warp() { return warp_; }
    static constexpr std::uint32_t slot(unsigned i) { return i * slot_bytes; }

    void set(unsigned i, OperandType type, unsigned lane, std::uint64_t value) {
        if (type == OperandType::pred) {
            Mask& mask = predicate(warp_, slot(i));
            mask = (mask & ~(Mask{1} << lane)) | static_cast<Mask>(value & 1U) << lane;
        } else if (type == OperandType::bits32) {
            lanes_of<std::uint32_t>(warp_, slot(i))[lane] = static_cast<std::uint32_t>(value);
        } else {
            lanes_of<std::uint64_t>(warp_, slot(i))[lane] = value;
        }
    }
    std::uint64_t get(unsigned i, OperandType type, unsigned lane) {
        if (type == OperandType::pred) return (predicate(warp_, slot(i)) >> lane) & 1U;
        if (type == OperandType::bits32) return lanes_of<std::uint32_t>(warp_, slot(i))[lane];
        return lanes_of<std::uint64_t>(warp_, slot(i))[lane];
    }

private:
    alignas(64) std::byte storage_[8 * slot_bytes];
    LaunchConfig config_;
    Worker worker_;
    Warp warp_;
};

// Runs one op, followed by one that stops: under clang handlers call the next. Returns whether execution continued directly after the op.
inline bool run_one(const Definition& definition, const Op& op, Warp& warp, bool full) {
    const Handler stop = [](const Op*, Warp&) -> const Op* { return nullptr; };
    Op ops[2] = {op, Op{}};
    ops[0].run[0] = definition.run[0];
    ops[0].run[1] = definition.run[1];
    ops[1].run[0] = ops[1].run[1] = stop;
    const Op* next = ops[0].run[full ? 0 : 1](&ops[0], warp);
    return next == nullptr || next == &ops[1];
}

inline std::string describe(const std::string& opcode, const Case& one) {
    std::string text = opcode;
    char number[32];
    for (const std::uint64_t value : one.in) {
        std::snprintf(number, sizeof(number), " 0x%llx", static_cast<unsigned long long>(value));
        text += number;
    }
    return text;
}

// `result`: the slot of the result; slots 1 to 4 hold the sources.
inline void run_cases(const std::string& opcode, const Definition& definition, const std::vector<Case>& cases, Mask active, unsigned result,
                      std::uint64_t result_bits) {
    OneWarp one;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Case& mine = cases[lane % cases.size()];
        for (unsigned i = 0; i < definition.source_count; ++i) one.set(i + 1, definition.sources[i], lane, mine.in[i]);
    }
    std::vector<std::uint64_t> before;
    for (unsigned lane = 0; lane < warp_size; ++lane) before.push_back(one.get(result, definition.result, lane));
    one.warp().set_mask(active);
    Op op;
    op.dst = OneWarp::slot(result);
    op.a = OneWarp::slot(1);
    op.b = OneWarp::slot(2);
    op.c = OneWarp::slot(3);
    op.extra = OneWarp::slot(4);
    EXPECT_TRUE(run_one(definition, op, one.warp(), active == all_lanes));
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Case& mine = cases[lane % cases.size()];
        const bool is_active = ((active >> lane) & 1U) != 0;
        const std::uint64_t got = one.get(result, definition.result, lane);
        const std::uint64_t want = is_active ? mine.out & result_bits : before[lane];
        EXPECT_EQ(is_active ? got & result_bits : got, want)
            << describe(opcode, mine) << " in lane " << lane << (is_active ? "" : " (inactive)") << ", mask " << std::hex << active;
    }
}

// `result_bits`: which bits of the result the instruction defines (the low 16 for .u16).
inline void expect_results(const std::string& opcode, const std::vector<Case>& cases, std::uint64_t result_bits = ~std::uint64_t{0}) {
    const Definition* definition = Table::instance().find(ptx::encoding_of(opcode));
    ASSERT_NE(definition, nullptr) << opcode << " is missing";
    if (definition->result == OperandType::bits32) result_bits &= 0xffffffffU;
    if (definition->result == OperandType::pred) result_bits &= 1U;
    for (const Case& one : cases) ASSERT_EQ(one.in.size(), definition->source_count) << opcode;
    // All cases run under both masks: 32 lanes hold a share of a long list.
    for (std::size_t first = 0; first < cases.size(); first += warp_size) {
        const std::vector<Case> share(cases.begin() + static_cast<std::ptrdiff_t>(first),
                                      cases.begin() + static_cast<std::ptrdiff_t>(std::min(cases.size(), first + warp_size)));
        run_cases(opcode, *definition, share, all_lanes, 0, result_bits);
        run_cases(opcode, *definition, share, 0x0ff0a5c3U, 0, result_bits);
        run_cases(opcode, *definition, share, 0xf00f5a3cU, 0, result_bits);
        for (unsigned i = 0; i < definition->source_count; ++i) {
            if (definition->sources[i] == definition->result) run_cases(opcode, *definition, share, all_lanes, i + 1, result_bits);
        }
    }
}

}  // namespace lab::machine::testing
