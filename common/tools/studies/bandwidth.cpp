#include "common/tools/studies/bandwidth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "common/emulator/devices/device.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/bandwidth_text.h"
#include "common/tools/studies/measurement.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

constexpr std::uint64_t least_bytes = 4;  // saxpy needs a float
constexpr std::int64_t max_repeats = 1000;

std::uint64_t size_in(const std::string& list, const std::string& word) {
    const auto wrong = [&](const char* why) {
        return BadInput(fmt::format("--sizes {}: '{}' {}; give bytes from {} up, with K, M or G for 1024 of the one before, as in 4K,1M",
                                    list, word, why, least_bytes));
    };
    if (!word.empty() && word[0] == '-') throw wrong("is negative");
    const std::size_t digits = std::min(word.size(), word.find_first_not_of("0123456789"));
    if (digits == 0 || word.size() > digits + 1) throw wrong("is no size");
    if (digits > 15) throw wrong("is too large");
    std::uint64_t bytes = std::stoull(word.substr(0, digits));
    if (digits < word.size()) {
        const std::size_t power = std::string("KMG").find(word[digits]);
        if (power == std::string::npos) throw wrong("is no size");
        bytes <<= 10 * (power + 1);
    }
    if (bytes < least_bytes) throw wrong(bytes == 0 ? "is 0" : "is too small");
    return bytes;
}

std::vector<std::uint64_t> usual_sizes(const Project& project) {
    const std::uint64_t most = project.backend == "gpu" ? 256 << 20 : 64 << 20;
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t bytes = 1024; bytes <= most; bytes *= 2) sizes.push_back(bytes);
    return sizes;
}

// Available memory of this machine in bytes; the maximum if unknown.
std::uint64_t available_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string word; file >> word;) {
        std::uint64_t kib = 0;
        if (word == "MemAvailable:" && file >> kib) return kib * 1024;
    }
    return UINT64_MAX;
}

// Each size needs pageable and pinned host memory, and three buffers on the device, which the emulator allocates on the host as well.
void check_memory(const devices::Device* modelled, std::uint64_t most) {
    const auto mib = [](std::uint64_t bytes) { return bytes >> 20; };
    if (modelled != nullptr && most > modelled->memory_bytes / 3) {
        throw BadInput(fmt::format("--sizes takes three arrays of {} MiB on the device: the {} MiB of {} are less", mib(most),
                                   mib(modelled->memory_bytes), modelled->id));
    }
    const std::uint64_t buffers = modelled != nullptr ? 5 : 2;
    if (most > available_memory() / buffers) {
        throw BadInput(fmt::format("--sizes takes {} buffers of {} MiB in this machine's memory: {} MiB are free", buffers, mib(most),
                                   mib(available_memory())));
    }
}

BandwidthFigures figures_of(const Measured& measured) {
    BandwidthFigures figures;
    figures.is_interrupted = measured.is_interrupted;
    if (measured.about.is_object()) figures.peak_gb_per_s = measured.about.value("peak_gb_per_s", 0.0);
    for (const Path& path : paths()) {
        PathTimes times{&path, {}};
        for (const auto& result : measured.results) {
            if (result.at("path") == path.id) times.transfers.push_back({result.at("bytes"), result.at("ms")});
        }
        if (!times.transfers.empty()) figures.times.push_back(std::move(times));
    }
    return figures;
}

}  // namespace

std::vector<std::uint64_t> sizes_in(const std::string& list) {
    std::vector<std::uint64_t> sizes;
    std::istringstream words(list + ",");
    for (std::string word; std::getline(words, word, ',');) sizes.push_back(size_in(list, word));
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    if (sizes.size() < 2)
        throw BadInput(fmt::format("--sizes {}: give two different sizes or more, as a line is fitted through them", list));
    return sizes;
}

int bandwidth(const Project& project, const BandwidthOptions& options) {
    const bool is_gpu = project.backend == "gpu";
    if (is_gpu && !options.device.empty()) {
        throw BadInput(fmt::format("--device {}: the GPU that is there is measured; to model another: ./lab --backend emulator bandwidth",
                                   options.device));
    }
    if (options.repeats < 1 || options.repeats > max_repeats) {
        throw BadInput(fmt::format("--repeats {}: give 1 to {}", options.repeats, max_repeats));
    }
    check_files({options.json, options.svg});
    const devices::Device* const modelled = is_gpu ? nullptr : &known_device(options.device);
    const std::vector<std::uint64_t> sizes = options.sizes.empty() ? usual_sizes(project) : sizes_in(options.sizes);
    check_memory(modelled, sizes.back());

    Measurement measurement;
    measurement.file = "bandwidth.cu";
    // A modelled time is always the same.
    measurement.arguments = {fmt::format("{}", fmt::join(sizes, ",")), std::to_string(is_gpu ? options.repeats : 1)};
    measurement.device = modelled == nullptr ? "" : modelled->found_as;
    measurement.without_gpu = "; without one, ./lab --backend emulator bandwidth models one";
    measurement.planned = sizes.size() * paths().size();
    measurement.progress = [](const nlohmann::json& result) {
        return fmt::format("bandwidth · {} · {}", result.at("path").get<std::string>(), size_text(result.at("bytes").get<double>()));
    };
    const Measured measured = measure(project, measurement);
    BandwidthFigures figures = figures_of(measured);
    if (measured.about.is_object()) {
        figures.says = modelled == nullptr ? "measured on " + measured.about.value("device", "") : "modelled for " + modelled->id;
    }
    hand_over(to_text(figures), to_json(figures), {options.json, options.svg}, report::plot_bandwidth);
    return figures.is_interrupted ? exit_interrupted : 0;
}

}  // namespace lab::tools
