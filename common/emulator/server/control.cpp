#include "common/emulator/server/control.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "common/emulator/server/state.h"
#include "common/findings/finding_text.h"
#include "common/trace/json.h"

namespace lab::cuda {
namespace {

const void* pointer(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

// Another device has its own memory, so this comes before the arrays of a call.
void use_device(const std::string& id) {
    auto& session = Session::instance();
    Options wanted = session.options();
    wanted.device = id;
    session.configure(wanted);
}

nlohmann::json explained(const nlohmann::json& asked) {
    HostArray array;
    if (asked.contains("array")) array = {asked.at("array"), asked.at("begin"), asked.at("bytes")};
    const auto finding = Session::instance().explain_host_access(asked.at("address"), array);
    return finding ? nlohmann::json(*finding) : nlohmann::json();
}

// During its lifetime a unit of the program's has other kernels.
class OtherKernels {
public:
    OtherKernels(Unit* unit, const std::string& ptx) : unit_(unit), text_(std::exchange(unit->text, ptx)) { unload_all(); }
    ~OtherKernels() {
        unit_->text = std::move(text_);
        unload_all();
    }
    OtherKernels(const OtherKernels&) = delete;
    OtherKernels& operator=(const OtherKernels&) = delete;

private:
    Unit* unit_;
    std::string text_;
};

}  // namespace

void Control::serve(int socket) {
    std::uint64_t nonce = 0;
    std::vector<std::byte> storage;
    while (auto asked = runner::read_frame(socket, &nonce, std::move(storage))) {
        runner::Frame frame;
        frame.kind = runner::FrameKind::answer;
        try {
            answer(runner::parse_json(asked->json), &asked->raw, &frame);
        } catch (const std::exception& error) {
            frame = {};
            frame.kind = runner::FrameKind::answer;
            frame.json = runner::to_text({{"error", error.what()}});
        }
        if (!runner::write_frame(socket, nonce, frame)) return;
        if (std::exchange(has_ended_, false)) recover();
        storage = std::move(asked->raw);
    }
}

void Control::answer(const nlohmann::json& asked, std::vector<std::byte>* content, runner::Frame* frame) {
    auto& session = Session::instance();
    const auto what = asked.at("ask").get<std::string>();
    nlohmann::json value;
    if (what == "begin") {
        if (makes_wait()) {
            value = begin(asked.at("request").get<runner::Request>(), content);
            serving_.unlock();
        }
    } else if (what == "name_host_array") {
        log_.name(pointer(asked.at("address")), asked.at("bytes"), asked.at("name"));
        host_arrays_[asked.at("name")] = asked.at("address");
    } else if (what == "end") {
        if (makes_wait()) return end(*content, frame);
    } else if (what == "explain_access") {
        value = explained(asked);
    } else if (what == "replace_kernels") {
        session.replace_kernels(asked.at("ptx"));
    } else if (what == "replay") {
        return replay(asked.at("ptx"), *content, frame);
    } else {
        throw std::invalid_argument("unknown question " + what);
    }
    frame->json = runner::to_text({{"value", std::move(value)}});
}

bool Control::makes_wait() {
    constexpr std::chrono::seconds patience{10};
    if (!serving_) serving_ = std::unique_lock(runtime().serving, patience);
    return serving_.owns_lock();
}

nlohmann::json Control::begin(const runner::Request& request, std::vector<std::byte>* content) {
    auto& session = Session::instance();
    recover();
    arrays_ = {};
    std::swap(given_, *content);
    request_ = request;
    use_device(request.backend.device);
    std::span<const std::byte> rest(given_);
    nlohmann::json addresses = nlohmann::json::object();
    for (const runner::BufferSpec& spec : request.buffers) {
        const std::size_t carried = spec.output ? 0 : spec.carried() * spec.element_bytes();
        if (carried > rest.size()) throw runner::SetupError("the request's arrays are cut short");
        if (spec.on_device) {
            arrays_.place(spec, rest.first(carried));
            addresses[spec.name] = arrays_.all().back().address;
        }
        rest = rest.subspan(carried);
    }
    Options wanted{request.backend, request.backend.max_instructions};
    if (wanted.threads == 0) wanted.threads = threads_;
    wanted.checks = emulator::Checks::all();
    session.configure(wanted);
    log_.begin();
    record_.begin();
    host_arrays_.clear();
    before_ = session.take_api_counts();
    origins_.begin();
    if (request.backend.follows_values) {
        for (const PlacedArrays::Array& array : arrays_.all()) {
            if (!array.spec.output && array.spec.period == 0) origins_.has_input(pointer(array.address), array.given.data(), array.bytes());
        }
    }
    session.begin_watch();
    session.fail_allocation(request.backend.fail_allocation);
    session.fail_launch(request.backend.fail_launch);
    session.fail_copy(request.backend.fail_copy);
    runtime().skips_kernels = request.backend.skips_kernels;
    watch();
    return addresses;
}

void Control::watch() {
    copies_ms_ = 0;
    Watcher watcher;
    watcher.launch_begins = [this](const WatchedLaunch& launch) {
        log_.launches();
        record_.launches(launch);
    };
    watcher.copied = [this](const WatchedCopy& copy) {
        copies_ms_ += copy.modelled_ms;
        log_.copied(copy);
        record_.copied(copy);
        if (request_.backend.follows_values) follow(copy);
    };
    if (request_.backend.follows_values) watcher.stored_for_host = [this](std::uint32_t word) { origins_.stored(word); };
    Session::instance().watch(std::move(watcher));
}

double Control::end_timed() {
    Session::instance().watch({});
    double modelled_ms = copies_ms_;
    for (auto& launch : Session::instance().take_launches()) {
        modelled_ms += launch.modelled_ms;
        launches_.push_back(std::move(launch));
    }
    return modelled_ms;
}

trace::CallTrace Control::report() {
    auto& session = Session::instance();
    session.end_watch();
    const auto counts = session.take_api_counts();
    session.fail_allocation(0);
    session.fail_launch(0);
    session.fail_copy(0);
    runtime().skips_kernels = false;
    trace::CallTrace call{.backend = "emulator", .device = session.options().device, .findings = session.take_kernel_findings()};
    for (Finding& finding : session.take_api_findings()) call.findings.push_back(std::move(finding));
    call.copies = log_.copies();
    call.fills = log_.fills();
    call.arguments = arguments_of(launches_);
    call.launches = std::exchange(launches_, {});
    call.api = counts;
    call.api.leaked_allocations -= before_.leaked_allocations;
    call.api.leaked_bytes -= before_.leaked_bytes;
    return call;
}

void Control::end(const std::vector<std::byte>& content, runner::Frame* frame) {
    has_ended_ = true;
    trace::Answer answer{.times_ms = {end_timed()}, .report = report()};
    std::span<const std::byte> rest(content);
    for (const runner::BufferSpec& spec : request_.buffers) {
        const PlacedArrays::Array* const array = arrays_.find(spec.name);
        if (array != nullptr) {
            describe(*array, &answer, frame);
        } else if (const std::size_t bytes = spec.count * spec.element_bytes(); spec.output && bytes <= rest.size()) {
            if (auto found = elsewhere(nullptr, spec, rest.data()); found.count != 0) answer.elsewhere[spec.name] = std::move(found);
            rest = rest.subspan(bytes);
        }
    }
    if (answer.status != 0) {
        const auto status = static_cast<cudaError_t>(answer.status);
        answer.status_text = std::string(cudaGetErrorName(status)) + ": " + cudaGetErrorString(status);
    }
    frame->json = runner::to_text({{"value", answer}});
}

namespace {

// Whether a written element differs from the expected one by more than its bound; the bounds follow the expected elements.
template <typename T>
bool is_wrong(const std::byte* content, const std::byte* expected, std::uint64_t count, std::uint64_t poison) {
    const auto element = [](const std::byte* from, std::uint64_t i) {
        T value;
        std::memcpy(&value, from + i * sizeof value, sizeof value);
        return value;
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        if (std::memcmp(content + i * sizeof(T), &poison, sizeof(T)) == 0) continue;
        if (!(std::abs(element(content, i) - element(expected, i)) <= element(expected, count + i))) return true;
    }
    return false;
}

}  // namespace

bool Control::has_wrong_output(std::span<const std::byte> expected) const {
    return std::any_of(arrays_.all().begin(), arrays_.all().end(), [&](const PlacedArrays::Array& array) {
        const std::byte* const content = array.spec.output ? array.content() : nullptr;
        if (content == nullptr) return false;
        const auto mine = expected.first(std::min(expected.size(), 2 * array.bytes()));
        expected = expected.subspan(mine.size());
        if (mine.size() < 2 * array.bytes()) return false;
        const auto check = array.spec.element_bytes() == sizeof(double) ? is_wrong<double> : is_wrong<float>;
        return check(content, mine.data(), array.spec.count, array.spec.poison);
    });
}

// The kernels that were replaced come back, and so does the memory.
void Control::replay(const std::string& ptx, std::span<const std::byte> expected, runner::Frame* frame) {
    if (!serving_) throw std::logic_error("a call has to end before it is repeated");
    if (!record_.refusal().empty()) throw std::runtime_error("the call can't be repeated: " + record_.refusal());
    RuntimeState& state = runtime();
    recover();
    Unit* const unit = unit_of_function(record_.first_kernel());
    if (unit == nullptr) throw std::runtime_error("the call can't be repeated: it launches nothing");
    const OtherKernels other(unit, ptx);
    copies_ms_ = 0;
    const bool is_placed = arrays_.place_again();
    Session::instance().begin_watch();
    if (!expected.empty()) state.is_enough = [&] { return has_wrong_output(expected); };
    const bool is_repeated = is_placed && record_.repeat();
    state.is_enough = nullptr;
    if (!is_repeated) throw std::runtime_error("the call can't be repeated: its memory is in use");
    if (!unit->refusal.empty()) throw std::runtime_error(unit->refusal);
    trace::Answer answer{.times_ms = {end_timed()}, .report = report()};
    for (const runner::BufferSpec& spec : request_.buffers) {
        if (const PlacedArrays::Array* const array = arrays_.find(spec.name)) {
            describe(*array, &answer, frame);
        } else if (spec.output) {
            std::vector<std::byte>& content = poison_.emplace_back(spec.count * spec.element_bytes());
            runner::fill_repeatedly(content.data(), content.size(), spec.poison_bytes());
            if (const auto found = host_arrays_.find(spec.name); found != host_arrays_.end()) record_.fetch(found->second, content);
            frame->views.emplace_back(content);
        }
    }
    state.fault = cudaSuccess;
    state.is_fault_seen = false;
    (void)take_unsaid();  // the program's output is that of its own call
    has_ended_ = true;
    frame->json = runner::to_text({{"value", answer}});
}

// Checksum and first change of an input; content of an output. After an error that ends the context nothing can be copied.
void Control::describe(const PlacedArrays::Array& array, trace::Answer* answer, runner::Frame* frame) {
    const cudaError_t fault = runtime().fault;
    const std::byte* const content = fault == cudaSuccess ? array.content() : nullptr;
    if (content == nullptr && answer->status == 0) answer->status = fault == cudaSuccess ? cudaErrorInvalidValue : fault;
    if (!array.spec.output) {
        const std::uint64_t sum = content == nullptr ? array.spec.checksum : runner::checksum(content, array.given.size(), nullptr, 0);
        answer->checksums[array.spec.name] = sum;
        if (sum == array.spec.checksum) return;
        if (auto change = runner::first_change(array.spec, array.given, content)) answer->changed[array.spec.name] = std::move(*change);
        return;
    }
    if (content != nullptr) {
        frame->views.emplace_back(content, array.bytes());
        if (auto found = elsewhere(&array, array.spec, content); found.count != 0) answer->elsewhere[array.spec.name] = std::move(found);
        return;
    }
    std::vector<std::byte>& poison = poison_.emplace_back(array.bytes());
    runner::fill_repeatedly(poison.data(), poison.size(), array.spec.poison_bytes());
    frame->views.emplace_back(poison);
}

void Control::recover() {
    auto& session = Session::instance();
    arrays_.release();
    poison_.clear();
    if (runtime().fault != cudaSuccess) session.reset();
    session.forget_errors();
    (void)session.take_launches();
    (void)session.take_kernel_findings();
    (void)session.take_api_findings();
    launches_.clear();
}

void Control::follow(const WatchedCopy& copy) {
    const auto rows = [&](const WatchedCopy::End& end) { return ByteRows{end.pointer, end.pitch, copy.width, copy.height}; };
    const std::string call = copy.where.is_known() ? copy.call + " at " + to_text(copy.where) : copy.call;
    if (copy.from.pointer == nullptr) {
        origins_.filled(rows(copy.to));
    } else if (copy.to.is_device && copy.from.is_device) {
        origins_.moved(rows(copy.to), rows(copy.from), call);
    } else if (copy.to.is_device) {
        origins_.brought(rows(copy.to), copy.arrived, copy.arrived_pitch, call);
    } else if (copy.from.is_device) {
        origins_.fetched(rows(copy.from), copy.arrived, copy.arrived_pitch);
    }
}

// Elements of an output that no kernel stored. `array`: null for an array of the host.
trace::Elsewhere Control::elsewhere(const PlacedArrays::Array* array, const runner::BufferSpec& spec, const std::byte* content) {
    if (!request_.backend.follows_values) return {};
    const Values values{content, spec.count, spec.element_bytes(), spec.poison};
    const auto found = array != nullptr ? origins_.of_device(pointer(array->address), values) : origins_.of_host(values);
    return {found.count, found.first, found.call};
}

}  // namespace lab::cuda
