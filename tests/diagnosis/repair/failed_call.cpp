#include "tests/diagnosis/repair/failed_call.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

#include "common/grading/device_process.h"
#include "common/process/subprocess.h"
#include "common/tools/recipe.h"

namespace lab::repair {
namespace fs = std::filesystem;
namespace {

// Some values, none of which is 0.
std::vector<float> values(std::size_t count) {
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<float>(i * 37 % 101) / 64.0F - 0.7F;
    return all;
}

std::vector<float> as_floats(const std::vector<std::byte>& bytes) {
    std::vector<float> all(bytes.size() / sizeof(float));
    std::memcpy(all.data(), bytes.data(), all.size() * sizeof(float));
    return all;
}

}  // namespace

fs::path solution_of(int lab) {
    for (const auto& folder : fs::directory_iterator(fs::path(LAB_PROJECT_FOLDER) / "solutions")) {
        if (folder.path().filename().string().rfind(fmt::format("lab{}_", lab), 0) != 0) continue;
        for (const auto& file : fs::directory_iterator(folder)) {
            if (file.path().extension() == ".cu" || file.path().extension() == ".cpp") return file.path();
        }
    }
    return {};
}

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return text.substr(0, text.find('\0'));
}

Compiler::Compiler(int lab) : target_(fmt::format("lab{}_reference", lab)) {
    std::string name = (fs::temp_directory_path() / "lab-repair-XXXXXX").string();
    folder_ = ::mkdtemp(name.data()) == nullptr ? fs::path() : fs::path(name);
}

Compiler::~Compiler() { fs::remove_all(folder_); }

Compiled Compiler::compile(const std::string& source, const std::vector<std::string>& options) {
    const fs::path file = folder_ / "source.cu";
    std::ofstream(file) << source;
    static std::map<std::string, tools::Recipe> recipes;  // reading one takes a Ninja
    const auto recipe = recipes.try_emplace(target_, LAB_BUILD_FOLDER, target_).first;
    std::optional<tools::Command> command = recipe->second.device_pass_for(file, folder_);
    if (!command) return {"", "no device pass"};
    command->add(options);
    const double before = process::seconds_of_children();
    const tools::Ending ending = tools::run(*command);
    seconds_ += process::seconds_of_children() - before;
    return {ending.ok() ? text_of(kernels()) : "", ending.output};
}

FailedCall::FailedCall(const CallOf& call, const fs::path& kernels) {
    std::uint64_t instructions = 0;
    make(call, 0, {}, &expected_, &instructions);
    if (!problem_.empty() || kernels.empty()) return;
    for (const float value : as_floats(expected_)) bounds_.push_back(1e-4F * std::abs(value) + 1e-3F);
    std::vector<std::byte> outputs;
    std::uint64_t ignored = 0;
    make(call, 20 * instructions + 10'000, kernels, &outputs, &ignored);
    is_right_ = is_right_ && is_expected(outputs);
}

void FailedCall::make(const CallOf& call, std::uint64_t max_instructions, const fs::path& kernels, std::vector<std::byte>* outputs,
                      std::uint64_t* instructions) {
    child_ = std::make_unique<grading::Child>(fmt::format("{}/bin/lab{}_reference", LAB_BUILD_FOLDER, call.lab), "emulator", kernels);
    runner::Request request;
    request.call = call.function;
    request.backend.max_instructions = max_instructions;
    for (const auto& [name, value] : call.integers) request.integers[name] = value;
    std::vector<std::vector<float>> inputs;
    std::vector<std::span<const std::byte>> contents;
    for (const Array& array : call.arrays) {
        runner::BufferSpec spec{array.name, "float", array.count, array.is_output, 0x7fc00000, 0};
        inputs.push_back(values(array.is_output ? 0 : array.count));
        const auto content = std::as_bytes(std::span(inputs.back()));
        if (!array.is_output) spec.checksum = runner::checksum(content.data(), content.size(), nullptr, 0);
        request.buffers.push_back(spec);
        contents.push_back(content);
    }
    const grading::Reply reply = child_->call(request, contents, {});
    problem_ = reply.answer ? "" : reply.reason;
    if (!reply.answer) return;
    *outputs = reply.outputs;
    is_right_ = reply.answer->status == 0 && reply.answer->report.findings.empty();
    for (const trace::Launch& launch : reply.answer->report.launches) *instructions += launch.counters.warp_instructions;
}

bool FailedCall::is_expected(const std::vector<std::byte>& outputs) const {
    const std::vector<float> got = as_floats(outputs), wanted = as_floats(expected_);
    bool is_right = got.size() == wanted.size();
    for (std::size_t i = 0; is_right && i < got.size(); ++i) is_right = std::abs(got[i] - wanted[i]) <= bounds_[i];  // false for a NaN
    return is_right;
}

bool FailedCall::is_right_with(const std::string& ptx) {
    try {
        std::vector<std::byte> outputs;
        const trace::Answer answer = child_->replay(ptx, &outputs, {expected_, std::as_bytes(std::span(bounds_))});
        return answer.status == 0 && answer.report.findings.empty() && is_expected(outputs);
    } catch (const grading::DeviceFailure& failure) {
        problem_ = failure.what();
        return false;
    }
}

KernelName kernel_in(const std::string& ptx, const std::string& name, const std::string& instance) {
    constexpr std::string_view entry = ".entry ";
    KernelName kernel;
    for (std::size_t at = ptx.find(entry); at != std::string::npos; at = ptx.find(entry, at + 1)) {
        const std::string mangled = ptx.substr(at + entry.size(), ptx.find_first_of("(\n ", at + entry.size()) - at - entry.size());
        const bool is_it = mangled.rfind(fmt::format("_Z{}{}", name.size(), name), 0) == 0;
        if (is_it && mangled.find(instance) != std::string::npos) kernel.mangled = mangled;
    }
    return kernel;
}

Search search_repairs(const std::string& source, const std::string& name, const std::string& instance, const std::vector<CallOf>& calls,
                      double limit) {
    Compiler compiler(calls.front().lab), variants(calls.front().lab);
    const Compiled compiled = compiler.compile(source);
    if (compiled.ptx.empty()) return {};
    std::vector<std::unique_ptr<FailedCall>> failed;
    for (const CallOf& call : calls) {
        auto one = std::make_unique<FailedCall>(call, compiler.kernels());
        if (!one->problem().empty()) continue;
        // The call that fails first is tried first.
        if (!one->is_right() && (failed.empty() || failed.front()->is_right())) {
            failed.insert(failed.begin(), std::move(one));
        } else {
            failed.push_back(std::move(one));
        }
    }
    if (failed.empty() || failed.front()->is_right()) return {};
    const auto compile = [&](const std::string& unit, std::size_t) { return variants.compile(unit, options_of_variants()); };
    Means means{.compile = compile, .limit = limit};
    for (const auto& call : failed) means.calls.emplace_back([&](const std::string& ptx) { return call->is_right_with(ptx); });
    means.seconds = [&] {
        return std::accumulate(failed.begin(), failed.end(), variants.seconds(),
                               [](double sum, const auto& call) { return sum + call->device_seconds(); });
    };
    return find_repairs(source, kernel_in(compiled.ptx, name, instance), means);
}

}  // namespace lab::repair
