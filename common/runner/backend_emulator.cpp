// The emulator as a backend: its session records every launch, fault and API call.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "common/emulator/cuda/session.h"
#include "common/findings/finding_text.h"
#include "common/runner/backend.h"
#include "common/runner/buffer.h"
#include "common/runner/call_log.h"
#include "common/runner/cuda_status.h"

namespace lab::runner {
namespace {

class EmulatorBackend : public Backend {
public:
    [[nodiscard]] std::string name() const override { return "emulator"; }

    // Another device has its own memory, so this comes before the test's arrays.
    void use_device(const std::string& id) override {
        auto& session = cuda::Session::instance();
        cuda::Options wanted = session.options();
        wanted.device = id;
        try {
            session.configure(wanted);
        } catch (const std::invalid_argument& error) {
            throw SetupError(error.what());
        }
    }

    void replace_kernels(const std::string& file) override {
        std::ifstream stream(file, std::ios::binary);
        if (!stream) throw SetupError(fmt::format("--kernels {}: can't be read", file));
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        try {
            cuda::Session::instance().replace_kernels(text.substr(0, text.find('\0')));  // in the form that a program embeds
        } catch (const std::invalid_argument& error) {
            throw SetupError(fmt::format("--kernels {}: {}", file, error.what()));
        }
    }

    void count_device_time(DeviceTime* into) override { device_time_ = into; }

    void begin(const BackendOptions& options) override {
        auto& session = cuda::Session::instance();
        cuda::Options wanted{options, options.max_instructions};
        wanted.threads = session.options().threads;  // as LAB_THREADS says
        wanted.checks = emulator::Checks::all();
        session.configure(wanted);
        forget();
        log_.begin();
        before_ = session.take_api_counts();
        follows_values_ = options.follows_values;
        origins_.begin();
        session.begin_watch();
        session.fail_allocation(options.fail_allocation);
        session.fail_launch(options.fail_launch);
        session.fail_copy(options.fail_copy);
    }

    double timed(const std::function<int()>& student, int* status) override {
        copies_ms_ = 0;
        cuda::Watcher watcher;
        watcher.launch_begins = [this] {
            log_.launches();
            if (device_time_ != nullptr) device_time_->launch_begins();
        };
        if (device_time_ != nullptr) {
            watcher.launch_ends = [this] { device_time_->launch_ends(); };
        }
        watcher.copied = [this](const cuda::WatchedCopy& copy) {
            copies_ms_ += copy.modelled_ms;
            log_.copied(copy);
            if (follows_values_) follow(copy);
        };
        if (follows_values_) {
            watcher.stored_for_host = [this](std::uint32_t word) { origins_.stored(word); };
        }
        cuda::Session::instance().watch(std::move(watcher));
        *status = student();
        const cudaError_t after = cudaDeviceSynchronize();
        cuda::Session::instance().watch({});
        if (*status == cudaSuccess) {
            *status = after;
        }
        double modelled_ms = copies_ms_;
        for (auto& launch : cuda::Session::instance().take_launches()) {
            modelled_ms += launch.modelled_ms;
            launches_.push_back(std::move(launch));
        }
        return modelled_ms;
    }

    trace::CallTrace report() override {
        auto& session = cuda::Session::instance();
        session.end_watch();
        const auto counts = session.take_api_counts();
        session.fail_allocation(0);
        session.fail_launch(0);
        session.fail_copy(0);
        trace::CallTrace call;
        call.backend = name();
        call.device = session.options().device;
        call.findings = session.take_kernel_findings();
        stopped_ =
            stopped_ || std::any_of(call.findings.begin(), call.findings.end(), [](const Finding& finding) { return finding.stops; });
        for (Finding& finding : session.take_api_findings()) call.findings.push_back(std::move(finding));
        call.copies = log_.copies();
        call.fills = log_.fills();
        call.arguments = arguments_of(launches_);
        call.launches = std::move(launches_);
        launches_.clear();
        const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
        call.api = {number(counts.allocations),
                    number(counts.frees),
                    number(counts.copies),
                    number(counts.launches),
                    number(counts.failed_calls),
                    number(counts.copies_to_host),
                    number(counts.error_queries),
                    number(counts.misuses),
                    number(counts.live_allocations - before_.live_allocations),
                    number(counts.live_bytes - before_.live_bytes)};
        return call;
    }

    bool recover() override {
        if (stopped_) {
            cuda::Session::instance().reset();
        }
        stopped_ = false;
        forget();
        return true;
    }

    ValueOrigins* origins() override { return follows_values_ ? &origins_ : nullptr; }
    void name_host_array(const void* host, std::size_t bytes, const std::string& name) override { log_.name(host, bytes, name); }
    void name_array(void* device, const std::string& name) override { cuda::Session::instance().name_array(device, name); }
    void forget_contents(void* device, std::size_t bytes) override { cuda::Session::instance().forget_written(device, bytes); }
    [[nodiscard]] std::optional<Finding> explain_address(std::uintptr_t address, const Buffer* around) const override {
        const cuda::HostArray array =
            around == nullptr ? cuda::HostArray{}
                              : cuda::HostArray{around->spec().name, reinterpret_cast<std::uintptr_t>(around->start()), around->bytes()};
        return cuda::Session::instance().explain_host_access(address, array);
    }

    [[nodiscard]] std::string describe(int status) const override { return describe_cuda_status(status); }

private:
    void follow(const cuda::WatchedCopy& copy) {
        const auto rows = [&](const cuda::WatchedCopy::End& end) { return ByteRows{end.pointer, end.pitch, copy.width, copy.height}; };
        const std::string call = copy.where.is_known() ? copy.call + " at " + to_text(copy.where) : copy.call;
        if (copy.from.pointer == nullptr) {
            origins_.filled(rows(copy.to));
        } else if (copy.to.is_device && copy.from.is_device) {
            origins_.moved(rows(copy.to), rows(copy.from), call);
        } else if (copy.to.is_device) {
            origins_.brought(rows(copy.to), copy.arrived, copy.to.pitch, call);
        } else if (copy.from.is_device) {
            origins_.fetched(rows(copy.from), copy.arrived, copy.to.pitch);
        }
    }
    void forget() {
        auto& session = cuda::Session::instance();
        (void)cudaGetLastError();
        (void)session.take_launches();
        (void)session.take_kernel_findings();
        (void)session.take_api_findings();
        launches_.clear();
    }

    std::vector<trace::Launch> launches_;
    cuda::ApiCounts before_;
    CallLog log_;
    DeviceTime* device_time_ = nullptr;
    ValueOrigins origins_;
    bool follows_values_ = false;
    double copies_ms_ = 0;
    bool stopped_ = false;
};

}  // namespace

Backend& backend() {
    static EmulatorBackend one;
    return one;
}

}  // namespace lab::runner
