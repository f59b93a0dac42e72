#include "common/runner/call_log.h"

#include <algorithm>

namespace lab::runner {
namespace {

constexpr std::size_t max_recorded = 64;

Location locate(const void* device) { return cuda::Session::instance().locate(device); }

nlohmann::json argument(const cuda::LaunchRecord::Argument& argument) {
    if (argument.bytes != sizeof(void*)) {
        return static_cast<std::int32_t>(argument.value);
    }
    const Location location = locate(reinterpret_cast<const void*>(argument.value));
    return {{"array", location.object.name}, {"offset", location.offset}};
}

}  // namespace

void CallLog::begin() {
    arrays_.clear();
    copies_ = fills_ = nlohmann::json::array();
    launches_ = count_ = 0;
}

void CallLog::name(const void* host, std::size_t bytes, const std::string& name) {
    arrays_.push_back({reinterpret_cast<std::uint64_t>(host), bytes, name});
}

nlohmann::json CallLog::end_of(const cuda::WatchedCopy::End& end) const {
    const auto address = reinterpret_cast<std::uint64_t>(end.pointer);
    if (!end.is_device) {
        const auto has = [&](const HostArray& array) { return address - array.address < array.bytes; };
        const auto array = std::find_if(arrays_.begin(), arrays_.end(), has);
        const bool is_named = array != arrays_.end();
        return {{"array", is_named ? array->name : ""},
                {"is_device", false},
                {"allocated_at", 0},
                {"block", 0},
                {"size", is_named ? array->bytes : 0},
                {"offset", is_named ? address - array->address : 0}};
    }
    const Location location = locate(end.pointer);
    const Object& object = location.object;
    return {{"array", object.name},
            {"is_device", true},
            {"allocated_at", object.allocated_at.line},
            {"block", address - static_cast<std::uint64_t>(location.offset)},
            {"size", object.size},
            {"offset", location.offset}};
}

void CallLog::copied(const cuda::WatchedCopy& copy) {
    if (++count_ > max_recorded) {
        copies_ = fills_ = nlohmann::json::array();
        return;
    }
    if (copy.from.pointer == nullptr) {
        fills_.push_back(
            {{"call", copy.call}, {"line", copy.where.line}, {"order", count_}, {"launches", launches_}, {"to", end_of(copy.to)}});
        return;
    }
    copies_.push_back({{"call", copy.call},
                       {"line", copy.where.line},
                       {"order", count_},
                       {"launches", launches_},
                       {"bytes", copy.width * copy.height},
                       {"to", end_of(copy.to)},
                       {"from", end_of(copy.from)}});
}

nlohmann::json arguments_of(const std::vector<cuda::LaunchRecord>& launches) {
    nlohmann::json all = nlohmann::json::array();
    for (std::size_t at = 0; at < std::min(max_recorded, launches.size()); ++at) {
        nlohmann::json& arguments = all.emplace_back(nlohmann::json::array());
        for (const cuda::LaunchRecord::Argument& one : launches[at].arguments) {
            arguments.push_back(argument(one));
        }
    }
    return all;
}

}  // namespace lab::runner
