#include "common/grading/workshop.h"

#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/grading/options.h"
#include "common/process/subprocess.h"

namespace lab::grading {
namespace fs = std::filesystem;
namespace {

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::string Workshop::source_text() const { return text_of(source); }

repair::Compiled Workshop::compiled(const std::string& text, bool is_kernel, std::size_t folder) const {
    const auto& [unit, ptx, program, compile, build] = folders.at(folder);
    std::ofstream(unit, std::ios::binary) << text;
    std::error_code failed;
    fs::remove(is_kernel ? ptx : program, failed);
    std::string messages;
    for (const std::vector<std::string>& step : is_kernel ? compile : build) {
        messages += process::output_of(step);
        if (messages.find(": error: ") != std::string::npos) break;
    }
    if (is_kernel) return {text_of(ptx), std::move(messages)};
    static std::atomic<int> number = 0;
    const fs::path made = program.string() + std::to_string(++number);
    fs::rename(program, made, failed);
    return {failed ? "" : made.string(), std::move(messages)};
}

const std::optional<Workshop>& workshop() {
    static const auto one = []() -> std::optional<Workshop> {
        if (options().search.empty()) return {};
        try {
            const nlohmann::json json = nlohmann::json::parse(text_of(options().search));
            Workshop made{json.at("source").get<std::string>(), json.at("seconds").get<double>(), {}};
            const std::vector<std::string>& options = repair::options_of_variants();
            for (const nlohmann::json& folder : json.at("folders")) {
                CompileFolder& added = made.folders.emplace_back(CompileFolder{
                    folder.at("unit").get<std::string>(), folder.at("ptx").get<std::string>(), folder.at("program").get<std::string>(),
                    folder.at("compile").get<CompileFolder::Steps>(), folder.at("build").get<CompileFolder::Steps>()});
                for (auto& step : added.compile) step.insert(step.end(), options.begin(), options.end());
                // Copies of a function that compiles slowly: the compiler is not waited for beyond the limit.
                for (CompileFolder::Steps* const steps : {&added.compile, &added.build}) {
                    for (auto& step : *steps) step.insert(step.begin(), {"timeout", "--kill-after=1", fmt::format("{:.1f}", made.limit)});
                }
            }
            return made;
        } catch (const nlohmann::json::exception&) {
            return {};
        }
    }();
    return one;
}

}  // namespace lab::grading
