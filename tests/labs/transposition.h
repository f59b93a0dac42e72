// What the suites of labs 5 and 6 are about: transposes of random matrices, judged to the last bit. Their speed is judged by speed.h.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/diagnosis/causes/own_element.h"
#include "common/grading/call.h"
#include "common/grading/cpu_baseline.h"
#include "common/grading/findings.h"
#include "common/grading/points.h"
#include "common/grading/recorded_accesses.h"
#include "common/grading/shapes.h"
#include "tests/labs/speed.h"

namespace lab::grading {

// A block's shape as a kernel is launched in it; 0 x 0: the kernel's own.
struct Block {
    int x = 0, y = 0;
};

// A random matrix, ny rows of nx elements, and its transpose, nx rows of ny.
struct Transposition {
    int nx = 0, ny = 0;
    std::vector<float> in;
    std::vector<float> out;
    bool maps_tiles = false;  // the kernel says which tile a block takes

    Transposition(int width, int height, Random& random)
        : nx(width), ny(height), in(random.values<float>(elements())), out(transposed(in, rows(), cols())) {}
    [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(ny); }
    [[nodiscard]] std::size_t cols() const { return static_cast<std::size_t>(nx); }
    [[nodiscard]] std::size_t elements() const { return rows() * cols(); }
    [[nodiscard]] Shape shape() const { return {"out", cols(), rows(), true, maps_tiles}; }
    // As a kernel of lab 5 or 6 computes it.
    [[nodiscard]] Shape shape(const std::string& kernel) const {
        Shape asked = shape();
        asked.x_is_row = kernel.ends_with("_row");
        asked.unroll = kernel.rfind("unroll4", 0) == 0 ? 4 : kernel == "smem_unroll_pad" ? 2 : 1;
        asked.unrolls_y = kernel == "smem_unroll_pad";
        return asked;
    }
    // Other input with a known transpose, for the next round of a timing: each row of `in` moved left by one, the rows of `out` up.
    void rotate() {
        for (auto row = in.begin(); row != in.end(); row += nx) {
            const float first = *row;
            std::copy(row + 1, row + nx, row);
            *(row + nx - 1) = first;
        }
        const std::vector<float> first(out.begin(), out.begin() + ny);
        std::copy(out.begin() + ny, out.end(), out.begin());
        std::copy(first.begin(), first.end(), out.end() - ny);
    }
    // Bounds are 0: a transpose computes nothing, so every bit has to be right.
    [[nodiscard]] static Expected exactly(const std::vector<float>& values) {
        return {{values.begin(), values.end()}, std::vector<double>(values.size())};
    }
    [[nodiscard]] Expected expected() const {
        Expected whole = exactly(out);
        whole.source = std::make_shared<const Source>(Source{"in", {in.begin(), in.end()}, cols()});
        return whole;
    }
    // `expected`: made where it is needed, as a right output is compared bit by bit.
    template <typename MakeExpected>
    [[nodiscard]] static Message judge_exactly(const Result& result, const Call& call, const Shape& shape, const std::vector<float>& values,
                                               Care care, const MakeExpected& expected) {
        if (stopped(result).empty() && result.holds("out", values)) {
            return judge_right(result, shape, care);
        }
        return judge_output<float>(result, shape, expected(), call, care);
    }
    [[nodiscard]] Message judge(const Result& result, const Call& call, Care care = Care::result) const {
        const Shape asked = shape(call.function());
        Message problem = judge_exactly(result, call, asked, out, care, [&] { return expected(); });
        const auto record = [&] { return RecordedAccesses(call).launch(); };
        problem = explained_by_index(with_walk(std::move(problem), call), launched_in(result), call.function(), record);
        if (problem.empty() || !stopped(result).empty()) {
            return problem;
        }
        if (const std::string from = origin(result.output<float>("out")); !from.empty()) {
            const auto map = std::find_if(problem.evidence.begin(), problem.evidence.end(),
                                          [](const Line& line) { return line.kind == Line::Kind::map; });
            problem.evidence.insert(map, Line(from));
            problem.topics.insert(Topic::misplaced_elements);
        }
        return problem;
    }
    // A problem in shared memory, explained by how threads walk over the tile.
    [[nodiscard]] Message with_walk(Message problem, const Call& call) const {
        if (problem.topics.count(Topic::shared_memory) == 0 || problem.proof != Proof::none || problem.kind == Topic::divergent_barrier) {
            return problem;
        }
        const Shape asked = shape(call.function());
        const trace::Launch launch = RecordedAccesses(call).launch();
        const std::size_t halves = asked.unrolls_y ? asked.unroll : 1;
        const std::size_t side = launch.block.x;
        const bool is_whole = rows() % side == 0 && cols() % (halves * side) == 0;
        Message explained = explained_by_walk(std::move(problem), launch, {halves, is_whole});
        if (!diagnosis::is_searched(explained.cause)) give_up_search(launch.mangled);
        return explained;
    }
    // The message with the wrong index that its accesses show: in a fault outside a matrix, or where tiles are missing. `record`: the
    // launch with its accesses.
    template <typename Record>
    [[nodiscard]] Message explained_by_index(Message problem, const Launched& launched, const std::string& function,
                                             const Record& record) const {
        const Shape asked = shape(function);
        const bool is_tiled = function.find("smem") != std::string::npos;
        if (problem.kind == Topic::out_of_bounds && !problem.findings.empty() && problem.proof == Proof::none) {
            const bool covers_in = asked.x_is_row || function == "diagonal_smem_pad";
            const std::string place = place_of_thread(problem.findings.front(), launched, {asked, covers_in, is_tiled});
            const bool is_placed = problem.what.find("its thread") != std::string::npos;
            problem.what += is_placed       ? ""
                            : place.empty() ? distances_of_fault(problem.findings.front(), asked, record(), is_tiled)
                                            : place;
        }
        const bool may_exchange_axes = maps_tiles && !is_tiled && problem.kind == Topic::none && problem.proof >= Proof::several;
        return may_exchange_axes ? led_by_axes(std::move(problem), asked, record()) : problem;
    }
    // The verdict of a call that is judged in any order of blocks and warps, explained in the same way.
    [[nodiscard]] Message judge_order(Call& call, FindingKind kind) const {
        Message problem = with_walk(judge_in_any_order<float>(call, shape(call.function()), expected(), kind), call);
        const bool may_be = problem.kind == Topic::out_of_bounds || (maps_tiles && problem.proof >= Proof::several);
        const trace::Launch launch = may_be ? RecordedAccesses(call).launch() : trace::Launch();
        if (!launch.recording) {
            return problem;
        }
        const Launched launched{launch.grid.x, launch.grid.y, launch.block.x, launch.block.y};
        return explained_by_index(std::move(problem), launched, call.function(), [&]() -> const trace::Launch& { return launch; });
    }
    // The two matrices as a right kernel accesses them; a tiled one goes along the rows of both.
    [[nodiscard]] AccessedMatrix accessed(bool is_in, const Shape& asked, bool is_tiled) const {
        return is_in ? AccessedMatrix{"in", cols(), !is_tiled && !asked.x_is_row}
                     : AccessedMatrix{"out", rows(), !is_tiled && asked.x_is_row};
    }
    // Wrong distances between the accesses that preceded one outside `in` or `out`.
    [[nodiscard]] std::string distances_of_fault(const Finding& finding, const Shape& asked, const trace::Launch& launch,
                                                 bool is_tiled) const {
        const bool is_known = finding.space == MemorySpace::global && !finding.places.empty() && !finding.locations.empty();
        const std::string array = is_known ? finding.locations[0].object.name : "";
        if (array != "in" && array != "out") {
            return "";
        }
        const auto kind = finding.places[0].role == PlaceRole::write ? trace::AccessKind::store : trace::AccessKind::load;
        const auto seen = distances(launch, array, kind);
        return seen ? wrong_distances(*seen, accessed(array == "in", asked, is_tiled), kind) : "";
    }
    // The message led by exchanged axes if x goes along the other side of both matrices, which explains where the blocks write. For kernels
    // without a tile.
    [[nodiscard]] Message led_by_axes(Message problem, const Shape& asked, const trace::Launch& launch) const {
        for (const bool is_in : {true, false}) {
            const AccessedMatrix matrix = accessed(is_in, asked, false);
            const auto seen = distances(launch, matrix.name, is_in ? trace::AccessKind::load : trace::AccessKind::store);
            if (!seen || !exchanges_axes(*seen, matrix)) {
                return problem;
            }
        }
        return problem.led_by(fmt::format("threadIdx.x chooses the {0} of in instead of the {1}, and threadIdx.y the {1}: are x and y "
                                          "exchanged, in blockIdx as well?",
                                          asked.x_is_row ? "row" : "column", asked.x_is_row ? "column" : "row"),
                              "axes_exchanged");
    }
    // Of one of the first wrong elements: "out[1] holds in[64] (row 0, column 64), it should hold in[128] (row 1, column 0)".
    [[nodiscard]] std::string origin(const std::vector<float>& got) const {
        constexpr int max_tried = 4;  // each is looked for in all of `in`
        int tried = 0;
        for (std::size_t at = 0; at < got.size() && tried < max_tried; ++at) {
            if (std::isnan(got[at]) || got[at] == out[at]) {
                continue;
            }
            ++tried;
            if (const auto held = std::find(in.begin(), in.end(), got[at]); held != in.end()) {
                const std::size_t right = at % rows() * cols() + at / rows();
                return fmt::format("out[{}] holds {}, it should hold {}", at, place(static_cast<std::size_t>(held - in.begin())),
                                   place(right));
            }
        }
        return "";
    }
    [[nodiscard]] std::string place(std::size_t at) const {
        return fmt::format("in[{}] (row {}, column {})", at, at / cols(), at % cols());
    }
    // Of a kernel that copies: `out` has to be `in`.
    [[nodiscard]] Message judge_copy(const Result& result, const Call& call, Care care = Care::result) const {
        return judge_exactly(result, call, {"out", rows(), cols(), true}, in, care, [&] { return exactly(in); });
    }
    [[nodiscard]] std::string size() const { return fmt::format("nx={} ny={}", nx, ny); }
    // Effective bandwidth: each element read once and written once.
    [[nodiscard]] double bytes() const { return 2.0 * sizeof(float) * static_cast<double>(elements()); }
    [[nodiscard]] std::string rate(double ms) const { return fmt::format("{:.4g} GB/s", 1e-6 * bytes() / ms); }
    [[nodiscard]] double cpu_ms() const { return cpu_transpose_ms(nx, ny); }
    [[nodiscard]] double traffic(const Result& result) const {
        return 32 *
               (count(result, &Counters::global_load, &MemoryCounts::sectors) +
                count(result, &Counters::global_store, &MemoryCounts::sectors)) /
               bytes();
    }
    [[nodiscard]] std::string traffic_name() const { return "bytes in 32-byte sectors for each byte that has to be moved"; }
};

// A call of a kernel that takes nx, ny and a block's shape.
[[nodiscard]] inline Call call_with(const std::string& function, const Transposition& work, Block block, Random& random) {
    Call call(function);
    call.integer("nx", work.nx).integer("ny", work.ny).integer("block_x", block.x).integer("block_y", block.y);
    call.input("in", work.in).output<float>("out", work.elements(), random);
    // Enough for a kernel that wastes a lot, few enough for an endless one to end while its student still watches.
    call.backend().max_instructions = std::min<std::uint64_t>(1'000'000 + 100 * work.elements(), 1'000'000'000);
    return call;
}

[[nodiscard]] inline std::string shape_of(const Transposition& work, Block block = {}) {
    return block.x == 0 ? work.size() : fmt::format("{} in blocks of {}x{}", work.size(), block.x, block.y);
}

// The same in as few words as tell it from the other shapes of a test.
[[nodiscard]] inline std::string short_shape(const Transposition& work, Block block = {}) {
    return fmt::format("{} x {}{}", work.nx, work.ny, block.x == 0 ? "" : fmt::format(" in {}x{}", block.x, block.y));
}

[[nodiscard]] inline Candidate<Transposition> candidate(Program& program, const std::string& function, Block block, Random& random) {
    return {&program, [=, &random](const Transposition& work) { return call_with(function, work, block, random); }};
}

// The same of a kernel that copies, to be measured against.
[[nodiscard]] inline Candidate<Transposition> copier(Program& program, const std::string& function, Block block, Random& random) {
    return {&program, [=, &random](const Transposition& work) { return call_with(function, work, block, random); },
            [](const Transposition& work, const Result& result, const Call& call) { return work.judge_copy(result, call); }};
}

}  // namespace lab::grading
