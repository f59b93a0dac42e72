#include "common/runner/request.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace lab::runner {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferSpec, name, type, count, output, poison, period, checksum, on_device, address)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BackendOptions, follows_values, skips_kernels, fail_allocation, fail_launch, fail_copy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, warm_up, repeats, limit_ms, is_by_suite)

namespace {

// The emulator's options by name, those that differ from their defaults.
nlohmann::json emulator_json(const emulator::Options& options) {
    nlohmann::json json = nlohmann::json::object();
    for (const emulator::OptionRow& row : emulator::option_rows()) {
        if (!row.is_default(options)) json[row.name] = row.text(options);
    }
    return json;
}

void set_emulator(const nlohmann::json& json, emulator::Options& options) {
    for (const auto& [name, text] : json.items()) emulator::option_row(name).set(options, text.get<std::string>());
}

}  // namespace

std::optional<trace::Change> first_change(const BufferSpec& spec, std::span<const std::byte> given, const std::byte* now) {
    if (given.empty() || std::memcmp(now, given.data(), given.size()) == 0) return {};
    const auto differs = std::mismatch(given.begin(), given.end(), now).first - given.begin();
    const std::size_t width = spec.element_bytes();
    const std::size_t element = static_cast<std::size_t>(differs) / width;
    double value = 0;
    float narrow = 0;
    std::memcpy(width == sizeof value ? static_cast<void*>(&value) : &narrow, now + element * width, width);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", width == sizeof value ? value : static_cast<double>(narrow));
    return trace::Change{element, text.data()};
}

void fill_repeatedly(std::byte* to, std::uint64_t bytes, std::span<const std::byte> what) {
    std::uint64_t filled = std::min<std::uint64_t>(bytes, what.size());
    if (filled != 0) std::memcpy(to, what.data(), filled);
    while (filled != 0 && filled < bytes) {  // twice as much each time
        const std::uint64_t more = std::min(filled, bytes - filled);
        std::memcpy(to + filled, to, more);
        filled += more;
    }
}

nlohmann::json parse_json(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

std::string to_text(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

void to_json(nlohmann::json& json, const Request& request) {
    json = {{"call", request.call},
            {"integers", request.integers},
            {"buffers", request.buffers},
            {"backend", request.backend},
            {"emulator", emulator_json(request.backend)},
            {"timing", request.timing}};
}

void from_json(const nlohmann::json& json, Request& request) {
    json.at("call").get_to(request.call);
    json.at("integers").get_to(request.integers);
    json.at("buffers").get_to(request.buffers);
    json.at("backend").get_to(request.backend);
    set_emulator(json.at("emulator"), request.backend);
    json.at("timing").get_to(request.timing);
}

}  // namespace lab::runner
