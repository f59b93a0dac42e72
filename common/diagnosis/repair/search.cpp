#include "common/diagnosis/repair/search.h"

#include <algorithm>
#include <array>
#include <deque>
#include <future>
#include <map>
#include <set>
#include <span>

#include "common/diagnosis/repair/slice.h"

namespace lab::repair {
namespace {

// Edits in one compile: each takes about 10 ms of it (clang 14), the rest of the file 0.2 s.
constexpr std::size_t batch = 64;

class Trials {
public:
    Trials(const Functions& functions, KernelName kernel, const Means& means)
        : functions_(functions), kernel_(std::move(kernel)), means_(means), start_(means.seconds()) {}

    // Tries edits of one stage, some while others are compiled; false once the limit is exceeded.
    bool try_all(const Subject& subject, std::span<const Edit* const> edits) {
        const std::size_t count = (edits.size() + batch - 1) / batch;
        std::deque<std::future<Copies>> compiling;
        for (std::size_t i = 0; has_time() && (i < count || !compiling.empty());) {
            for (; i < count && compiling.size() < means_.threads; ++i) {
                const std::size_t begin = i * edits.size() / count, end = (i + 1) * edits.size() / count;
                const auto some = edits.subspan(begin, end - begin);
                compiling.push_back(std::async(std::launch::async, [=, this, &subject] {
                    return compiled(subject, {some.begin(), some.end()}, i % means_.threads);
                }));
            }
            const Copies copies = compiling.front().get();
            compiling.pop_front();
            for (const auto& [edit, ptx] : copies) try_one(*edit, ptx);
        }
        return has_time();
    }
    [[nodiscard]] Search& result() {
        result_.seconds = means_.seconds() - start_;
        return result_;
    }

private:
    using Copies = std::vector<std::pair<const Edit*, std::string>>;  // what executes each, as Variants::alone() has it

    bool has_time() {
        result_.is_over_limit = result_.is_over_limit || means_.seconds() - start_ > means_.limit;
        return !result_.is_over_limit;
    }

    // Of the edits that the compiler takes.
    Copies compiled(const Subject& subject, std::vector<const Edit*> edits, std::size_t thread) const {
        // Errors in a template's instance show only once all others are gone.
        constexpr int max_compilations = 4;
        for (int i = 0; i < max_compilations && !edits.empty(); ++i) {
            const Variants variants(subject, kernel_, edits, functions_);
            const Compiled compiled = means_.compile(variants.text(), thread);
            if (!compiled.ptx.empty()) {
                Copies copies;
                for (const Edit* const edit : edits) copies.emplace_back(edit, variants.alone(compiled.ptx, *edit));
                return copies;
            }
            const std::vector<const Edit*> rejected = variants.rejected(compiled.messages);
            if (rejected.empty()) break;
            std::erase_if(edits, [&](const Edit* edit) { return std::find(rejected.begin(), rejected.end(), edit) != rejected.end(); });
        }
        return {};
    }

    void try_one(const Edit& edit, const std::string& ptx) {
        if (ptx.empty() || !has_time()) return;
        ++result_.tried;
        if (std::all_of(means_.calls.begin(), means_.calls.end(), [&](const auto& is_right) { return is_right(ptx); }))
            result_.repairs.push_back({edit, ptx});
    }

    const Functions& functions_;
    KernelName kernel_;
    const Means& means_;
    double start_;
    Search result_;
};

// Kinds are about equally likely, so that an edit is the likelier, the fewer its kind has.
void rarest_kinds_first(std::vector<const Edit*>* edits) {
    std::map<std::string, std::size_t> counts;
    for (const Edit* const edit : *edits) ++counts[edit->kind];
    std::stable_sort(edits->begin(), edits->end(), [&](const Edit* a, const Edit* b) { return counts[a->kind] < counts[b->kind]; });
}

// Edits of one stage: those that can change what happens at the failure's lines, or the others; all are others where no line is known.
struct Round {
    int stage;
    bool is_near;
};
constexpr std::array<Round, 8> rounds{{{1, true}, {2, true}, {1, false}, {3, true}, {4, true}, {2, false}, {3, false}, {4, false}}};

// Whether an edit puts one of these words into the text.
bool adds(const Edit& edit, const std::vector<std::string>& words) {
    return std::ranges::any_of(edit.replacements, [&](const Replacement& one) {
        return std::ranges::any_of(words, [&](const std::string& word) { return one.text.find(word) != std::string::npos; });
    });
}

// Without the barriers that are executed more often than another one that suffices, or that stand behind it.
void merge_barriers(std::vector<Repair>* repairs) {
    const auto is_barrier = [](const Repair& repair) { return repair.edit.kind == "barrier dropped"; };
    const auto is_before = [&](const Repair& a, const Repair& b) {
        if (!is_barrier(a) || !is_barrier(b)) return is_barrier(a) && !is_barrier(b);
        return a.edit.loops != b.edit.loops ? a.edit.loops < b.edit.loops : a.edit.line < b.edit.line;
    };
    const auto best = std::min_element(repairs->begin(), repairs->end(), is_before);
    if (best == repairs->end() || !is_barrier(*best)) return;
    const Repair kept = *best;
    std::erase_if(*repairs, is_barrier);
    repairs->push_back(kept);
}

// Without larger allocations, where offsets lead out of a smaller one; without rows that lose their padding, where an array has none.
void merge_sizes(std::vector<Repair>* repairs) {
    const auto is_of = [](const char* kind) { return [=](const Repair& repair) { return repair.edit.kind == kind; }; };
    if (std::ranges::any_of(*repairs, is_of("offset in bytes"))) std::erase_if(*repairs, is_of("wrong size"));
    if (std::ranges::any_of(*repairs, is_of("array too short"))) std::erase_if(*repairs, is_of("constant off by one"));
}

// Without further guards, where a change of what the function has does as well.
void merge_guards(std::vector<Repair>* repairs) {
    const auto adds_one = [](const Repair& repair) {
        return repair.edit.kind == "guard dropped" || repair.edit.kind == "part of a guard dropped";
    };
    if (!std::ranges::all_of(*repairs, adds_one)) std::erase_if(*repairs, adds_one);
}

// Without changes within a condition, a term or a factor that need not be there at all, and without another sign of a difference that must
// not be below 0.
void merge_enclosed(std::vector<Repair>* repairs) {
    const auto is_whole = [](const Repair& repair) {
        const std::string& kind = repair.edit.kind;
        return kind == "guard in excess" || kind == "term in excess" || kind == "difference below 0";
    };
    std::vector<std::pair<std::size_t, std::size_t>> whole;
    for (const Repair& repair : *repairs) {
        if (is_whole(repair)) whole.emplace_back(repair.edit.replacements.front().begin, repair.edit.replacements.back().end);
    }
    std::erase_if(*repairs, [&](const Repair& repair) {
        const std::size_t begin = repair.edit.replacements.front().begin, end = repair.edit.replacements.back().end;
        const auto is_around = [&](const auto& range) { return range.first <= begin && end <= range.second; };
        return !is_whole(repair) && std::ranges::any_of(whole, is_around);
    });
}

// The functions of the device that a kernel calls, and those that they call; the functions of the host that one of the host calls.
void add_called(std::string_view source, const Functions& functions, bool is_kernel, std::vector<Subject>* subjects) {
    const std::size_t first = subjects->size();
    for (std::size_t i = 0; i < (is_kernel ? subjects->size() : first); ++i) {
        for (const auto& one : functions) {
            const auto calls_it = [&](const Node* node) { return node->kind == NodeKind::call && node->child(0).op == one->name; };
            const auto is_it = [&](const Subject& subject) { return &subject.function() == one.get(); };
            const bool is_taken = is_kernel ? one->is_device : one->is_of_host();
            if (is_taken && std::ranges::any_of((*subjects)[i].nodes(), calls_it) && std::ranges::none_of(*subjects, is_it))
                subjects->emplace_back(source, *one);
        }
    }
}

}  // namespace

bool is_written(std::string_view source, const KernelName& kernel) {
    const Functions functions = functions_in(source);
    const Function* const function = function_of(functions, kernel);
    return function != nullptr && std::ranges::any_of(nodes_of(function->body), [](const Node* node) {
               return node->kind == NodeKind::call || (node->kind == NodeKind::subscript && access_word(*node) == "store");
           });
}

Search find_repairs(std::string_view source, const KernelName& kernel, const Means& means) {
    const Functions functions = functions_in(source);
    const Function* const function = function_of(functions, kernel);
    if (function == nullptr) return {};
    std::vector<Subject> subjects{Subject(source, *function)};
    add_called(source, functions, kernel.is_kernel(), &subjects);
    std::vector<std::vector<Edit>> edits;
    std::vector<std::vector<const Node*>> slices;
    for (const Subject& subject : subjects) {
        edits.push_back(edits_of(subject));
        std::erase_if(edits.back(), [&](const Edit& edit) { return adds(edit, means.trivial); });
        slices.push_back(backward_slice(subject, means.lines));
    }
    Trials trials(functions, kernel, means);
    for (const Round& round : rounds) {
        // A stage that has a repair is tried to its end: others may be as likely.
        const std::vector<Repair>& repairs = trials.result().repairs;
        if (!repairs.empty() && repairs.front().edit.stage != round.stage) continue;
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            std::vector<const Edit*> some;
            for (const Edit& edit : edits[i]) {
                if (edit.stage == round.stage && changes(edit, slices[i]) == round.is_near) some.push_back(&edit);
            }
            rarest_kinds_first(&some);
            if (!trials.try_all(subjects[i], some)) break;
        }
    }
    Search result = std::move(trials.result());
    merge_barriers(&result.repairs);
    merge_sizes(&result.repairs);
    merge_guards(&result.repairs);
    merge_enclosed(&result.repairs);
    std::stable_sort(result.repairs.begin(), result.repairs.end(),
                     [](const Repair& a, const Repair& b) { return a.edit.size < b.edit.size; });
    return result;
}

std::string launcher_of(std::string_view source, std::string_view kernel) {
    for (const auto& function : functions_in(source)) {
        if (function->is_kernel) continue;
        for (const Node* const node : nodes_of(function->body)) {
            if (node->kind != NodeKind::call || node->op != "<<<") continue;
            const Node& name = node->child(0);
            const std::string_view text = source.substr(name.begin, name.end - name.begin);
            if (text.substr(0, text.find('<')) != kernel) continue;
            return edits_of(Subject(source, *function)).empty() ? "" : std::string(function->name);
        }
    }
    return "";
}

std::string told(const std::vector<Repair>& repairs) {
    std::map<unsigned, std::string> phrases;  // the likeliest of each line
    std::set<std::string> different;
    std::vector<unsigned> lines;  // the likeliest first
    for (const auto& [repair, ptx] : repairs) {
        if (!phrases.emplace(repair.line, repair.phrase).second) continue;
        lines.push_back(repair.line);
        different.insert(repair.phrase);
    }
    constexpr std::size_t max_lines = 2, max_lines_of_one_phrase = 4;
    if (lines.empty() || lines.size() > (different.size() == 1 ? max_lines_of_one_phrase : max_lines)) return "";
    std::string text;
    if (lines.size() <= max_lines) {
        for (const unsigned line : lines) text += (text.empty() ? "line " : ", or line ") + std::to_string(line) + ": " + phrases[line];
        return text;
    }
    for (const auto& [line, phrase] : phrases)
        text += (text.empty() ? "line " : line == phrases.rbegin()->first ? " or " : ", ") + std::to_string(line);
    return text + ": " + *different.begin();
}

}  // namespace lab::repair
