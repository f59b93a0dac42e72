#include "common/tools/studies/study_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/tools/errors.h"
#include "common/tools/studies/study_arrays.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

// Bits of a signalling NaN: no kernel computes it, so an element with these bits was never written.
constexpr std::uint64_t float_poison = 0x7fa5a5a5U;
constexpr std::uint64_t double_poison = 0x7ff5a5a5a5a5a5a5U;
constexpr std::chrono::hours patience{1};  // in the emulator an infinite kernel reaches the instruction limit; on a GPU Ctrl-C ends it

// Numbers of output elements that still have the poison, and of all.
struct Unwritten {
    std::uint64_t count = 0, of = 0;
};
Unwritten unwritten(const StudyAsk& ask, const std::vector<std::byte>& outputs) {
    Unwritten found;
    std::size_t at = 0;
    for (const StudyArray& array : ask.kernel->call(ask.size, ask.block).arrays) {
        if (!array.is_output) continue;
        const std::size_t bytes = array.count * (ask.is_double ? 8 : 4);
        if (at + bytes > outputs.size()) throw BadInput("the runner's answer is cut short: run it again");
        found.of += array.count;
        found.count += count_equal(outputs.data() + at, array.count, ask.is_double, ask.is_double ? double_poison : float_poison);
        at += bytes;
    }
    return found;
}

void take_device(const trace::CallTrace& call, StudyDevice* device) {
    if (device->is_modelled) return;
    device->name = call.device;
    device->memory_gb_per_s = call.peaks.memory_gb_per_s;
    device->float_gflop_per_s = call.peaks.float_gflop_per_s;
    device->double_gflop_per_s = call.peaks.double_gflop_per_s;
}

// The headline of the first finding about a kernel that ended its launch, or that did not; "" if there is none.
std::string headline_in(const std::vector<Finding>& findings, bool stops) {
    for (const Finding& finding : findings) {
        const bool is_of_kernel = finding.call.empty() || finding.kind == FindingKind::host_race;
        if (is_of_kernel && finding.stops == stops) return finding.headline;
    }
    return {};
}

// Whatever is wrong with an answer, in one line; "" if nothing is. Throws it where it leaves no result, unless accesses are recorded: those
// of a kernel that is stopped are there.
std::string what_is_wrong(const StudyAsk& ask, const trace::Answer& answer, const std::vector<std::byte>& outputs, const std::string& who) {
    const std::vector<Finding>& findings = answer.report.findings;
    const auto fail = [&](std::string line) {
        if (!ask.emulator.records_accesses) throw BadInput(line);
        return line;
    };
    if (const std::string fault = headline_in(findings, true); !fault.empty())
        return fail(fmt::format("{}: {}; ./lab grade {} explains it", who, fault, ask.kernel->lab));
    if (answer.status != 0) return fail(fmt::format("{}: {}", who, answer.status_text));
    const Unwritten rest = unwritten(ask, outputs);
    if (rest.count == rest.of) {
        return fail(fmt::format("{}: it wrote nothing: is the exercise done? (./lab grade {}; --solution studies the reference)", who,
                                ask.kernel->lab));
    }
    if (const std::string found = headline_in(findings, false); !found.empty()) return fmt::format("{}: {}", who, found);
    if (rest.count != 0 && ask.emulator.max_blocks == 0)
        return fmt::format("{}: {} of {} elements of the result are never written", who, rest.count, rest.of);
    return {};
}

}  // namespace

StudyRunner::StudyRunner(const Project& project, const std::string& lab, bool is_solution, const Audience& audience)
    : is_solution_(is_solution), stop_asked_(audience.stop_asked) {
    const Lab chosen = project.select_one(lab, "profile");
    device_ = project.backend;
    if (is_solution && is_bundle(project.build)) throw BadInput("--solution: a students' bundle has none");
    if (is_solution) {
        const std::string reference = chosen.reference(device_);
        const Ending built = build_targets(project.build, {reference}, audience);
        if (!built.ok() && !built.stopped)
            throw BadInput(fmt::format("the reference of {} does not build:\n{}", lab, compiler_text(built)));
        program_ = project.bin(reference);
        return;
    }
    const Runner own = build_own_runner(project, chosen, device_, audience);
    if (own.program.empty() && !own.stopped) throw BadInput(fmt::format("{}: {}", lab, own.trouble));
    program_ = own.program;
}

StudyRunner::StudyRunner(fs::path program, bool is_solution, const Audience& audience, std::optional<sandbox::Sandbox> sandbox)
    : is_solution_(is_solution), stop_asked_(audience.stop_asked), program_(std::move(program)), sandbox_(std::move(sandbox)) {}

runner::Request StudyRunner::request_of(const StudyAsk& ask, const StudyDevice& device) {
    const StudyCall call = ask.kernel->call(ask.size, ask.block);
    runner::Request request;
    request.call = ask.kernel->name;
    request.integers = call.integers;
    request.timing.warm_up = ask.warm_up;
    request.timing.repeats = ask.repeats;
    static_cast<emulator::Options&>(request.backend) = ask.emulator;
    if (device.is_modelled) request.backend.device = device.found_as;
    std::uint64_t elements = 0;
    for (const StudyArray& array : call.arrays) {
        runner::BufferSpec spec;
        spec.name = array.name;
        spec.type = ask.is_double ? "double" : "float";
        spec.count = array.count;
        spec.output = array.is_output;
        spec.poison = ask.is_double ? double_poison : float_poison;
        elements += array.is_output ? 0 : array.count;
        request.buffers.push_back(std::move(spec));
    }
    // All calls of a study use the same inputs: generating them takes longer than the kernels.
    if (inputs_.size() != elements * (ask.is_double ? sizeof(double) : sizeof(float))) {
        inputs_.clear();
        append_random(elements, ask.is_double, &inputs_);
    }
    return request;
}

StudyResult StudyRunner::run(const StudyAsk& ask, StudyDevice* device) {
    StudyResult result;
    result.stopped = program_.empty() || interrupted();
    if (result.stopped) return result;
    if (ask.kernel->is_in_reference_only && !is_solution_) {
        throw BadInput(fmt::format("{} is a kernel of the reference only: add --solution", ask.kernel->name));
    }
    if (!child_ || !child_->alive()) {
        child_ = std::make_unique<grading::Child>(program_.string(), device_, "", sandbox_);
        child_->stop_when(stop_asked_);
    }
    const runner::Request request = request_of(ask, *device);
    std::vector<std::span<const std::byte>> contents;
    std::span<const std::byte> rest(inputs_);
    for (const runner::BufferSpec& spec : request.buffers) {
        const std::uint64_t bytes = spec.output ? 0 : spec.count * spec.element_bytes();
        contents.push_back(rest.first(bytes));
        rest = rest.subspan(bytes);
    }
    grading::Reply reply = child_->call(request, std::move(contents), {patience, patience, patience});
    result.stopped = reply.stopped;
    if (result.stopped) return result;
    const std::string who = fmt::format("{}, size {}, blocks {}", ask.kernel->name, show(ask.size, ask.kernel->is_square), show(ask.block));
    if (!reply.answer) throw BadInput(fmt::format("{}: {}", who, reply.reason));
    trace::Answer& answer = *reply.answer;
    for (const auto& trouble : {answer.setup, answer.exception}) {
        if (trouble) throw BadInput(fmt::format("{}: {}", who, *trouble));
    }
    result.warning = what_is_wrong(ask, answer, reply.outputs, who);
    if (!answer.usable) child_.reset();
    result.times_ms = std::move(answer.times_ms);
    take_device(answer.report, device);
    if (device->is_modelled) result.launches = std::move(answer.report.launches);
    return result;
}

void StudyRunner::save(const StudyAsk& ask, const StudyDevice& device, const fs::path& file) {
    runner::Frame frame;
    frame.kind = runner::FrameKind::request;
    frame.json = Json(request_of(ask, device)).dump();
    frame.raw = inputs_;
    const runner::FrameHeader header = runner::header_of(frame, 0);
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(&header), sizeof header);
    stream.write(frame.json.data(), static_cast<std::streamsize>(frame.json.size()));
    stream.write(reinterpret_cast<const char*>(frame.raw.data()), static_cast<std::streamsize>(frame.raw.size()));
    if (!stream) throw BadInput(fmt::format("{}: can't be written", file.string()));
}

}  // namespace lab::tools
