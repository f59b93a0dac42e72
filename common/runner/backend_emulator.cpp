// The emulator as a backend: the owner's side of its device, which records every launch, fault and API call.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "common/emulator/client/device.h"
#include "common/emulator/client/sockets.h"
#include "common/runner/backend.h"
#include "common/runner/buffer.h"
#include "common/runner/cuda_status.h"
#include "common/runner/protocol.h"
#include "common/trace/json.h"

namespace lab::runner {
namespace {

std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

// The answer of common/emulator/server/control.h. Throws SetupError where it is an error, or there is none.
nlohmann::json ask(const char* what, nlohmann::json fields = nlohmann::json::object(), std::span<const std::byte> content = {}) {
    const int socket = client::device_sockets().questions;
    fields["ask"] = what;
    Frame question;
    question.kind = FrameKind::request;
    question.json = to_text(fields);
    question.views.push_back(content);
    std::uint64_t nonce = 0;
    const auto answer = write_frame(socket, nonce, question) ? read_frame(socket, &nonce) : std::nullopt;
    if (!answer) throw SetupError("the emulated device is gone");
    nlohmann::json json = parse_json(answer->json);
    if (json.contains("error")) throw SetupError(json.at("error"));
    return std::move(json.at("value"));
}

class EmulatorBackend : public Backend {
public:
    [[nodiscard]] std::string name() const override { return "emulator"; }

    [[nodiscard]] int device_process() const override {
        (void)cudaPeekAtLastError();
        return client::Device::instance().process();
    }

    void use_device(const std::string& id) override { ask("use_device", {{"id", id}}); }

    void replace_kernels(const std::string& file) override {
        std::ifstream stream(file, std::ios::binary);
        if (!stream) throw SetupError(fmt::format("--kernels {}: can't be read", file));
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        (void)cudaPeekAtLastError();  // the device knows the program's kernels from the first call on
        try {
            ask("replace_kernels", {{"ptx", text.substr(0, text.find('\0'))}});  // in the form that a program embeds
        } catch (const SetupError& error) {
            throw SetupError(fmt::format("--kernels {}: {}", file, error.what()));
        }
    }

    void begin(const BackendOptions& options) override {
        follows_values_ = options.follows_values;
        Request request;
        request.backend = options;
        ask("begin", {{"request", request}});
    }

    double timed(const std::function<int()>& student, int* status) override {
        ask("begin_timed");
        *status = student();
        const cudaError_t after = cudaDeviceSynchronize();
        if (*status == cudaSuccess) *status = after;
        return ask("end_timed").get<double>();
    }

    trace::CallTrace report() override { return ask("report").get<trace::CallTrace>(); }

    bool recover() override {
        ask("recover");
        return true;
    }

    void has_input(const void* device, const std::byte* content, std::size_t bytes) override {
        if (follows_values_) ask("has_input", {{"address", address(device)}}, {content, bytes});
    }
    trace::Elsewhere elsewhere(const void* device, const Values& values) override {
        if (!follows_values_) return {};
        nlohmann::json fields{{"element_bytes", values.element_bytes}, {"poison", values.poison}};
        if (device != nullptr) fields["address"] = address(device);
        return ask("elsewhere", std::move(fields), {values.content, values.count * values.element_bytes}).get<trace::Elsewhere>();
    }
    void name_host_array(const void* host, std::size_t bytes, const std::string& name) override {
        ask("name_host_array", {{"address", address(host)}, {"bytes", bytes}, {"name", name}});
    }
    void name_array(void* device, const std::string& name) override { ask("name_array", {{"address", address(device)}, {"name", name}}); }
    void forget_contents(void* device, std::size_t bytes) override {
        ask("forget_contents", {{"address", address(device)}, {"bytes", bytes}});
    }
    [[nodiscard]] std::optional<Finding> explain_address(std::uintptr_t where, const Buffer* around) const override {
        nlohmann::json fields{{"address", where}};
        if (around != nullptr) {
            fields["array"] = around->spec().name;
            fields["begin"] = address(around->start());
            fields["bytes"] = around->bytes();
        }
        const nlohmann::json finding = ask("explain_access", std::move(fields));
        return finding.is_null() ? std::nullopt : std::optional(finding.get<Finding>());
    }

    [[nodiscard]] std::string describe(int status) const override { return describe_cuda_status(status); }

private:
    bool follows_values_ = false;
};

}  // namespace

Backend& backend() {
    static EmulatorBackend one;
    return one;
}

}  // namespace lab::runner
