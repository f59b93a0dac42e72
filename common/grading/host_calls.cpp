#include "common/grading/host_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/grading/arrays.h"
#include "common/grading/findings.h"

namespace lab::grading {
namespace {

std::uint64_t bytes_of(const runner::BufferSpec& array) { return array.count * array.element_bytes(); }

std::string at_line(const trace::Copy& copy) { return copy.line == 0 ? "" : fmt::format(" at line {}", copy.line); }

// The memory on the device that a copy uses: "the memory allocated at line 40".
std::string memory_of(const trace::End& end) {
    return end.allocated_at == 0 ? "the same memory" : fmt::format("the memory allocated at line {}", end.allocated_at);
}

// Whether the call launched nothing, although no call of the runtime, and so no launch, failed.
bool is_without_kernel(const Result& result) { return result.backend != "host" && result.launches.empty() && result.api.failed_calls == 0; }

// Copies and arrays of one call.
class Copies {
public:
    Copies(const Result& result, const Call& call, std::set<std::string> unwritten)
        : result_(result), arrays_(call.arrays()), unwritten_(std::move(unwritten)), copies_(result.copies) {}

    [[nodiscard]] Cause mistake() const {
        // Others may bring data by ways that no copy shows.
        const bool are_known = std::all_of(copies_.begin(), copies_.end(), [](const trace::Copy& copy) {
            return copy.to.is_device != copy.from.is_device && !(copy.to.is_device ? copy.from : copy.to).array.empty();
        });
        if (copies_.empty() || !are_known) return {};
#define LAB_FIRST_CAUSE(name) \
    if (std::string text = name(); !text.empty()) return {std::move(text), Proof::index, Topic::none, {}, #name};
        LAB_CAUSES_IN_COPIES(LAB_FIRST_CAUSE)
#undef LAB_FIRST_CAUSE
        return {};
    }

private:
    [[nodiscard]] std::vector<trace::Copy> copies_from(const std::string& array) const {
        std::vector<trace::Copy> found;
        std::copy_if(copies_.begin(), copies_.end(), std::back_inserter(found),
                     [&](const trace::Copy& copy) { return copy.from.array == array && copy.to.is_device; });
        return found;
    }

    // An access past the end of an allocation that has less room than the array copied there or, if no input is copied there, the output.
    [[nodiscard]] std::string small_allocation() const {
        const auto is_past = [](const Finding& finding) {
            return finding.kind == FindingKind::out_of_bounds && finding.stops && !finding.locations.empty() &&
                   finding.locations[0].object.name.empty() && finding.locations[0].object.allocated_at.is_known() &&
                   (finding.locations[0].relation == Relation::past_end || finding.locations[0].relation == Relation::crosses_end);
        };
        const auto finding = std::find_if(result_.findings.begin(), result_.findings.end(), is_past);
        if (finding == result_.findings.end()) {
            return "";
        }
        const Location& beyond = finding->locations[0];
        const std::uint64_t block = beyond.address - static_cast<std::uint64_t>(beyond.offset);
        const auto copy =
            std::find_if(copies_.begin(), copies_.end(), [&](const trace::Copy& one) { return one.to.is_device && one.to.block == block; });
        const bool has_one_each = static_cast<std::size_t>(result_.api.allocations) == arrays_.size();
        for (const runner::BufferSpec& array : arrays_) {
            const bool is_its = copy == copies_.end() ? array.output && has_one_each && are_all_copied() : array.name == copy->from.array;
            if (is_its && beyond.object.size < bytes_of(array)) {
                return fmt::format("line {} allocates {} bytes for {}, whose {} elements of {} bytes take {}{}",
                                   beyond.object.allocated_at.line, beyond.object.size, array.name, array.count, array.element_bytes(),
                                   bytes_of(array), beyond.object.size == array.count ? ": is the size in elements?" : "");
            }
        }
        return "";
    }
    [[nodiscard]] bool are_all_copied() const {
        return std::all_of(arrays_.begin(), arrays_.end(),
                           [&](const runner::BufferSpec& array) { return array.output || !copies_from(array.name).empty(); });
    }

    // Two inputs that are copied to one place, or one input that is copied twice in place of another.
    [[nodiscard]] std::string shared_destination() const {
        for (const trace::Copy& copy : copies_) {
            for (const trace::Copy& earlier : copies_) {
                const bool is_earlier = &earlier < &copy && copy.to.is_device && earlier.to.is_device;
                const bool are_two = copy.from.array != earlier.from.array && copy.to.block == earlier.to.block;
                if (is_earlier && are_two && copy.to.offset == earlier.to.offset && copy.launches == earlier.launches) {
                    return fmt::format("{} is copied{} over {}, to {}: is its destination the wrong pointer?", copy.from.array,
                                       at_line(copy), earlier.from.array, memory_of(copy.to));
                }
            }
        }
        return "";
    }

    [[nodiscard]] std::string never_copied() const {
        const auto is_output = [&](const std::string& name) {
            return std::any_of(arrays_.begin(), arrays_.end(), [&](const auto& array) { return array.output && array.name == name; });
        };
        for (const runner::BufferSpec& array : arrays_) {
            if (array.output || !copies_from(array.name).empty()) {
                continue;
            }
            for (const trace::Copy& copy : copies_) {
                if (copy.to.is_device && is_output(copy.from.array)) {
                    return fmt::format("{}, the result, is copied to the device{}, and {} never: is its source the wrong array?",
                                       copy.from.array, at_line(copy), array.name);
                }
            }
            const bool is_missed = std::any_of(result_.findings.begin(), result_.findings.end(), [](const Finding& finding) {
                return finding.kind == FindingKind::uninitialised_read && !finding.kernel.empty();
            });
            return is_missed ? fmt::format("{} is never copied to the device", array.name) : "";
        }
        return "";
    }

    [[nodiscard]] std::string copied_in_part() const {
        for (const runner::BufferSpec& array : arrays_) {
            const std::vector<trace::Copy> copies = array.output ? std::vector<trace::Copy>{} : copies_from(array.name);
            if (copies.size() == 1 && copies[0].bytes < bytes_of(array)) {
                return fmt::format("only {} of the {} bytes of {} are copied to the device{}{}", copies[0].bytes, bytes_of(array),
                                   array.name, at_line(copies[0]), copies[0].bytes == array.count ? ": is the size in elements?" : "");
            }
        }
        return "";
    }

    // The output comes from memory that an input was copied to, and from nowhere else.
    [[nodiscard]] std::string copied_back_from_an_input() const {
        for (const trace::Copy& copy : copies_) {
            for (const trace::Copy& earlier : copies_) {
                const auto passes = [](std::int64_t offset, const trace::Copy& other, std::int64_t from) {
                    return offset < from + static_cast<std::int64_t>(other.bytes);
                };
                const bool overlap =
                    passes(earlier.to.offset, copy, copy.from.offset) && passes(copy.from.offset, earlier, earlier.to.offset);
                if (copy.from.is_device && earlier.to.is_device && copy.from.block == earlier.to.block && overlap) {
                    return fmt::format("{} is copied back{} from {}, which {} was copied to: is its source the wrong pointer?",
                                       copy.to.array, at_line(copy), memory_of(copy.from), earlier.from.array);
                }
            }
        }
        return "";
    }

    // The result is overwritten between the launch and the copy that brings it back.
    [[nodiscard]] std::string filled_after_the_launch() const {
        for (const trace::Fill& fill : result_.fills) {
            const auto brings_it = [&](const trace::Copy& copy) {
                return copy.from.is_device && copy.from.block == fill.to.block && copy.launches == fill.launches;
            };
            const auto copy = std::find_if(copies_.begin(), copies_.end(), brings_it);
            if (copy != copies_.end() && copy->launches > 0 && copy->order > fill.order) {
                return fmt::format("{} at line {} overwrites the kernel's result before it is copied to {}", fill.call, fill.line,
                                   copy->to.array);
            }
        }
        return "";
    }

    [[nodiscard]] std::string never_launched() const {
        const auto copy = std::find_if(copies_.begin(), copies_.end(), [](const trace::Copy& one) { return one.from.is_device; });
        return copy == copies_.end() || !is_without_kernel(result_)
                   ? ""
                   : fmt::format(
                         "{} is copied back{}, but no kernel was launched before: is a launch missing, or "
                         "its grid rounded down to 0 blocks?",
                         copy->to.array, at_line(*copy));
    }

    [[nodiscard]] std::string never_copied_back() const {
        const bool was_launched = !result_.launches.empty() && result_.status == 0;
        for (const runner::BufferSpec& array : arrays_) {
            const auto brings = [&](const trace::Copy& copy) { return copy.from.is_device && copy.to.array == array.name; };
            if (was_launched && unwritten_.count(array.name) != 0 && std::none_of(copies_.begin(), copies_.end(), brings)) {
                const bool is_mapped = count(result_, &Counters::mapped_store, &MemoryCounts::bytes) > 0;
                return is_mapped ? fmt::format(
                                       "nothing came into {0}: the kernel stored to mapped memory, and nothing is copied from there "
                                       "to {0} afterwards",
                                       array.name)
                                 : fmt::format("nothing came into {0}: no copy brings the kernel's result back to {0}", array.name);
            }
        }
        return "";
    }
    const Result& result_;
    const std::vector<runner::BufferSpec>& arrays_;
    std::set<std::string> unwritten_;
    const std::vector<trace::Copy>& copies_;
};

}  // namespace

Cause mistake_in_copies(const Result& result, const Call& call, const std::set<std::string>& unwritten) {
    return Copies(result, call, unwritten).mistake();
}

Message explained_by_cause(Message wrong, const Cause& cause) {
    if (wrong.empty() || cause.empty()) return wrong;
    wrong.proof = Proof::index;
    return wrong.led_by(cause.text, cause.name);
}

Message explained_by_copies(Message wrong, const Result& result, const Call& call) {
    // A call that failed explains itself.
    const bool is_explained =
        wrong.empty() || wrong.proof >= Proof::several || (wrong.subject == Topic::copying && !is_without_kernel(result));
    if (is_explained || !result.problem.empty()) {
        return wrong;
    }
    std::set<std::string> unwritten;
    for (const runner::BufferSpec& array : call.arrays()) {
        const std::vector<float> values = array.output && array.type == "float" ? result.output<float>(array.name) : std::vector<float>{};
        const auto is_poison = [&](float value) { return bits_of(value) == array.poison; };
        if (!values.empty() && std::all_of(values.begin(), values.end(), is_poison)) {
            unwritten.insert(array.name);
        }
    }
    return explained_by_cause(std::move(wrong), mistake_in_copies(result, call, unwritten));
}

Cause wrong_arguments(const Result& result, const std::string& kernel, const std::vector<AskedArgument>& asked) {
    const bool is_one = result.arguments.size() == 1 && result.launches.size() == 1;
    if (!is_one || result.arguments[0].size() != asked.size() || result.launches[0].kernel.rfind(kernel + "(", 0) != 0) {
        return {};
    }
    std::string given, wanted;
    for (std::size_t at = 0; at < asked.size(); ++at) {
        const auto& [is_pointer, array, offset, number] = result.arguments[0][at];
        if (is_pointer == asked[at].array.empty()) {
            return {};
        }
        const bool is_right = asked[at].array == any_pointer ? is_pointer
                              : is_pointer                   ? array == asked[at].array && offset == 0
                                                             : number == asked[at].number;
        if (is_right) {
            continue;
        }
        const std::string has = !is_pointer ? std::to_string(number) : array.empty() ? "another pointer" : array;
        const std::string should = is_pointer ? asked[at].array : std::to_string(asked[at].number);
        given += fmt::format("{}{} = {}", given.empty() ? "" : ", ", asked[at].name, has);
        wanted += fmt::format("{}{} = {}", wanted.empty() ? "" : ", ", asked[at].name, should);
    }
    if (given.empty()) return {};
    return {fmt::format("{} is launched with {} instead of {}", kernel, given, wanted), Proof::index, Topic::none, {}, "kernel_arguments"};
}

Message explained_by_arguments(Message wrong, const Result& result, const std::string& kernel, const std::vector<AskedArgument>& asked) {
    return wrong.proof < Proof::several && result.problem.empty()
               ? explained_by_cause(std::move(wrong), wrong_arguments(result, kernel, asked))
               : wrong;
}

}  // namespace lab::grading
