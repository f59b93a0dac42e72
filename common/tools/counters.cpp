#include "common/tools/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "common/emulator/machine/demangle.h"
#include "common/tools/errors.h"
#include "common/tools/run_program.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

// A counter as the tables call it.
struct Figure {
    const char* title;
    std::string_view group, name;

    [[nodiscard]] const char* metric() const { return trace::counter_row(group, name).profilers.ncu; }
};
// Figures that have to be equal.
constexpr std::array<Figure, 4> exact{{
    {"load requests", "global_load", "requests"},
    {"load sectors", "global_load", "sectors"},
    {"store requests", "global_store", "requests"},
    {"store sectors", "global_store", "sectors"},
}};
// Counts that depend on SASS as much as on the kernel.
constexpr std::array<Figure, 5> informative{{
    {"warp instructions", "instructions", "warp"},
    {"shared loads", "shared_load", "requests"},
    {"their wavefronts", "shared_load", "wavefronts"},
    {"shared stores", "shared_store", "requests"},
    {"their wavefronts", "shared_store", "wavefronts"},
}};
constexpr const Figure& shared_loads = informative[1];
constexpr const Figure& load_wavefronts = informative[2];
constexpr const Figure& shared_stores = informative[3];
constexpr const Figure& store_wavefronts = informative[4];
constexpr double max_off = 0.03;

std::vector<trace::Launch> emulate(const Project& project, const std::string& ptx) {
    ProgramOptions options;
    options.file = (project.root / "tests/gpu/counter_cases.cu").string();
    const OwnFile launches(project.build, "counters");
    options.json = launches.path().string();
    options.ptx = ptx;
    const int status = run_program(project, options);
    if (status != 0) throw BadInput(fmt::format("tests/gpu/counter_cases.cu ends with status {} in the emulator", status));
    return read_report(options.json).launches;
}

std::string base_name(const std::string& kernel) { return kernel.substr(0, kernel.find('(')); }

// The tools print types differently: the names before the arguments have to agree, without blanks.
bool same_size(const trace::Size& emulated, const std::array<unsigned, 3>& hardware) {
    return std::array{emulated.x, emulated.y, emulated.z} == hardware;
}
bool same_launch(const trace::Launch& emulated, const HardwareLaunch& hardware) {
    return machine::plain_name(emulated.kernel) == machine::plain_name(hardware.kernel) && same_size(emulated.grid, hardware.grid) &&
           same_size(emulated.block, hardware.block);
}

// One launch with three counts: clang's PTX, nvcc's PTX, the GPU.
struct Case {
    const trace::Launch* clang;
    const trace::Launch* nvcc;
    const HardwareLaunch* hardware;

    [[nodiscard]] std::array<double, 3> values(const Figure& figure) const {
        const auto metric = hardware->metrics.find(figure.metric());
        const double counted = metric == hardware->metrics.end() ? std::nan("") : metric->second;  // equal to nothing
        const auto emulated = [&](const trace::Launch& launch) {
            return trace::counter_row(figure.group, figure.name).count(launch.counters);
        };
        return {emulated(*clang), emulated(*nvcc), counted};
    }
    [[nodiscard]] bool equal(const Figure& figure) const {
        const auto [a, b, c] = values(figure);
        return a == b && b == c;
    }
    // One number if all agree.
    [[nodiscard]] std::string cell(const Figure& figure) const {
        const auto [a, b, c] = values(figure);
        if (a == b && b == c) return fmt::format("{:.0f}", a);
        const std::string counted = std::isnan(c) ? "not counted" : fmt::format("{:.0f}", c);
        return a == b ? fmt::format("{:.0f} · {}", a, counted) : fmt::format("{:.0f} · {:.0f} · {}", a, b, counted);
    }
    // Hardware also counts instructions without active lanes, so it may have more; if it has fewer, ptxas vectorised loads.
    [[nodiscard]] bool vectorised(const Figure& instructions) const {
        const auto [clang_has, nvcc_has, counted] = values(instructions);
        return counted < nvcc_has;
    }
    // Difference of nvcc's PTX, from which the SASS was made, as a share of the hardware's count.
    [[nodiscard]] double off(const Figure& figure) const {
        const auto [clang_has, nvcc_has, counted] = values(figure);
        return counted == nvcc_has ? 0 : std::abs(nvcc_has / counted - 1);
    }
    [[nodiscard]] std::string launch() const {
        const auto& block = hardware->block;
        const auto& grid = hardware->grid;
        return fmt::format("`{}` | {}x{} | {}x{}", base_name(clang->kernel), block[0], block[1], grid[0], grid[1]);
    }
};

template <std::size_t count>
std::string table(const std::vector<Case>& cases, const std::array<Figure, count>& figures, bool verdict) {
    std::string text = "| kernel | block | grid |";
    for (const Figure& figure : figures) text += fmt::format(" {} |", figure.title);
    text += verdict ? " equal |\n" : "\n";
    for (std::size_t i = 0; i < 3 + count + (verdict ? 1 : 0); ++i) text += "| --- ";
    text += "|\n";
    for (const Case& each : cases) {
        text += fmt::format("| {} |", each.launch());
        bool equal = true;
        for (const Figure& figure : figures) {
            text += fmt::format(" {} |", each.cell(figure));
            equal = equal && each.equal(figure);
        }
        text += verdict ? fmt::format(" {} |\n", equal ? "yes" : "**no**") : "\n";
    }
    return text;
}

// Wavefronts of shared memory, loads and stores separately, wherever the SASS has the PTX's accesses.
struct Wavefronts {
    std::size_t compared = 0, near = 0, vectorised = 0;
    std::string table = "| kernel | block | grid | of loads | of stores | within 3 % |\n| --- | --- | --- | --- | --- | --- |\n";

    [[nodiscard]] bool all_near() const { return near == compared; }
};

Wavefronts wavefronts(const std::vector<Case>& cases) {
    Wavefronts result;
    for (const Case& each : cases) {
        if (each.values(shared_loads)[0] + each.values(shared_stores)[0] == 0) continue;
        bool near = true;
        const auto cell = [&](const Figure& instructions, const Figure& figure) -> std::string {
            if (each.vectorised(instructions)) {
                ++result.vectorised;
                return "vectorised";
            }
            const bool is_near = each.off(figure) <= max_off;
            ++result.compared;
            result.near += is_near ? 1 : 0;
            near = near && is_near;
            return each.cell(figure);
        };
        const std::string loads = cell(shared_loads, load_wavefronts);
        const std::string stores = cell(shared_stores, store_wavefronts);
        result.table += fmt::format("| {} | {} | {} | {} |\n", each.launch(), loads, stores, near ? "yes" : "**no**");
    }
    return result;
}

template <class IsWanted>
std::string groups_of(const std::vector<const trace::CounterRow*>& rows, IsWanted is_wanted) {
    std::string text;
    for (const trace::CounterRow* const row : rows) {
        if (!is_wanted(row) || row->group.empty()) continue;
        text += fmt::format("{}`{}`", text.empty() ? "" : ", ", row->group);
    }
    return text;
}

std::string page(const std::vector<Case>& cases, std::size_t equal, const Wavefronts& shared, const CountersOptions& options) {
    return fmt::format(
        "# Counters\n\n"
        "## What is counted\n\n"
        "`./lab run --json` writes each counter of a launch in an object for its group; `./lab profile --source --json` those of memory "
        "for\neach line of the source as well.\n\n"
        "<!-- counters -->\n\n{}\n<!-- end -->\n\n"
        "## The emulator beside the hardware\n\n"
        "Every kernel of labs 2, 3, 5 and 6 in five shapes (`tests/gpu/counter_cases.cu`), each launch counted three times: in the "
        "emulator from\nclang's PTX, in the emulator from nvcc's PTX, and by Nsight Compute on {}, compute capability {}.\n"
        "A cell holds one number where all three agree; else the emulator's and, after a dot, the hardware's (three numbers: clang's PTX,\n"
        "nvcc's PTX, hardware).\n\n"
        "Made by `tests/gpu/on_device.sh` on the GPU, then `./lab counters`.\n\n"
        "### Global memory: {} of {} figures are equal\n\n{}\n"
        "### Shared memory: {} of {} figures within 3 %\n\n"
        "Wavefronts, loads and stores apart, wherever the SASS makes the accesses that the PTX has. ptxas joins neighbouring "
        "loads into\none of 8 or 16 bytes where it can: {} figures are of such.\n\n{}\n"
        "### What the last compiler changes\n\n"
        "ptxas compiles PTX to SASS: it unrolls once more, uses instructions that PTX doesn't have, and joins neighbouring loads "
        "from\nshared memory into one of 16 bytes. So these figures of the emulator, which runs PTX, may differ from the hardware's.\n\n{}",
        counter_table(), options.gpu.empty() ? "a GPU" : options.gpu, cases.front().hardware->capability, equal,
        cases.size() * exact.size(), table(cases, exact, true), shared.near, shared.compared, shared.vectorised, shared.table,
        table(cases, informative, false));
}

std::vector<Case> matched(const std::vector<trace::Launch>& clang, const std::vector<trace::Launch>& nvcc,
                          const std::vector<HardwareLaunch>& hardware) {
    if (clang.size() != hardware.size() || nvcc.size() != hardware.size()) {
        throw BadInput(
            fmt::format("the emulator ran {} launches, ncu counted {}: was that table made from today's tests/gpu/counter_cases.cu?",
                        clang.size(), hardware.size()));
    }
    std::vector<Case> cases;
    for (std::size_t i = 0; i < hardware.size(); ++i) {
        if (!same_launch(clang[i], hardware[i]) || !same_launch(nvcc[i], hardware[i])) {
            throw BadInput(fmt::format("launch {} is {} here and {} in ncu's table: was that made from today's tests/gpu/counter_cases.cu?",
                                       i + 1, clang[i].kernel, hardware[i].kernel));
        }
        cases.push_back({&clang[i], &nvcc[i], &hardware[i]});
    }
    return cases;
}

}  // namespace

std::string counter_table() {
    std::vector<const trace::CounterRow*> rows;
    for (const trace::CounterRow& row : trace::counter_rows()) {
        if (row.reported != trace::Reported::nowhere) rows.push_back(&row);
    }
    std::string accesses = "| group | accesses |\n| --- | --- |\n";
    std::string counters = "| counter | groups | unit | what is counted |\n| --- | --- | --- | --- |\n";
    std::string profilers = "| group | counter | Nsight Compute | nvprof |\n| --- | --- | --- | --- |\n";
    std::map<std::string_view, std::string_view> groups;
    for (const trace::CounterRow* const row : rows) {
        if (!row->of.empty() && groups.emplace(row->group, row->of).second) accesses += fmt::format("| `{}` | {} |\n", row->group, row->of);
    }
    for (auto row = rows.begin(); row != rows.end(); ++row) {
        const auto is_same = [&](const trace::CounterRow* other) {
            return other->name == (*row)->name && other->description == (*row)->description;
        };
        if (std::any_of(rows.begin(), row, is_same)) continue;
        counters += fmt::format("| `{}` | {} | {} | {} |\n", (*row)->name, groups_of(rows, is_same), trace::name_of((*row)->unit),
                                (*row)->description);
    }
    for (const trace::CounterRow* const row : rows) {
        const trace::ProfilerNames& names = row->profilers;
        if (*names.ncu == 0) continue;
        const std::string successor = *names.successor == 0 ? "" : fmt::format(", now `{}`", names.successor);
        const std::string nvprof = *names.nvprof == 0 ? "" : fmt::format("`{}`{}", names.nvprof, successor);
        profilers += fmt::format("| `{}` | `{}` | `{}` | {} |\n", row->group, row->name, names.ncu, nvprof);
    }
    return fmt::format("{}\n{}\nThe profilers' names of the same:\n\n{}", counters, accesses, profilers);
}

int counters(const Project& project, const CountersOptions& options) {
    if (project.backend != "emulator") throw BadInput("counters compares with the emulator: ./lab --backend emulator counters ...");
    const std::vector<HardwareLaunch> hardware = read_hardware_counters(options.hardware);
    const std::vector<trace::Launch> clang = emulate(project, "");
    const std::vector<trace::Launch> nvcc = emulate(project, options.ptx);
    const std::vector<Case> cases = matched(clang, nvcc, hardware);
    std::size_t equal = 0;
    for (const Case& each : cases) {
        for (const Figure& figure : exact) equal += each.equal(figure) ? 1 : 0;
    }
    const Wavefronts shared = wavefronts(cases);
    const std::string text = page(cases, equal, shared, options);
    if (options.table.empty()) {
        fmt::print("{}", text);
    } else {
        write_result("--table", options.table, text);
    }
    fmt::print("requests and sectors of global memory: {} of {} equal\n", equal, cases.size() * exact.size());
    fmt::print("wavefronts of shared memory: {} of {} within 3 %\n", shared.near, shared.compared);
    return equal == cases.size() * exact.size() && shared.all_near() ? 0 : exit_marks_lost;
}

}  // namespace lab::tools
