#include "common/emulator/devices/device_file.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/emulator/devices/compute_capability.h"

namespace lab::devices {
namespace {

using Json = nlohmann::json;

// Valid range of a figure.
enum class Range { positive, not_negative, share };

struct Figure {
    const char* key;
    std::variant<double Device::*, std::uint32_t Device::*, std::uint64_t Device::*, int Device::*> member;
    Range range;
    bool needed;
};

const std::vector<Figure>& figures() {
    static const std::vector<Figure> all{
        {"sm_count", &Device::sm_count, Range::positive, true},
        {"clock_mhz", &Device::clock_mhz, Range::positive, true},
        {"issue_per_clock", &Device::issue_per_clock, Range::positive, true},
        {"shared_banks", &Device::shared_banks, Range::positive, false},
        {"l1_bytes_per_clock", &Device::l1_bytes_per_clock, Range::positive, true},
        {"conflict_clocks", &Device::conflict_clocks, Range::positive, false},
        {"l1_bytes", &Device::l1_bytes, Range::not_negative, false},
        {"l1_ways", &Device::l1_ways, Range::positive, false},
        {"constant_cache_bytes", &Device::constant_cache_bytes, Range::positive, false},
        {"constant_cache_ways", &Device::constant_cache_ways, Range::positive, false},
        {"constant_miss_clocks", &Device::constant_miss_clocks, Range::positive, false},
        {"instruction_clocks", &Device::instruction_clocks, Range::positive, false},
        {"shared_latency_clocks", &Device::shared_latency_clocks, Range::positive, false},
        {"l1_latency_clocks", &Device::l1_latency_clocks, Range::positive, false},
        {"l2_latency_clocks", &Device::l2_latency_clocks, Range::positive, false},
        {"memory_latency_clocks", &Device::memory_latency_clocks, Range::positive, false},
        {"barrier_clocks", &Device::barrier_clocks, Range::not_negative, false},
        {"single_to_double_ratio", &Device::single_to_double_ratio, Range::positive, false},
        {"l2_bytes", &Device::l2_bytes, Range::not_negative, true},
        {"l2_bytes_per_clock", &Device::l2_bytes_per_clock, Range::not_negative, true},
        {"l2_store_bytes_per_clock", &Device::l2_store_bytes_per_clock, Range::positive, false},
        {"l2_load_lines_per_clock", &Device::l2_load_lines_per_clock, Range::positive, false},
        {"l2_store_lines_per_clock", &Device::l2_store_lines_per_clock, Range::positive, false},
        {"l2_partial_lines", &Device::l2_partial_lines, Range::positive, false},
        {"l2_sector_fill_ps", &Device::l2_sector_fill_ps, Range::positive, false},
        {"atomic_lane_clocks", &Device::atomic_lane_clocks, Range::positive, false},
        {"atomic_line_change_clocks", &Device::atomic_line_change_clocks, Range::not_negative, false},
        {"memory_bytes", &Device::memory_bytes, Range::positive, true},
        {"memory_clock_mhz", &Device::memory_clock_mhz, Range::positive, true},
        {"memory_bus_bits", &Device::memory_bus_bits, Range::positive, true},
        {"memory_gb_per_s", &Device::memory_gb_per_s, Range::positive, true},
        {"memory_efficiency", &Device::memory_efficiency, Range::share, true},
        {"partitions", &Device::partitions, Range::not_negative, false},
        {"partition_bytes", &Device::partition_bytes, Range::not_negative, false},
        {"camped_efficiency", &Device::camped_efficiency, Range::share, false},
        {"dram_half_pair_bytes", &Device::dram_half_pair_bytes, Range::positive, false},
        {"dram_row_bytes", &Device::dram_row_bytes, Range::positive, false},
        {"dram_row_ns", &Device::dram_row_ns, Range::positive, false},
        {"launch_us", &Device::launch_us, Range::not_negative, true},
        {"event_us", &Device::event_us, Range::not_negative, true},
        {"blocks_per_us", &Device::blocks_per_us, Range::not_negative, true},
        {"block_us", &Device::block_us, Range::not_negative, false},
        {"block_us_a_warp", &Device::block_us_a_warp, Range::not_negative, false},
        {"copy_us", &Device::copy_us, Range::not_negative, true},
        {"pinned_gb_per_s", &Device::pinned_gb_per_s, Range::positive, true},
        {"pageable_gb_per_s", &Device::pageable_gb_per_s, Range::positive, true},
        {"device_copy_us", &Device::device_copy_us, Range::not_negative, true},
    };
    return all;
}

const char* const other_keys[] = {"name", "compute_capability", "shared_reserved", "has_ecc"};

// Reads one file's object; messages name file and key.
class Reader {
public:
    Reader(const std::string& text, std::string name) : name_(std::move(name)) {
        try {
            json_ = Json::parse(text, nullptr, true, true);
        } catch (const Json::parse_error& problem) {
            const std::size_t upto = std::min<std::size_t>(problem.byte, text.size());
            const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(upto), '\n');
            throw BadDevice(name_ + ":" + std::to_string(line) + ": this is not JSON (a comma too few or too many?)");
        }
        if (!json_.is_object()) throw BadDevice(name_ + ": has to hold one object, {...}, with the figures of a GPU");
    }

    [[nodiscard]] bool has(const std::string& key) const { return json_.contains(key); }

    [[nodiscard]] std::string text(const std::string& key) const {
        const Json& value = at(key);
        if (!value.is_string() || value.get<std::string>().empty()) refuse(key, "a text in quotes");
        return value;
    }
    [[nodiscard]] bool flag(const std::string& key) const {
        const Json& value = at(key);
        if (!value.is_boolean()) refuse(key, "true or false");
        return value;
    }
    template <typename T>
    [[nodiscard]] T number(const std::string& key, Range range) const {
        const Json& value = at(key);
        const double given = value.is_number() ? value.get<double>() : -1;
        if (range == Range::share && !(given > 0 && given <= 1)) refuse(key, "a number above 0, at most 1");
        if (range == Range::positive && !(given > 0)) refuse(key, "a number above 0");
        if (range == Range::not_negative && !(given >= 0)) refuse(key, "a number, at least 0");
        if constexpr (std::is_integral_v<T>) {
            if (!value.is_number_integer() || given > static_cast<double>(std::numeric_limits<T>::max())) refuse(key, "a whole number");
        }
        return value.get<T>();
    }

    void expect_known_keys() const {
        for (const auto& [key, value] : json_.items()) {
            const auto is_key = [&key = key](const auto& known) { return key == known; };
            if (std::any_of(std::begin(other_keys), std::end(other_keys), is_key)) continue;
            if (std::any_of(figures().begin(), figures().end(), [&](const Figure& figure) { return is_key(figure.key); })) continue;
            throw BadDevice(name_ + ": there is no figure \"" + key + "\"; ./lab devices h100 shows all that there are");
        }
    }

    [[noreturn]] void refuse(const std::string& key, const std::string& wanted) const {
        throw BadDevice(name_ + ": \"" + key + "\" is " + at(key).dump() + " and has to be " + wanted);
    }

private:
    std::string name_;
    Json json_;

    [[nodiscard]] const Json& at(const std::string& key) const {
        if (!json_.contains(key)) throw BadDevice(name_ + ": \"" + key + "\" is missing; ./lab devices h100 shows all that a device has");
        return json_.at(key);
    }
};

}  // namespace

Device read_device(const std::string& text, const std::string& name, const std::string& id) {
    const Reader reader(text, name);
    reader.expect_known_keys();
    const std::optional<Device> limits = limits_of(reader.text("compute_capability"));
    if (!limits) reader.refuse("compute_capability", "one that there is, such as \"9.0\" (./lab occupancy --cc ... knows them)");
    Device device = *limits;
    device.id = id;
    device.name = reader.text("name");
    for (const Figure& figure : figures()) {
        if (!figure.needed && !reader.has(figure.key)) continue;
        std::visit(
            [&](auto member) {
                using Value = std::remove_reference_t<decltype(device.*member)>;
                device.*member = reader.number<Value>(figure.key, figure.range);
            },
            figure.member);
    }
    if (reader.has("shared_reserved"))
        device.allocation.shared_reserved = reader.number<std::uint32_t>("shared_reserved", Range::not_negative);
    if (reader.has("has_ecc")) device.has_ecc = reader.flag("has_ecc");
    if (device.partitions > 1) {
        if (device.partition_bytes == 0) throw BadDevice(name + ": \"partitions\" needs \"partition_bytes\" beside it");
        if (device.camped_efficiency == 0) throw BadDevice(name + ": \"partitions\" needs \"camped_efficiency\" beside it");
    }
    return device;
}

}  // namespace lab::devices
