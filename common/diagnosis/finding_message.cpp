
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "common/diagnosis/causes/list.h"
#include "common/diagnosis/message.h"
#include "common/findings/finding_text.h"

namespace lab::diagnosis {
namespace {

// "the block has 5000 bytes of shared memory, N_tile is the last of it".
std::string shared_size(const Object& object) {
    std::string size = fmt::format("the block has {} bytes of {}", object.size, name_of(object.kind));
    if (object.name.empty()) return size;
    return object.is_dynamic
               ? fmt::format("{}: does the launch ask for bytes, and for all that {} holds, padding included?", size, object.name)
               : fmt::format("{}, {} is the last of it: does an index run past its end?", size, object.name);
}

// "N[256], but N has 256 elements" of an access beyond an array that the suite has named.
std::string element_outside(const Location& location, std::uint64_t element_bytes) {
    const Object& object = location.object;
    if (object.kind == ObjectKind::shared_memory && location.relation == Relation::past_end) return shared_size(object);
    const bool is_beyond = location.relation == Relation::past_end || location.relation == Relation::crosses_end;
    const bool is_allocated = object.kind == ObjectKind::allocation || object.kind == ObjectKind::pinned_memory;
    if (is_allocated && object.name.empty() && object.allocated_at.is_known() && is_beyond)
        return fmt::format("line {} allocates {} bytes there", object.allocated_at.line, object.size);
    if (object.kind != ObjectKind::allocation || object.name.empty() || !is_beyond) return "";
    const std::uint64_t elements = object.size / element_bytes;
    return fmt::format("{}[{}], but {} has {} element{}", object.name, (object.size + location.distance) / element_bytes, object.name,
                       elements, elements == 1 ? "" : "s");
}

// The accessed element: "N[256], but N has 256 elements", "element 16 of M_tile"; "" if unknown.
std::string element_of(const Finding& finding) {
    const std::uint64_t bytes = finding.value(Quantity::access_bytes).value_or(0);
    if (finding.locations.empty() || bytes == 0) return "";
    const Location& location = finding.locations[0];
    if (finding.kind == FindingKind::out_of_bounds) return element_outside(location, bytes);
    const bool is_read = finding.kind == FindingKind::uninitialised_read && finding.space != MemorySpace::local;
    return is_read && location.object.kind == ObjectKind::shared_variable && location.bytes >= 2
               ? fmt::format("element {} of {}", static_cast<std::uint64_t>(location.offset) / bytes, location.object.name)
               : "";
}

// The allocation in which an element is read that was never written; null if there is none.
const Location* unwritten_allocation(const Finding& finding) {
    const bool is_read = finding.kind == FindingKind::uninitialised_read && finding.space != MemorySpace::local &&
                         !finding.locations.empty() && finding.value(Quantity::access_bytes).value_or(0) != 0;
    return is_read && finding.locations[0].object.kind == ObjectKind::allocation ? &finding.locations[0] : nullptr;
}

// Question about the barrier that a race between two lines in shared memory lacks; "" for other races.
std::string question_about_barrier(const Finding& race) {
    if (race.space != MemorySpace::shared || race.line() == 0 || race.other_line() == 0 || race.other_line() == race.line()) return "";
    if (race.is_next_iteration)
        return fmt::format(": is a __syncthreads() missing after line {}?", std::max(race.line(), race.other_line()));
    const bool both_write = race.places.size() == 2 && std::all_of(race.places.begin(), race.places.end(),
                                                                   [](const Place& place) { return place.role == PlaceRole::write; });
    return both_write ? ": both write the same element: do two arrays overlap, or is a __syncthreads() missing?"
                      : ": is a __syncthreads() missing between them?";
}

// For a race between blocks that no question about an index explains: that nothing orders them.
std::string missing_order(const Finding& race) {
    const bool is_between = race.space == MemorySpace::global && race.places.size() == 2 && race.places[0].block &&
                            race.places[0].block != race.places[1].block;
    if (!is_between || race.line() == 0) return "";
    if (is_written_twice(race)) return ": both write the same element: is an index wrong, or should only one of them store?";
    return race.has_barrier_between
               ? ": the __syncthreads() between them waits only for its own block, and nothing orders the blocks of a launch"
               : ": nothing orders the blocks of a launch";
}

bool is_within_a_block(const Finding& race) {
    return is_written_twice(race) && race.places.size() == 2 && race.places[0].block == race.places[1].block;
}

// "race in shared memory at line 7: two threads write the same element".
std::string written_by_two(const Finding& race) {
    return fmt::format("{} at line {}: two threads write the same element", race.headline, race.line());
}

// Question about the part of their indices in which two threads of a block differ; "" if they differ in several.
std::string question_about_threads(const Index& one, const Index& other) {
    const bool is_x = one.x != other.x;
    if (is_x == (one.y != other.y) || one.z != other.z) return "";
    return fmt::format(", which differ only in threadIdx.{0}: does the index lack threadIdx.{0}, or should a guard let one of them store?",
                       is_x ? 'x' : 'y');
}

// The same of two blocks whose thread of the same place writes the same element.
std::string question_about_blocks(const Finding& race) {
    if (race.kind != FindingKind::race || !is_written_twice(race) || race.places.size() != 2) return "";
    const Index one = race.places[0].block.value_or(Index{});
    const Index other = race.places[1].block.value_or(Index{});
    const bool is_x = one.x != other.x;
    if (race.places[0].thread != race.places[1].thread || is_x == (one.y != other.y) || one.z != other.z) return "";
    return fmt::format(": blocks that differ only in blockIdx.{0} write the same element: is blockIdx.{0} part of the index?",
                       is_x ? 'x' : 'y');
}

// "b.cu:7 and line 5 in kernel k<16>, block (0,0,0)".
std::string place_of(const Finding& finding) {
    if (!finding.call.empty() || finding.kernel.empty()) return finding.places.empty() ? "" : to_text(finding.places[0].source);
    std::string kernel =
        "in kernel " + finding.kernel.substr(0, finding.kernel.back() == ')' ? finding.kernel.find('(') : std::string::npos);
    if (finding.kind == FindingKind::race && finding.space == MemorySpace::shared && !finding.places.empty())
        kernel += ", block " + to_text(finding.places[0].block.value_or(Index{}));
    if (finding.line() == 0) return kernel;
    const bool has_other = finding.other_line() != 0 && finding.other_line() != finding.line();
    return fmt::format("{}{} {}", to_text(finding.places[0].source), has_other ? fmt::format(" and line {}", finding.other_line()) : "",
                       kernel);
}

std::set<Topic> topics_of(const Finding& finding) {
    const FindingKind kind = finding.kind;
    const bool is_early = kind == FindingKind::host_race || kind == FindingKind::read_too_soon || kind == FindingKind::stream_race;
    const auto calls = [&](const char* name) { return finding.call.rfind(name, 0) == 0; };
    std::set<Topic> topics;
    const auto add = [&](bool holds, Topic topic) {
        if (holds) {
            topics.insert(topic);
        }
    };
    add(finding.call.empty() && !finding.kernel.empty(), Topic::in_kernel);
    add(finding.space == MemorySpace::global, Topic::global_memory);
    add(finding.space == MemorySpace::shared, Topic::shared_memory);
    add(is_early, Topic::not_waited_for);
    add(kind == FindingKind::use_after_free || kind == FindingKind::double_free, Topic::freed_memory);
    add(calls("cudaFree"), Topic::freeing);
    add(calls("cudaMemcpy") && !is_early, Topic::copying);
    add(finding.error == cuda_error_invalid_value, Topic::invalid_value);
    add(finding.error == cuda_error_invalid_configuration, Topic::invalid_configuration);
    return topics;
}

}  // namespace

// Two writes at one line use one index: it lacks the part in which the threads differ.
Cause thread_missing_in_index(const Finding& race) {
    if (race.kind != FindingKind::race || !is_within_a_block(race)) return {};
    const std::string question = question_about_threads(race.places[0].thread.value_or(Index{}), race.places[1].thread.value_or(Index{}));
    return {question.empty() ? "" : written_by_two(race) + question};
}

Cause block_missing_in_index(const Finding& race) {
    const std::string question = question_about_blocks(race);
    return {question.empty() ? "" : headline_of(race) + question, Proof::several};
}

// Where one thread of a block reads at a line what another one stores there, both mostly add to one element.
Cause sum_of_several_threads(const Finding& race) {
    if (race.kind != FindingKind::race || race.space != MemorySpace::shared || race.places.size() != 2 || race.locations.empty()) return {};
    const Object& object = race.locations[0].object;
    const bool is_at_one_line = race.line() != 0 && race.line() == race.other_line();
    if (!is_at_one_line || race.places[0].role == race.places[1].role || object.name.empty()) return {};
    if (object.size <= sizeof(double))
        return {fmt::format("{}: the threads of a block share one {}: is each to have its own?", headline_of(race), object.name)};
    return {fmt::format("{}: one reads what the other one stores: do several threads add to one element of {}?", headline_of(race),
                        object.name)};
}

Cause barrier_missing(const Finding& race) {
    const std::string question = race.kind == FindingKind::race && !is_within_a_block(race) ? question_about_barrier(race) : "";
    return {question.empty() ? "" : headline_of(race) + question};
}

Cause blocks_unordered(const Finding& race) {
    const std::string question = race.kind == FindingKind::race ? missing_order(race) : "";
    return {question.empty() ? "" : headline_of(race) + question};
}

// Names the barrier and a thread that is missing there. Its line depends on the compiler unless it waits at another barrier.
Cause barrier_not_reached(const Finding& finding) {
    const bool is_known = finding.kind == FindingKind::divergent_barrier && finding.places.size() == 2 && finding.places[1].thread &&
                          finding.line() != 0 && finding.other_line() != 0;
    if (!is_known) return {};
    const bool is_at_another = finding.places[1].role == PlaceRole::other_barrier && finding.other_line() != finding.line();
    return {fmt::format("{}: thread {} is missing at line {}{}: is that barrier in an if or a loop, or behind a return, that not all take?",
                        finding.headline, to_text(*finding.places[1].thread), finding.line(),
                        is_at_another ? fmt::format(", it waits at line {}", finding.other_line()) : "")};
}

// A local array belongs to one thread, so no other thread could have written it.
Cause array_of_thread(const Finding& finding) {
    if (finding.kind != FindingKind::uninitialised_read || finding.space != MemorySpace::local) return {};
    return {headline_of(finding) + ": each thread has such an array of its own: is __shared__ missing, or an element never set?"};
}

// The suite names its arrays and fills all but the outputs.
Cause output_read(const Finding& finding) {
    const Location* const read = unwritten_allocation(finding);
    if (read == nullptr || read->object.name.empty()) return {};
    const auto element = static_cast<std::uint64_t>(read->offset) / *finding.value(Quantity::access_bytes);
    return {fmt::format("{0}: {1}[{2}] is read before it is stored: does += stand where = should, or is {1} never set to 0?",
                        headline_of(finding), read->object.name, element)};
}

Cause copy_missing(const Finding& finding) {
    const Location* const read = unwritten_allocation(finding);
    if (read == nullptr || !read->object.name.empty() || !read->object.allocated_at.is_known()) return {};
    return {fmt::format("{}: it was allocated at line {}; is its copy or cudaMemset missing, too late, too small or to another pointer?",
                        headline_of(finding), read->object.allocated_at.line)};
}

Message message_of(const Finding& finding) {
    const Cause cause = first_cause(causes_in_findings, finding);
    const bool is_by_two = finding.kind == FindingKind::race && is_within_a_block(finding);
    Message message(!cause.empty() ? cause.text : is_by_two ? written_by_two(finding) : headline_of(finding), lines(evidence_of(finding)));
    message.cause = cause.name;
    message.proof = cause.proof;
    message.kind = topic_of(finding.kind);
    message.topics = topics_of(finding);
    message.subject = message.topics.count(Topic::copying) != 0 ? Topic::copying : Topic::none;
    message.findings.push_back(finding);
    if (const std::string element = element_of(finding); !element.empty()) message.what += ": " + element;
    if (const std::string place = place_of(finding); !place.empty()) message.where.push_back(place);
    return message;
}

Message explained_by_launch(Message found, const FailedLaunch& seen) {
    if (const Cause cause = first_cause(causes_in_launches, seen); !cause.empty()) {
        found.what = cause.text;
        found.cause = cause.name;
        if (cause.proof != Proof::none) found.proof = cause.proof;
    }
    return found;
}

}  // namespace lab::diagnosis
