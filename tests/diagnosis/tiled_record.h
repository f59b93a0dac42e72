// Records of tiled products, made up.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "common/trace/launch.h"

namespace lab::diagnosis {

using trace::AccessKind;
using trace::Recording;
using trace::Space;

// Thread, step of the loop over tiles, and step inside a tile.
struct At {
    std::uint32_t x = 0, y = 0, step = 0, k = 0;
};

// Bits of an element: M[i] is 2 i + 1, N[i] is 2 i + 2.
inline std::uint64_t bits_of(std::uint32_t array, std::uint32_t element, std::uint32_t bytes) {
    const double value = 2 * element + array + 1;
    return bytes == 8 ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

// A block of side x side threads, as the recorder keeps it, of a product P = M N with `steps` tiles a row. `side` has a default of 2.
struct Tiled {
    using Index = std::function<std::uint32_t(const At&)>;
    explicit Tiled(std::uint32_t side_of_tile = 2, std::uint32_t steps_of_loop = 2) : side(side_of_tile), steps(steps_of_loop) {
        const std::uint32_t width = side * steps, tile = side * side, n = side;
        from_M = [=](const At& at) { return at.y * width + at.step * n + at.x; };
        from_N = [=](const At& at) { return (at.step * n + at.y) * width + at.x; };
        to_M = [=](const At& at) { return at.y * n + at.x; };
        to_N = [=](const At& at) { return tile + at.y * n + at.x; };
        of_M = [=](const At& at) { return at.y * n + at.k; };
        of_N = [=](const At& at) { return tile + at.k * n + at.x; };
        output = [=](const At& at) { return at.y * width + at.x; };
        first_k = 0;
        end_k = side;
    }
    // Accesses: loads of M and N, each stored at once; reads of both tiles; stores to P.
    enum : std::uint32_t { load_M, store_M, load_N, store_N, read_M, read_N, store_P };

    [[nodiscard]] trace::Launch launch() const {
        trace::Launch made{.mangled = "k", .grid = {1, 1, 1}, .block = {side, side, 1}};
        Recording record = empty();
        Counts counts;
        for (std::uint32_t step = 0; step < steps; ++step) {
            for_each_thread([&](std::uint32_t thread, At at) {
                at.step = step;
                add(&record, &counts, load_M, thread, 2 * step, from_M(at));
                add(&record, &counts, store_M, thread, 2 * step, to_M(at), bits_of(0, from_M(at), bytes));
                add(&record, &counts, load_N, thread, 2 * step, from_N(at));
                add(&record, &counts, store_N, thread, 2 * step, to_N(at), value_of_N ? value_of_N(at) : bits_of(1, from_N(at), bytes));
            });
            for_each_thread([&](std::uint32_t thread, At at) {
                at.step = step;
                for (at.k = first_k; at.k < end_k; ++at.k) {
                    add(&record, &counts, read_M, thread, 2 * step + 1, of_M(at));
                    add(&record, &counts, read_N, thread, 2 * step + 1, of_N(at));
                }
            });
        }
        for_each_thread([&](std::uint32_t thread, const At& at) { add(&record, &counts, store_P, thread, 2 * steps, output(at)); });
        for (std::uint32_t access = 0; access < record.accesses.size(); ++access) {
            for (Recording::Request& request : record.accesses[access].kept) request.of = counts[{access, request.warp * 32}];
        }
        change(record);
        made.recording = std::make_shared<const Recording>(std::move(record));
        return made;
    }

    std::uint32_t side, steps, first_k, end_k, bytes = 4;
    Index from_M, from_N, to_M, to_N, of_M, of_N, output;
    std::function<std::uint64_t(const At&)> value_of_N;  // bits; if it is not what was loaded
    std::function<void(Recording&)> change = [](Recording&) {};

private:
    using Counts = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // executions by access and thread

    [[nodiscard]] Recording empty() const {
        Recording record;
        record.blocks = {0};
        for (const char* const name : {"M", "N", "P"})
            record.objects.push_back({name, Space::global, 65536 * (record.objects.size() + 1), 65536});
        record.objects.push_back({"sM", Space::shared, 0, std::uint64_t{bytes} * side * side});
        record.objects.push_back({"sN", Space::shared, std::uint64_t{bytes} * side * side, std::uint64_t{bytes} * 2 * side * side});
        const auto access = [&](std::uint32_t line, AccessKind kind, Space space, std::uint32_t object) {
            record.accesses.push_back({.where = {"k.cu", line, object}, .kind = kind, .space = space, .object = object, .bytes = bytes});
        };
        access(10, AccessKind::load, Space::global, 0);
        access(10, AccessKind::store, Space::shared, 3);
        access(11, AccessKind::load, Space::global, 1);
        access(11, AccessKind::store, Space::shared, 4);
        access(14, AccessKind::load, Space::shared, 3);
        access(14, AccessKind::load, Space::shared, 4);
        access(20, AccessKind::store, Space::global, 2);
        return record;
    }
    template <typename Visit>
    void for_each_thread(const Visit& visit) const {
        for (std::uint32_t thread = 0; thread < side * side; ++thread) visit(thread, At{thread % side, thread / side});
    }
    // Of warps the recorder keeps the first two and the last one, of intervals four, of executions eight.
    void add(Recording* record, Counts* counts, std::uint32_t index, std::uint32_t thread, std::uint32_t interval, std::uint32_t element,
             std::uint64_t value = 0) const {
        Recording::Access& access = record->accesses[index];
        const std::uint32_t iteration = (*counts)[{index, thread}]++, warp = thread / 32, last = (side * side - 1) / 32;
        const std::uint64_t address =
            bytes * std::uint64_t{element} + (access.space == Space::global ? record->objects[*access.object].begin : 0);
        if (iteration < 8 && (warp < 2 || warp == last)) {
            auto request =
                std::ranges::find_if(access.kept, [&](const auto& one) { return one.warp == warp && one.iteration == iteration; });
            if (request == access.kept.end()) request = access.kept.insert(request, {.warp = warp, .iteration = iteration});
            request->lanes[thread % 32] = static_cast<std::int64_t>(address);
        }
        if (access.space == Space::global) {
            record->touched.push_back({.interval = interval, .object = *access.object, .kind = access.kind});
            record->touched.back().runs = {{bytes * element, bytes * element + bytes}};
        } else if (interval < 4) {
            auto& intervals = record->intervals;
            if (intervals.empty() || intervals.back().interval != interval) intervals.push_back({.interval = interval});
            auto& words = intervals.back().words;
            for (std::uint32_t at = element * bytes / 4; at < (element + 1) * bytes / 4; ++at) {
                auto word = std::ranges::find(words, at, &Recording::Word::word);
                if (word == words.end()) word = words.insert(word, {.word = at});
                (access.kind == AccessKind::load ? word->reads : word->writes).push_back({index, thread});
                if (access.kind == AccessKind::store) word->value = static_cast<std::uint32_t>(value >> (32 * (at - element * bytes / 4)));
            }
        }
    }
};

}  // namespace lab::diagnosis
