// One warp's memory accesses in random shapes, and a kernel that executes them, for tests of counters.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace lab::machine::testing {

struct Width {
    const char* type;
    unsigned bytes;
};
inline constexpr Width widths[] = {{"u8", 1},     {"u16", 2},    {"u32", 4},    {"u64", 8},     {"v2.u8", 2},  {"v4.u8", 4},
                                   {"v2.u16", 4}, {"v2.u32", 8}, {"v4.u16", 8}, {"v4.u32", 16}, {"v2.u64", 16}};

// One warp's access: 32 byte offsets and which lanes take part.
struct Pattern {
    std::array<std::uint32_t, 32> offset{};
    std::uint32_t mask = 0;
};

inline Pattern random_pattern(std::mt19937& random, unsigned bytes, unsigned room) {
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    Pattern pattern;
    const unsigned slots = room / bytes;
    const unsigned way = below(7);
    const unsigned stride = below(40);
    const unsigned start = below(slots);
    const unsigned few = 1 + below(9);
    for (unsigned lane = 0; lane < 32; ++lane) {
        unsigned slot = 0;
        if (way == 0) slot = start + lane * stride;          // a stride
        if (way == 1) slot = start + (lane ^ stride);        // permuted
        if (way == 2) slot = below(slots);                   // anywhere
        if (way == 3) slot = start + below(64);              // near each other
        if (way == 4) slot = start + lane % few * stride;    // shared by several lanes
        if (way == 5) slot = start + (lane & ~1U) * stride;  // by neighbours
        if (way == 6) slot = start + (lane & ~2U) * stride;  // by lanes two apart
        pattern.offset[lane] = slot % slots * bytes;
    }
    switch (below(4)) {
        case 0:
            pattern.mask = random();
            break;
        case 1:
            pattern.mask = (1U << below(32)) - 1;
            break;
        default:
            pattern.mask = 0xffffffffU;
    }
    return pattern;
}

inline unsigned sectors_of(const Pattern& pattern, unsigned bytes) {
    std::set<std::uint64_t> sectors;
    for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned b = 0; b < bytes && (pattern.mask >> lane & 1U) != 0; ++b) sectors.insert((pattern.offset[lane] + b) / 32);
    }
    return static_cast<unsigned>(sectors.size());
}

// A loop over n patterns; each row of `in` holds 32 offsets, then 32 flags.
inline std::string looping_kernel(const std::string& space, const Width& width, bool is_store, const std::string& base) {
    const std::string type = width.type;
    const bool wide = type.find("64") != std::string::npos;
    const std::string one = wide ? "%rd2" : "%r20";
    std::string data = one;
    if (type[0] == 'v') {
        const int elements = type[1] - '0';
        data = "{";
        for (int i = 0; i < elements; ++i) data += std::string(i != 0 ? ", " : "") + (wide ? "%rd" : "%r") + std::to_string(20 + i);
        data += "}";
    }
    const std::string address = space == "shared" ? "%r5" : "%rd5";
    const std::string access = is_store ? "st." + space + "." + type + " [" + address + "], " + data
                                        : "ld." + space + "." + type + " " + data + ", [" + address + "]";
    return "mov.u32 %r1, 0; mul.wide.u32 %rd1, %w, 4; add.s64 %rd1, %rd1, %in; mov.u32 %r20, 1; mov.u32 %r21, 2; mov.u32 %r22, 3; mov.u32 "
           "%r23, 4;"
           "mov.u64 %rd20, 1; mov.u64 %rd21, 2; mov.u64 %rd2, 3;\n"
           "TOP: setp.ge.u32 %p1, %r1, %n; @%p1 bra OUT;\n"
           "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1+128]; setp.ne.u32 %p2, %r3, 0;\n" +
           base + "@%p2 " + access + ";\nadd.s64 %rd1, %rd1, 256; add.u32 %r1, %r1, 1; bra.uni TOP;\nOUT: mov.u32 %v, 0;";
}

inline std::vector<std::uint32_t> rows_of(const std::vector<Pattern>& patterns) {
    std::vector<std::uint32_t> rows;
    for (const Pattern& pattern : patterns) {
        rows.insert(rows.end(), pattern.offset.begin(), pattern.offset.end());
        for (unsigned lane = 0; lane < 32; ++lane) rows.push_back(pattern.mask >> lane & 1U);
    }
    return rows;
}

}  // namespace lab::machine::testing
