#include "common/emulator/server/call_log.h"

#include <algorithm>
#include <iterator>

namespace lab::cuda {
namespace {

constexpr std::size_t max_recorded = 64;

Location locate(const void* device) { return Session::instance().locate(device); }

trace::Argument argument(const trace::Launch::Parameter& parameter) {
    if (parameter.bytes != sizeof(void*)) return {.number = static_cast<std::int32_t>(parameter.value)};
    const Location location = locate(reinterpret_cast<const void*>(parameter.value));
    return {.is_pointer = true, .array = location.object.name, .offset = location.offset};
}

}  // namespace

void CallLog::name(const void* host, std::size_t bytes, const std::string& name) {
    arrays_.push_back({reinterpret_cast<std::uint64_t>(host), bytes, name});
}

trace::End CallLog::end_of(const WatchedCopy::End& end) const {
    const auto address = reinterpret_cast<std::uint64_t>(end.pointer);
    if (!end.is_device) {
        const auto has = [&](const HostArray& array) { return address - array.address < array.bytes; };
        const auto array = std::find_if(arrays_.begin(), arrays_.end(), has);
        if (array == arrays_.end()) return {};
        return {.array = array->name, .size = array->bytes, .offset = static_cast<std::int64_t>(address - array->address)};
    }
    const Location location = locate(end.pointer);
    const Object& object = location.object;
    return {object.name, true,           object.allocated_at.line, address - static_cast<std::uint64_t>(location.offset),
            object.size, location.offset};
}

void CallLog::copied(const WatchedCopy& copy) {
    if (++count_ > max_recorded) {
        copies_.clear();
        fills_.clear();
    } else if (copy.from.pointer == nullptr) {
        fills_.push_back({copy.call, copy.where.line, count_, launches_, end_of(copy.to)});
    } else {
        copies_.push_back({copy.call, copy.where.line, count_, launches_, copy.width * copy.height, end_of(copy.to), end_of(copy.from)});
    }
}

std::vector<std::vector<trace::Argument>> arguments_of(const std::vector<trace::Launch>& launches) {
    std::vector<std::vector<trace::Argument>> all;
    for (std::size_t at = 0; at < std::min(max_recorded, launches.size()); ++at) {
        std::vector<trace::Argument>& arguments = all.emplace_back();
        std::transform(launches[at].parameters.begin(), launches[at].parameters.end(), std::back_inserter(arguments), argument);
    }
    return all;
}

}  // namespace lab::cuda
