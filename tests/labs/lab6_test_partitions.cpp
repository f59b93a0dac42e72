// Lab 6, technique: each tile once, an even load for all partitions, accesses as lab 5 taught, and the study of block shapes.
#include <cmath>

#include "common/grading/recorded_accesses.h"
#include "tests/labs/lab6_kernels.h"

namespace lab::grading {
namespace {

// One launch of each kernel, its output checked; `judge` looks at what was counted.
void expect_of_counts(const std::string& purpose, const std::vector<std::pair<int, int>>& sizes, const std::string& device,
                      const std::function<Message(const Kernel&, const Transposition&, const Call&, const Result&)>& judge) {
    Random random(purpose);
    Shapes shapes;
    for (const auto& [nx, ny] : sizes) {
        const Transposition work = diagonal_work(nx, ny, random);
        for (const Kernel& kernel : kernels) {
            shapes.attempt(fmt::format("{} at {}", kernel.name, work.size()), [&] {
                Call call = call_with(kernel.name, work, kernel.block, random);
                if (!device.empty()) {
                    call.device(device);
                }
                const Result result = call.run(student());
                const JudgeCounts judge_these = [&](const Result& one) { return judge(kernel, work, call, one); };
                // The matrices that show camping are too large for a search.
                const bool searches = device.empty();
                return judge_counts(
                           work.judge(result, call), call, result, [&] { return work.expected(); }, judge_these, searches)
                    .at(named(kernel, work));
            });
        }
    }
    shapes.judge();
}

// All elements are right, so every tile has been some block's; if no byte was moved twice, none was two blocks'.
TEST_F(Lab6, MovesEachTileOnce) {
    grade_as({6, Group::technique, 5});
    expect_of_counts(
        "tiles", {{128, 160}, {300, 70}, {45, 203}}, "", [](const Kernel&, const Transposition& work, const Call&, const Result& result) {
            const double wanted = static_cast<double>(work.elements());
            for (const auto& [access, what] : {std::pair{&Counters::global_store, "stored"}, std::pair{&Counters::global_load, "loaded"}}) {
                const double elements = count(result, access, &MemoryCounts::bytes) / sizeof(float);
                if (elements == wanted) {
                    continue;
                }
                if (elements < wanted) {
                    return Message(fmt::format("only {} elements are {}, the matrix has {}", elements, what, wanted));
                }
                return Message(fmt::format("{} elements are {}, the matrix has {}: tiles are moved more than once", elements, what, wanted),
                               {"each block takes one tile of the grid; the map from blocks to tiles has to be one to one",
                                "write it down for a grid of 3 x 2: which tile does each of the six blocks get?"})
                    .of(Topic::moved_twice);
            }
            return Message();
        });
    record_measurement("each element loaded and stored once", "counted");
}

[[nodiscard]] double camping(const Result& result, trace::PartitionTraffic trace::PartitionCounts::*access) {
    return (result.launches.at(0).partitions.*access).camping();
}

constexpr double max_camping = 1.25;

TEST_F(Lab6, SpreadsItsTrafficOverThePartitions) {
    grade_as({6, Group::technique, 8});
    Random random("yardstick");
    double worst = 0;
    double cartesian_order = 0;
    expect_of_counts(
        "partitions", {{1024, 512}, {512, 1024}}, "gtx280",
        [&](const Kernel& kernel, const Transposition& work, const Call& /*call*/, const Result& result) -> Message {
            const double loads = camping(result, &trace::PartitionCounts::load);
            const double stores = camping(result, &trace::PartitionCounts::store);
            if (is_trial()) return {loads <= max_camping && stores <= max_camping ? "" : "partition camping"};
            Call yardstick = call_with(kernel.cartesian, work, kernel.block, random);
            yardstick.device("gtx280");
            const Result beside = run_reference(yardstick, [&](const Result& of) { return work.judge(of, yardstick); }).result;
            const double cartesian_loads = camping(beside, &trace::PartitionCounts::load);
            const double cartesian_stores = camping(beside, &trace::PartitionCounts::store);
            worst = std::max({worst, loads, stores});
            cartesian_order = std::max({cartesian_order, cartesian_loads, cartesian_stores});
            if (loads <= max_camping && stores <= max_camping) {
                return {};
            }
            const bool is_load = loads > stores;
            const double busiest = is_load ? loads : stores;
            const bool is_cartesian = std::abs(busiest - (is_load ? cartesian_loads : cartesian_stores)) < 0.005;
            // Tiles of one row of `in` are stored to one column of `out`; with a grid over `out` it is the other way round.
            const bool covers_out = kernel.name == std::string(diagonal_col.name);
            return Message(
                       fmt::format("partition camping: {} keep the busiest of 8 partitions at {:.2f} times the mean{}, {} is allowed: do "
                                   "blocks that start one after another get tiles of the same {}?",
                                   is_load ? "loads" : "stores", busiest, is_cartesian ? " as in cartesian order" : "", max_camping,
                                   is_load == covers_out ? "row (y)" : "column (x)"),
                       {fmt::format("counted on the emulated GTX 280, over the blocks that it runs at a time: loads {:.2f}, stores {:.2f}",
                                    loads, stores),
                        fmt::format("the same kernel in cartesian order: loads {:.2f}, stores {:.2f}", cartesian_loads, cartesian_stores),
                        "a partition has 256 bytes in a row, 8 partitions alternate: what is a multiple of 2048 bytes apart shares one",
                        "blocks that start one after another have to read from different columns of tiles, and to write to different ones"})
                .of(Topic::partition_camping);
        });
    record_measurement(fmt::format("busiest partition over the mean: {:.2f}; in cartesian order {:.2f}", worst, cartesian_order),
                       "counted for gtx280");
}

// Sectors of a kernel's loads or stores against the fewest that hold as many bytes; sizes are multiples of a sector's 8 floats.
[[nodiscard]] Message judge_coalescing(const Transposition& work, const Call& call, const Result& result, const std::string& kind) {
    const double sectors = count(result, global_access(kind), &MemoryCounts::sectors);
    const double fewest = static_cast<double>(work.elements()) * sizeof(float) / 32;
    if (sectors <= fewest) {
        return {};
    }
    const std::string counts = fmt::format("{}s take {} sectors of 32 bytes, {} are enough", kind, sectors, fewest);
    const Message plain =
        Message("not coalesced: " + counts, {fmt::format("neighbouring threads (threadIdx.x) have to {} neighbouring addresses",
                                                         kind == "load" ? "load from" : "store to")})
            .of(Topic::not_coalesced);
    return explained_by_distance(plain, RecordedAccesses(call), {"not coalesced", counts, kind, {{"in", work.nx}, {"out", work.ny}}});
}

[[nodiscard]] Message judge_banks(const Call& call, const Result& result) {
    const double of_loads = count(result, &Counters::shared_load, &MemoryCounts::conflicts);
    const double conflicts = of_loads + count(result, &Counters::shared_store, &MemoryCounts::conflicts);
    const double requests =
        count(result, &Counters::shared_load, &MemoryCounts::requests) + count(result, &Counters::shared_store, &MemoryCounts::requests);
    if (conflicts == 0) {
        return {};
    }
    const Message plain =
        Message(fmt::format("bank conflicts: {} in {} accesses of warps to shared memory", conflicts, requests),
                {"32 banks take words alternately: a column of a tile 32 words wide lies in one bank, of one 33 wide in all 32"})
            .of(Topic::bank_conflicts);
    return explained_by_banks(plain, RecordedAccesses(call), 2 * of_loads > conflicts ? "load" : "store",
                              fmt::format("{} conflicts in {} accesses, 0 are allowed", conflicts, requests), ask_for_padding);
}

// What lab 5 taught stays: row order loads coalesced, column order stores so, and the tile does both, with no bank conflict.
TEST_F(Lab6, KeepsAccessesCoalescedAndBanksApart) {
    grade_as({6, Group::technique, 3});
    expect_of_counts("coalesced", {{256, 192}}, "",
                     [](const Kernel& kernel, const Transposition& work, const Call& call, const Result& result) {
                         const bool is_tiled = kernel.name == std::string(diagonal_smem_pad.name);
                         Message problem;
                         if (is_tiled || kernel.name == std::string(diagonal_row.name)) {
                             problem = judge_coalescing(work, call, result, "load");
                         }
                         if (problem.empty() && (is_tiled || kernel.name == std::string(diagonal_col.name))) {
                             problem = judge_coalescing(work, call, result, "store");
                         }
                         return problem.empty() && is_tiled ? judge_banks(call, result) : problem;
                     });
}

// As the BlockShapes of common/api/lab6.h, in their order.
struct NamedShape {
    const char* name;
    int x, y;
};
constexpr std::array block_shapes{NamedShape{"none", 0, 0},  NamedShape{"256x1", 256, 1}, NamedShape{"128x2", 128, 2},
                                  NamedShape{"64x4", 64, 4}, NamedShape{"32x8", 32, 8},   NamedShape{"16x16", 16, 16},
                                  NamedShape{"8x32", 8, 32}, NamedShape{"4x64", 4, 64}};

struct Choice {
    std::size_t shape = 0;
    double load_sectors = 0, store_sectors = 0;
};

// How long diagonal_col takes in each shape, and in the chosen one how many sectors its accesses take.
struct Study {
    std::string device;
    std::array<double, block_shapes.size()> ms{};
    double load_sectors = 0, store_sectors = 0;
    std::string times;
    Message problem;
};

[[nodiscard]] Study study_of(const std::string& device, const Choice& choice, Random& random) {
    Study study;
    study.device = device;
    constexpr int side = 512;
    Transposition work(2 * side, side, random);
    for (std::size_t i = 1; i < block_shapes.size() && study.problem.empty(); ++i) {
        Kernel kernel = diagonal_col;
        kernel.block = {block_shapes[i].x, block_shapes[i].y};
        auto candidate = on_device(device, own(kernel, random));
        candidate.judge = [&, i](const Transposition& moved, const Result& result, const Call& call) {
            Message problem = moved.judge(result, call);
            if (problem.empty() && i == choice.shape) {
                study.load_sectors = sectors_per_request(result, &Counters::global_load);
                study.store_sectors = sectors_per_request(result, &Counters::global_store);
            }
            return problem;
        };
        const Measured measured = measure(work, candidate);
        study.problem = measured.problem.at(named(kernel, work));
        study.times = measured.kind;
        if (measured.problem.empty()) {
            study.ms.at(i) = measured.times.median();
        }
    }
    return study;
}

// Which of the named sectors are wrong, and how, for a good shape.
[[nodiscard]] std::string wrong_sectors(const Choice& choice, const Study& study) {
    if (choice.load_sectors == study.store_sectors && choice.store_sectors == study.load_sectors) {
        return fmt::format("the sectors of a warp's load and of its store are exchanged ({} and {})", choice.load_sectors,
                           choice.store_sectors);
    }
    const bool load = choice.load_sectors != study.load_sectors;
    const bool store = choice.store_sectors != study.store_sectors;
    const std::string which =
        load && store
            ? fmt::format("a warp's load and store fall into other numbers of 32-byte sectors than {} and {}", choice.load_sectors,
                          choice.store_sectors)
            : fmt::format("a warp's {} falls into another number of 32-byte sectors than {} ({} is right)", load ? "load" : "store",
                          load ? choice.load_sectors : choice.store_sectors, load ? "its store" : "its load");
    const bool is_half = load && 2 * choice.load_sectors == study.load_sectors && study.device == "gtx280";
    const bool is_double = load && choice.load_sectors == 2 * study.load_sectors && study.device == "h100";
    return which + (is_half     ? ": a GTX 280 serves half-warps one after the other, and moves a sector that both use twice"
                    : is_double ? ": are half-warps counted, which an H100 doesn't have?"
                                : "");
}

// What is wrong with the choice, by the times of all shapes.
[[nodiscard]] Message judge_choice(const std::string& constant, const Choice& choice, const Study& study) {
    const auto best = static_cast<std::size_t>(std::min_element(study.ms.begin() + 1, study.ms.end()) - study.ms.begin());
    std::vector<std::string> rows{fmt::format("times of diagonal_col, {}:", study.times)};
    for (std::size_t i = 1; i < block_shapes.size(); ++i) {
        rows.push_back(fmt::format("  {:<6} {:.4g} ms", block_shapes[i].name, study.ms.at(i)));
    }
    record_measurement(fmt::format("{}: {} takes {:.4g} ms, the fastest shape {:.4g} ms", constant, block_shapes[choice.shape].name,
                                   study.ms.at(choice.shape), study.ms.at(best)),
                       study.times);
    constexpr double tolerance = 1.1;  // shapes within a tenth are as good as each other
    if (study.ms.at(choice.shape) > tolerance * study.ms.at(best)) {
        return Message(fmt::format("{}: blocks of {} take {:.2f} times as long as your kernel's best shape", constant,
                                   block_shapes[choice.shape].name, study.ms.at(choice.shape) / study.ms.at(best)),
                       lines(rows))
            .of(Topic::slow_shape);
    }
    if ((choice.load_sectors != study.load_sectors || choice.store_sectors != study.store_sectors)) {
        return Message(fmt::format("{}: the shape is good, but {}", constant, wrong_sectors(choice, study)),
                       {"draw the warp: 32 threads, first along x, then along y; which of them have neighbouring addresses in `in`, which "
                        "in `out`?",
                        "on a GTX 280 half-warps are served one after the other, and a sector that both halves use is moved twice"})
            .of(Topic::wrong_sectors);
    }
    return {};
}

TEST_F(Lab6, NamesTheBestBlockShape) {
    grade_as({6, Group::technique, 4});
    Call question("best_blocks");
    const Result answer = question.run(student());
    if (!answer.problem.empty()) {
        return fail(answer.problem.at("best_blocks"));
    }
    Random random("study");
    for (const std::string device : {"gtx280", "h100"}) {
        const std::string constant = "best_on_" + device;
        const auto& given = answer.values.at(device);
        const Choice choice{given.at("shape").get<std::size_t>(), given.at("load_sectors").get<double>(),
                            given.at("store_sectors").get<double>()};
        if (choice.shape == 0 || choice.shape >= block_shapes.size()) {
            fail(Message(constant + " names no shape yet", {"time diagonal_col in each BlockShape and name the fastest: part (c)"})
                     .on(Section::task)
                     .of(Topic::no_shape)
                     .at(constant));
            continue;
        }
        const Study study = study_of(device, choice, random);
        const Message wrong = study.problem.empty() ? judge_choice(constant, choice, study) : study.problem;
        expect(wrong.empty(), wrong.at(constant));
    }
}

}  // namespace
}  // namespace lab::grading
