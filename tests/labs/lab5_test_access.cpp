// Grades the memory accesses of lab 5's kernels, by the emulator's counters.
#include "common/grading/recorded_accesses.h"
#include "tests/labs/lab5_kernels.h"

namespace lab::grading {
namespace {

constexpr int nx = 256;  // what every block covers in whole, so that only the order of accesses counts
constexpr int ny = 384;

// Judges the counts of each kernel's launch, its output checked.
void expect_of_counts(const std::string& purpose, const std::vector<std::string>& kernels,
                      const std::function<Message(const std::string& kernel, const Call&, const Result&)>& judge) {
    Random random(purpose);
    const Transposition work(nx, ny, random);
    for (const std::string& kernel : kernels) {
        Call call = call_with(kernel, work, {32, 8}, random);
        const Result result = call.run(student());
        const Message problem = judge_counts(
            work.judge(result, call), call, result, [&] { return work.expected(); },
            [&](const Result& one) { return judge(kernel, call, one); });
        if (!problem.empty()) {
            return fail(problem.at(named(kernel, work, {32, 8})));
        }
    }
}

// Bytes asked for, of those that the sectors have.
double efficiency(const Result& result, Access access) {
    const double sectors = count(result, access, &MemoryCounts::sectors);
    return sectors == 0 ? 0 : count(result, access, &MemoryCounts::bytes) / (32 * sectors);
}

// Every sector is used in full; 0.98 leaves room for a kernel that occasionally reads an extra word.
Message judge_efficiency(const Call& call, const Result& result, const std::string& kind, const std::string& way) {
    const Access access = global_access(kind);
    const double share = efficiency(result, access);
    if (share >= 0.98) {
        return {};
    }
    const double requests = count(result, access, &MemoryCounts::requests);
    const double sectors = count(result, access, &MemoryCounts::sectors);
    const std::string rule = kind + "s not coalesced";
    const Message plain =
        Message(fmt::format("{}: {} efficiency is {:.1f} % instead of 100 %", rule, kind, 100 * share),
                {fmt::format("{:.3g} sectors of 32 bytes a request: a warp that touches 32 floats in a row takes 4", sectors / requests),
                 fmt::format("gld_efficiency {:.1f} %, gst_efficiency {:.1f} %", 100 * efficiency(result, &Counters::global_load),
                             100 * efficiency(result, &Counters::global_store)),
                 way})
            .of(Topic::not_coalesced);
    const std::string counts = fmt::format("{} efficiency is {:.1f} %, 100 % is asked for", kind, 100 * share);
    return explained_by_distance(plain, RecordedAccesses(call), {rule, counts, kind, {{"in", nx}, {"out", ny}}});
}

double threads_of(const Result& result) {
    const trace::Launch& launch = result.launches.at(0);
    return static_cast<double>(launch.grid.count()) * static_cast<double>(launch.block.count());
}

double dynamic_bytes(const Result& result) { return result.launches.at(0).dynamic_shared_bytes; }

TEST_F(Lab5, PlainKernelsWalkAlongRowsOnTheirOwnSide) {
    grade_as({5, Group::technique, 4});
    std::string table;
    expect_of_counts("side", plain_kernels, [&](const std::string& kernel, const Call& call, const Result& result) {
        table += is_trial()
                     ? ""
                     : fmt::format("{}{}: gld {:.1f} %, gst {:.1f} %", table.empty() ? "" : "; ", kernel,
                                   100 * efficiency(result, &Counters::global_load), 100 * efficiency(result, &Counters::global_store));
        const bool by_row = kernel.find("_row") != std::string::npos;
        return by_row ? judge_efficiency(call, result, "load", "_row: threadIdx.x chooses the column of `in`")
                      : judge_efficiency(call, result, "store", "_col: threadIdx.x chooses the column of `out`");
    });
    if (!table.empty()) {
        record_measurement(table, "counted");
    }
}

TEST_F(Lab5, UnrolledKernelsMoveFourElementsAThread) {
    grade_as({5, Group::technique, 3});
    expect_of_counts(
        "unrolled", {"unroll4_row", "unroll4_col"},
        [](const std::string& /*kernel*/, const Call& /*call*/, const Result& result) -> Message {
            const double threads = threads_of(result);
            const double each = nx * ny / threads;
            if (each >= 4) {
                return {};
            }
            return Message(fmt::format("not unrolled, or a grid too large: {:.3g} of 4 elements for each thread that was launched", each),
                           {fmt::format("{} threads were launched for {} x {} elements", threads, nx, ny),
                            "what does covered_by_unroll4 return for this block? The grid follows from it"})
                .of(Topic::not_unrolled);
        });
}

TEST_F(Lab5, TiledKernelsCoalesceLoadsAndStores) {
    grade_as({5, Group::technique, 5});
    const std::string way = "read the tile along rows of `in`, and write along rows of `out`: let threadIdx.x run along both";
    expect_of_counts("tiled", tiled_kernels, [&](const std::string& /*kernel*/, const Call& call, const Result& result) {
        const Message loads = judge_efficiency(call, result, "load", way);
        return loads.empty() ? judge_efficiency(call, result, "store", way) : loads;
    });
}

double conflicts_a_request(const Result& result, Access access) {
    const double requests = count(result, access, &MemoryCounts::requests);
    return requests == 0 ? 0 : count(result, access, &MemoryCounts::conflicts) / requests;
}

TEST_F(Lab5, PaddingRemovesTheBankConflicts) {
    grade_as({5, Group::technique, 5});
    expect_of_counts("banks", tiled_kernels, [](const std::string& kernel, const Call& call, const Result& result) -> Message {
        const double loads = conflicts_a_request(result, &Counters::shared_load);
        const double stores = conflicts_a_request(result, &Counters::shared_store);
        const std::string counts = fmt::format("conflicts a request: loads from shared memory {:.3g}, stores {:.3g}", loads, stores);
        if (kernel != "smem") {
            if (loads + stores == 0) {
                return {};
            }
            const std::string each = fmt::format("{:.3g}", std::max(loads, stores));
            const Message plain =
                Message("bank conflicts: " + each + " for each access to a column of the tile",
                        {counts, "words of a column must lie in different banks: how many words is a row of your tile long?"})
                    .of(Topic::bank_conflicts);
            return explained_by_banks(plain, RecordedAccesses(call), loads > stores ? "load" : "store",
                                      each + " conflicts an access, 0 are allowed", ask_for_padding);
        }
        // In one warp 32 words of one bank: 31 conflicts.
        return std::max(loads, stores) == 31
                   ? Message()
                   : Message(
                         fmt::format("smem has {:.3g} bank conflicts a request on its column side instead of 31", std::max(loads, stores)),
                         {counts,
                          "this step shows what 32 words in one bank cost: a tile of 32 x 32 floats without padding, read along "
                          "rows of `in`, written along rows of `out`"})
                         .on(Section::task)
                         .of(Topic::no_bank_conflicts);
    });
}

TEST_F(Lab5, SmemUnrollPadAsksForTheSharedMemoryOfItsTile) {
    grade_as({5, Group::technique, 3});
    const std::string kernel = "smem_unroll_pad";
    expect_of_counts("dynamic", {kernel}, [](const std::string& /*kernel*/, const Call& /*call*/, const Result& result) -> Message {
        const double dynamic = dynamic_bytes(result);
        const double least = nx * ny / threads_of(result) * 256 * sizeof(float);  // of what a block moves, without padding
        const std::string counts = fmt::format("a block moves {} bytes; it was launched with {} of dynamic shared memory", least, dynamic);
        if (least < 2 * 32 * 32 * sizeof(float)) {
            return Message("not unrolled: a block of 32 x 8 threads has to move two tiles of 32 x 32 elements", {counts})
                .on(Section::task)
                .of(Topic::not_unrolled);
        }
        if (dynamic == 0) {
            return Message("the tile is not in dynamic shared memory: its size should follow from the block's at launch", {counts})
                .on(Section::task)
                .of(Topic::not_dynamic);
        }
        return dynamic <= 1.1 * least ? Message() : Message("more shared memory than the tile and its padding need", {counts});
    });
}

}  // namespace
}  // namespace lab::grading
