#include "common/tools/studies/hardware_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;

std::string metric_names() {
    std::vector<std::string> names{trace::counter_row("shared_load", "requests").profilers.ncu,
                                   trace::counter_row("shared_store", "requests").profilers.ncu};
    for (const Metric& metric : metrics()) {
        if (metric.ncu != "n/a") names.push_back(metric.ncu);
    }
    return fmt::format("{}", fmt::join(names, ","));
}

const HardwareLaunch& longest(const std::vector<HardwareLaunch>& launches) {
    return *std::ranges::max_element(launches, {}, [](const HardwareLaunch& launch) {
        const auto time = launch.metrics.find("gpu__time_duration.sum");
        return time == launch.metrics.end() ? 0 : time->second;
    });
}

// One line of CSV; ncu quotes every cell and doubles the quotes inside.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
                cells.back() += line[++i];
            } else {
                quoted = !quoted;
            }
        } else if (line[i] == ',' && !quoted) {
            cells.emplace_back();
        } else if (line[i] != '\r') {
            cells.back() += line[i];
        }
    }
    return cells;
}

// "(32, 125, 1)"
std::array<unsigned, 3> shape_of(const std::string& cell) {
    std::array<unsigned, 3> shape{};
    if (std::sscanf(cell.c_str(), "(%u, %u, %u)", &shape[0], &shape[1], &shape[2]) != 3)
        throw BadInput("'" + cell + "' is not a shape like (32, 8, 1)");
    return shape;
}

// "8,388,608"
double number_of(std::string cell) {
    std::erase(cell, ',');
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size()) throw BadInput("'" + cell + "' is not a count");
    return value;
}

bool is_number(const std::string& cell) { return !cell.empty() && cell.find_first_not_of("0123456789.,+-eE") == std::string::npos; }

HardwareLaunch launch_of(const std::vector<std::string>& header, const std::vector<std::string>& cells) {
    HardwareLaunch launch;
    for (std::size_t i = 0; i < header.size() && i < cells.size(); ++i) {
        const std::string& column = header[i];
        if (column == "Kernel Name") launch.kernel = cells[i];
        if (column == "CC") launch.capability = cells[i];
        if (column == "Grid Size") launch.grid = shape_of(cells[i]);
        if (column == "Block Size") launch.block = shape_of(cells[i]);
        // Sums are counts; ratios and percentages are undefined for a count of 0. ncu adds the device's and the launch's attributes, which
        // need not be numbers.
        const bool is_sum = column.ends_with(".sum");
        const bool is_ratio = column.ends_with(".ratio") || column.ends_with(".pct") || column.ends_with("_sustained_active");
        if (is_sum || (is_ratio && is_number(cells[i]))) launch.metrics[column] = number_of(cells[i]);
    }
    return launch;
}

}  // namespace

void check_ncu(const std::string& otherwise) {
    if (run({{"ncu", "--version"}}).ok()) return;
    throw BadInput(fmt::format(
        "the hardware's counters need ncu, which is not on PATH; it comes with the CUDA toolkit as Nsight Compute. {}", otherwise));
}

std::vector<HardwareLaunch> count_launches(const Project& project, const std::vector<std::string>& program, const std::string& metrics) {
    const fs::path csv = project.build / "profile_ncu.csv";
    fs::remove(csv);
    std::vector<std::string> words{"ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"};
    words.insert(words.end(), {"--metrics", metrics.empty() ? metric_names() : metrics, "--log-file", csv.string()});
    words.insert(words.end(), program.begin(), program.end());
    const Ending ending = run({words, {}, {}}, {}, interrupted);
    if (!ending.ok() || !fs::exists(csv)) {
        throw BadInput(fmt::format("--hardware: ncu ended with status {} (it needs the right to read counters):\n{}", ending.status,
                                   tail(ending.output, 2000)));
    }
    return read_hardware_counters(csv);
}

Figures count_on_hardware(const Project& project, StudyRunner& runner, StudyAsk ask, const StudyDevice& device) {
    ask.warm_up = 0;
    ask.repeats = 1;
    const fs::path call = project.build / "profile_call.labtest";
    runner.save(ask, device, call);
    return figures_of_hardware(longest(count_launches(project, {runner.program().string(), "--replay", call.string()})).metrics);
}

std::vector<HardwareLaunch> parse_hardware_counters(const std::string& text, const std::string& name) {
    std::vector<HardwareLaunch> launches;
    std::vector<std::string> header;
    std::size_t number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        const std::vector<std::string> cells = cells_of(line);
        if (header.empty()) {
            if (cells.front() == "ID") header = cells;
            continue;  // ncu's own messages come first
        }
        if (cells.front().empty() || cells.size() != header.size()) continue;  // the row of units, messages
        try {
            launches.push_back(launch_of(header, cells));
        } catch (const BadInput& problem) {
            throw BadInput(fmt::format("{}:{}: {}", name, number, problem.what()));
        }
    }
    if (launches.empty())
        throw BadInput(fmt::format("{}: holds no launches; make it with ncu --csv --page raw --metrics ... --log-file FILE", name));
    return launches;
}

std::vector<HardwareLaunch> read_hardware_counters(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream) throw BadInput(fmt::format("{}: can't be read", file.string()));
    return parse_hardware_counters({std::istreambuf_iterator<char>(stream), {}}, file.string());
}

}  // namespace lab::tools
