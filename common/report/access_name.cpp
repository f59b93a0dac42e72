#include "common/report/access_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "common/trace/recording.h"

namespace lab::report {
namespace {

constexpr std::int64_t banks = 32;
constexpr std::uint64_t sector_bytes = 32;

struct Lane {
    std::int64_t number = 0, offset = 0;
};

std::string counted(std::int64_t count, const char* noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

// A distance in bytes, as elements where it is a whole number of them.
std::string distance(std::int64_t bytes, const LaneAccess& access) {
    const auto element = static_cast<std::int64_t>(access.bytes);
    if (access.is_shared && bytes % trace::word_bytes == 0) return counted(bytes / trace::word_bytes, "word");
    if (bytes % element == 0) return counted(bytes / element, "element");
    return counted(bytes, "byte");
}

// Distance from each lane to the next, if all are equal.
std::optional<std::int64_t> stride_of(const std::vector<Lane>& lanes) {
    if (lanes.size() < 2) return std::nullopt;
    const std::int64_t span = lanes[1].number - lanes[0].number;
    if ((lanes[1].offset - lanes[0].offset) % span != 0) return std::nullopt;
    const std::int64_t stride = (lanes[1].offset - lanes[0].offset) / span;
    const bool is_constant = std::all_of(lanes.begin(), lanes.end(), [&](const Lane& lane) {
        return lane.offset - lanes[0].offset == (lane.number - lanes[0].number) * stride;
    });
    return is_constant ? std::optional(stride) : std::nullopt;
}

std::string strided(std::int64_t stride, const LaneAccess& access) {
    const std::int64_t size = std::abs(stride);
    const std::string name = "strided by " + distance(size, access) + (stride < 0 ? ", descending" : "");
    const bool is_padded =
        access.is_shared && size % trace::word_bytes == 0 && size / trace::word_bytes > banks && size / trace::word_bytes % banks == 1;
    return is_padded ? name + " (padded)" : name;
}

std::string contiguous(const std::vector<Lane>& lanes, const LaneAccess& access) {
    if (access.is_shared) return "contiguous";
    const std::uint64_t first = access.address + static_cast<std::uint64_t>(lanes.front().offset);
    const std::uint64_t beyond = first % sector_bytes;
    if (beyond == 0) return "contiguous";
    return "contiguous, misaligned by " + distance(static_cast<std::int64_t>(beyond), access);
}

std::string of_stride(std::int64_t stride, const std::vector<Lane>& lanes, const LaneAccess& access) {
    if (stride == 0) return "broadcast";
    return stride == static_cast<std::int64_t>(access.bytes) ? contiguous(lanes, access) : strided(stride, access);
}

// Groups of `size` lanes, each of one stride, and the same distance from one group to the next.
struct Groups {
    std::int64_t size = 0, stride = 0, apart = 0;
};

std::optional<Groups> groups_of(const std::vector<Lane>& lanes, std::int64_t size) {
    const std::vector<Lane> first(lanes.begin(),
                                  std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.number >= size; }));
    const auto stride = stride_of(first);
    if (!stride || first.size() == lanes.size() || first.front().number != 0) return std::nullopt;
    const Lane& other = lanes[first.size()];
    const std::int64_t start = other.offset - other.number % size * *stride - first.front().offset;
    if (start % (other.number / size) != 0) return std::nullopt;
    const Groups groups{size, *stride, start / (other.number / size)};
    const bool fits = std::all_of(lanes.begin(), lanes.end(), [&](const Lane& lane) {
        return lane.offset - first.front().offset == lane.number % size * groups.stride + lane.number / size * groups.apart;
    });
    return fits ? std::optional(groups) : std::nullopt;
}

std::string name_of(const Groups& groups, const LaneAccess& access) {
    const bool is_contiguous = groups.stride == static_cast<std::int64_t>(access.bytes);
    const std::string apart = distance(std::abs(groups.apart), access) + " apart";
    if (groups.stride == 0) return fmt::format("broadcast to groups of {} lanes, {}", groups.size, apart);
    if (groups.apart == 0)
        return fmt::format("{}, repeated every {} lanes", is_contiguous ? "contiguous" : strided(groups.stride, access), groups.size);
    if (is_contiguous) return fmt::format("rows of {} elements, {}", groups.size, apart);
    return fmt::format("{}, in groups of {} lanes, {}", strided(groups.stride, access), groups.size, apart);
}

// Stretches of lanes whose elements lie side by side; 0 if there are shorter ones than a few lanes.
std::size_t rows_in(const std::vector<Lane>& lanes, const LaneAccess& access) {
    std::size_t rows = 1;
    for (std::size_t i = 1; i < lanes.size(); ++i) {
        const std::int64_t step = (lanes[i].number - lanes[i - 1].number) * static_cast<std::int64_t>(access.bytes);
        if (lanes[i].offset - lanes[i - 1].offset != step) ++rows;
    }
    return rows * 4 <= lanes.size() ? rows : 0;
}

}  // namespace

std::string access_name(const LaneAccess& access) {
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < access.lanes.size(); ++i) {
        if (access.lanes[i]) lanes.push_back({static_cast<std::int64_t>(i), *access.lanes[i]});
    }
    if (lanes.empty()) return "no lane";
    if (lanes.size() == 1) return "one lane";
    if (const auto stride = stride_of(lanes)) return of_stride(*stride, lanes, access);
    for (const std::int64_t size : {16, 8, 4, 2}) {
        if (const auto groups = groups_of(lanes, size)) return name_of(*groups, access);
    }
    if (const std::size_t rows = rows_in(lanes, access); rows != 0) return fmt::format("contiguous in {} parts", rows);
    return "scattered";
}

}  // namespace lab::report
