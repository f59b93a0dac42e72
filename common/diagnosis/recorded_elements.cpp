#include "common/diagnosis/recorded_elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/findings/finding_text.h"

namespace lab::diagnosis {
namespace {

std::string text_of(std::uint64_t number, const trace::Size& size) {
    const auto part = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    return to_text(Index{part(number % size.x), part(number / size.x % size.y), part(number / size.x / size.y)});
}

}  // namespace

std::map<std::string, std::uint64_t> element_bytes(const trace::Launch& launch) {
    std::map<std::string, std::uint64_t> bytes;
    for (const trace::Recording::Access& access : launch.recording->accesses) {
        if (access.space != trace::Space::global || !access.object || access.bytes == 0) continue;
        std::uint64_t& least = bytes.try_emplace(launch.name_of(access), access.bytes).first->second;
        least = std::min<std::uint64_t>(least, access.bytes);
    }
    return bytes;
}

std::string Names::thread(std::uint32_t number) const { return "thread " + text_of(number, launch_.block); }

std::string Names::block(std::uint32_t index) const { return "block " + text_of(launch_.recording->blocks.at(index), launch_.grid); }

std::string Names::element(const std::string& array, std::uint64_t number) const {
    const auto row = rows_.find(array);
    return row == rows_.end() ? fmt::format("{}[{}]", array, number)
                              : fmt::format("{}[{}][{}]", array, number / row->second, number % row->second);
}

}  // namespace lab::diagnosis
