// Finds the function of a program's call and gives it the arguments.
#include <array>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "common/emulator/server/api.h"
#include "common/emulator/server/host_faults.h"
#include "common/emulator/server/peer.h"
#include "common/emulator/server/pointers.h"
#include "common/emulator/server/start_and_exit.h"

namespace lab::cuda {
namespace {

// An argument: the value, or what a pointer of the API's points to.
template <typename T>
class Argument {
public:
    explicit Argument(wire::Reader& from) {
        if constexpr (wire::is_opaque<T>) {
            value_ = from.get<T>();
        } else {
            is_there_ = from.get<bool>();
            if (is_there_) value_ = from.get<Value>();
        }
    }
    T get() {
        if constexpr (wire::is_opaque<T>) {
            return value_;
        } else {
            return is_there_ ? &value_ : nullptr;
        }
    }
    void give(wire::Writer& to) const {
        if constexpr (wire::is_output<T>) {
            if (is_there_) to.put(value_);
        }
    }

private:
    using Value = std::conditional_t<wire::is_opaque<T>, T, std::remove_cv_t<std::remove_pointer_t<T>>>;
    Value value_{};
    bool is_there_ = false;
};

template <typename... Parameters, std::size_t... At>
cudaError_t make(cudaError_t (*function)(Parameters...), LabCallSite site, wire::Reader& from, wire::Writer& values,
                 std::index_sequence<At...> /*all but the site*/) {
    using All = std::tuple<Parameters...>;
    std::tuple<Argument<std::tuple_element_t<At, All>>...> arguments{Argument<std::tuple_element_t<At, All>>(from)...};
    const cudaError_t result = function(std::get<At>(arguments).get()..., site);
    (std::get<At>(arguments).give(values), ...);
    return result;
}
template <typename... Parameters>
cudaError_t make(cudaError_t (*function)(Parameters...), LabCallSite site, wire::Reader& from, wire::Writer& values) {
    return make(function, site, from, values, std::make_index_sequence<sizeof...(Parameters) - 1>());
}

template <auto function>
cudaError_t make(LabCallSite site, wire::Reader& from, wire::Writer& values) {
    return make(function, site, from, values);
}

using Make = cudaError_t (*)(LabCallSite, wire::Reader&, wire::Writer&);
constexpr auto api = [] {
    std::array<Make, static_cast<std::size_t>(wire::Call::count)> all{};
#define LAB_CALL(name, ...) all[static_cast<std::size_t>(wire::Call::name)] = &make<&cuda::name>;
#include "common/emulator/client/calls.inc"
#undef LAB_CALL
    const auto set = [&](wire::Call call, Make function) { all[static_cast<std::size_t>(call)] = function; };
    set(wire::Call::cudaLaunchCooperativeKernel, &make<&launch_cooperative>);
    set(wire::Call::cudaDeviceGetPCIBusId, &make<&device_name>);
    set(wire::Call::cudaDeviceGetByPCIBusId, &make<&device_of_name>);
    set(wire::Call::begin_host_function, &make<&begin_host_function>);
    set(wire::Call::end_host_function, &make<&end_host_function>);
    return all;
}();

cudaError_t query_error(bool clears) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    ++state.counts.error_queries;
    state.launch_errors.asked();
    return clears ? std::exchange(last_error(), cudaSuccess) : last_error();
}

cudaError_t make_launch(LabCallSite site, wire::Reader& from) {
    const auto* const function = from.get<const void*>();
    const auto grid = from.get<dim3>();
    const auto block = from.get<dim3>();
    const auto shared_bytes = from.get<std::size_t>();
    const auto stream = from.get<cudaStream_t>();
    const auto parameters = from.bytes();
    return cuda::launch(function, grid, block, shared_bytes, stream, {parameters.begin(), parameters.end()}, site);
}

cudaError_t give_parameters(wire::Reader& from, wire::Writer& values) {
    const std::lock_guard lock(runtime().mutex);
    const auto* const function = from.get<const void*>();
    Unit* const unit = unit_of_function(function);
    if (unit == nullptr || !load(*unit)) return cudaErrorInvalidDeviceFunction;
    const auto* const kernel = unit->module->kernel(unit->functions.at(function));
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    values.put(kernel->parameter_bytes);
    for (const ptx::Parameter& parameter : kernel->parameters) {
        values.put(static_cast<std::uint32_t>(parameter.offset)).put(static_cast<std::uint32_t>(parameter.size));
    }
    return cudaSuccess;
}

cudaError_t settle_access(wire::Reader& from) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    const auto address = from.get<std::uint64_t>();
    const bool is_write = from.get<bool>();
    // If no outstanding work uses the page, another thread's call used it at the time of the access.
    const bool is_settled = state.in_flight.on_host_access(state, address, is_write) ||
                            classify(reinterpret_cast<const void*>(address), *state.memory).side == Side::both;
    return is_settled ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

LabCallSite interned(const std::string& file, int line) {
    constexpr std::size_t most = 4096, longest = 256;
    static std::mutex mutex;
    static std::set<std::string> names;
    if (file.empty() || file.size() > longest) return {nullptr, 0};
    const std::lock_guard lock(mutex);
    if (names.size() == most && names.count(file) == 0) return {nullptr, 0};
    return {names.insert(file).first->c_str(), line};
}

cudaError_t answer(wire::Call call, std::uint32_t thread, LabCallSite site, wire::Reader& arguments, wire::Writer& values) {
    if (call >= wire::Call::count) throw wire::Malformed();
    const HostThread::Current current(thread);
    if (const Make function = api[static_cast<std::size_t>(call)]; function != nullptr) return function(site, arguments, values);
    switch (call) {
        case wire::Call::cudaGetLastError:
            return query_error(true);
        case wire::Call::cudaPeekAtLastError:
            return query_error(false);
        case wire::Call::cudaLaunchKernel:
            return make_launch(site, arguments);
        case wire::Call::kernel_parameters:
            return give_parameters(arguments, values);
        case wire::Call::add_text:
            return peer()->add_text(arguments.get<std::uint64_t>());
        case wire::Call::register_unit:
            return register_unit(peer()->take_text());
        case wire::Call::settle_access:
            return settle_access(arguments);
        case wire::Call::shadow_access: {
            const auto* const shadow = arguments.get<const void*>();
            return report_shadow_access(shadow, arguments.get<bool>());
        }
        case wire::Call::explain_access: {
            const auto address = arguments.get<std::uint64_t>();
            say(STDERR_FILENO, explained_access(runtime(), address, arguments.get<bool>()));
            return cudaSuccess;
        }
        case wire::Call::end_program:
            end_program(runtime());
            return cudaSuccess;
        default:
            throw wire::Malformed();
    }
}

}  // namespace lab::cuda
