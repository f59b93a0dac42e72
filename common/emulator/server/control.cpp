#include "common/emulator/server/control.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "common/findings/finding_text.h"
#include "common/trace/json.h"

namespace lab::cuda {
namespace {

const void* pointer(const nlohmann::json& asked) { return reinterpret_cast<const void*>(asked.at("address").get<std::uint64_t>()); }

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

}  // namespace

void Control::serve(int socket) {
    std::uint64_t nonce = 0;
    while (const auto asked = runner::read_frame(socket, &nonce)) {
        runner::Frame frame;
        frame.kind = runner::FrameKind::answer;
        try {
            frame.json = runner::to_text({{"value", answer(runner::parse_json(asked->json), asked->raw)}});
        } catch (const std::exception& error) {
            frame.json = runner::to_text({{"error", error.what()}});
        }
        if (!runner::write_frame(socket, nonce, frame)) return;
    }
}

nlohmann::json Control::answer(const nlohmann::json& asked, const std::vector<std::byte>& content) {
    auto& session = Session::instance();
    const auto what = asked.at("ask").get<std::string>();
    if (what == "use_device") {
        use_device(asked.at("id"));
    } else if (what == "replace_kernels") {
        session.replace_kernels(asked.at("ptx"));
    } else if (what == "begin") {
        begin(asked.at("request").get<runner::Request>().backend);
    } else if (what == "begin_timed") {
        watch();
    } else if (what == "end_timed") {
        return end_timed();
    } else if (what == "report") {
        return report();
    } else if (what == "recover") {
        recover();
    } else if (what == "name_array") {
        session.name_array(pointer(asked), asked.at("name"));
    } else if (what == "name_host_array") {
        log_.name(pointer(asked), asked.at("bytes"), asked.at("name"));
    } else if (what == "forget_contents") {
        session.forget_written(pointer(asked), asked.at("bytes"));
    } else if (what == "has_input") {
        origins_.has_input(pointer(asked), inputs_.emplace_back(content).data(), content.size());
    } else if (what == "elsewhere") {
        return elsewhere(asked, content);
    } else if (what == "explain_access") {
        return explained(asked);
    } else {
        throw std::invalid_argument("unknown question " + what);
    }
    return nullptr;
}

void Control::begin(const runner::BackendOptions& options) {
    auto& session = Session::instance();
    Options wanted{options, options.max_instructions};
    wanted.threads = session.options().threads;  // as LAB_THREADS says
    wanted.checks = emulator::Checks::all();
    session.configure(wanted);
    forget();
    log_.begin();
    before_ = session.take_api_counts();
    follows_values_ = options.follows_values;
    origins_.begin();
    inputs_.clear();
    session.begin_watch();
    session.fail_allocation(options.fail_allocation);
    session.fail_launch(options.fail_launch);
    session.fail_copy(options.fail_copy);
}

void Control::watch() {
    copies_ms_ = 0;
    Watcher watcher;
    watcher.launch_begins = [this] { log_.launches(); };
    watcher.copied = [this](const WatchedCopy& copy) {
        copies_ms_ += copy.modelled_ms;
        log_.copied(copy);
        if (follows_values_) follow(copy);
    };
    if (follows_values_) watcher.stored_for_host = [this](std::uint32_t word) { origins_.stored(word); };
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
    trace::CallTrace call;
    call.backend = "emulator";
    call.device = session.options().device;
    call.findings = session.take_kernel_findings();
    stopped_ = stopped_ || std::any_of(call.findings.begin(), call.findings.end(), [](const Finding& finding) { return finding.stops; });
    for (Finding& finding : session.take_api_findings()) call.findings.push_back(std::move(finding));
    call.copies = log_.copies();
    call.fills = log_.fills();
    call.arguments = arguments_of(launches_);
    call.launches = std::exchange(launches_, {});
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

void Control::recover() {
    if (stopped_) Session::instance().reset();
    stopped_ = false;
    forget();
}

void Control::forget() {
    auto& session = Session::instance();
    session.forget_errors();
    (void)session.take_launches();
    (void)session.take_kernel_findings();
    (void)session.take_api_findings();
    launches_.clear();
}

void Control::follow(const WatchedCopy& copy) {
    const auto rows = [&](const WatchedCopy::End& end) { return runner::ByteRows{end.pointer, end.pitch, copy.width, copy.height}; };
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

// Of an output with this content: in device memory, or the host's where there is no address.
nlohmann::json Control::elsewhere(const nlohmann::json& asked, const std::vector<std::byte>& content) {
    if (!follows_values_) return nullptr;
    const auto width = asked.at("element_bytes").get<std::size_t>();
    const runner::Values values{content.data(), content.size() / width, width, asked.at("poison")};
    const auto found = asked.contains("address") ? origins_.of_device(pointer(asked), values) : origins_.of_host(values);
    return trace::Elsewhere{found.count, found.first, found.call};
}

}  // namespace lab::cuda
