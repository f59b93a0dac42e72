#include "common/runner/request.h"

#include <nlohmann/json.hpp>

namespace lab::runner {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferSpec, name, type, count, output, poison, period, checksum)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BackendOptions, device, order, cold, max_blocks, counts_by_line, records_accesses, models_times,
                                   max_instructions, follows_values, fail_allocation, fail_launch, fail_copy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, warm_up, repeats, limit_ms)

nlohmann::json parse_json(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

std::string to_text(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

void to_json(nlohmann::json& json, const Request& request) {
    json = {{"call", request.call},
            {"integers", request.integers},
            {"buffers", request.buffers},
            {"backend", request.backend},
            {"timing", request.timing}};
}

void from_json(const nlohmann::json& json, Request& request) {
    json.at("call").get_to(request.call);
    json.at("integers").get_to(request.integers);
    json.at("buffers").get_to(request.buffers);
    json.at("backend").get_to(request.backend);
    json.at("timing").get_to(request.timing);
}

}  // namespace lab::runner
