#include "common/diagnosis/repair/edits.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {
namespace {

bool is_integer_type(std::string_view type) {
    static const std::set<std::string_view> integers{"int", "unsigned", "long", "short", "size_t", "auto", "uint32_t", "int64_t"};
    bool is_found = false;
    for (const Token& token : tokens_of(type)) {
        if (token.is("float") || token.is("double") || token.is("*") || token.is("&") || token.is("__shared__")) return false;
        is_found = is_found || integers.count(token.text) > 0;
    }
    return is_found;
}

// Names of the file's constants: constexpr int NAME, const int NAME and #define NAME number, outside of functions.
std::vector<std::string> constants_before(std::string_view source, std::size_t end) {
    std::vector<std::string> names;
    const std::vector<Token> tokens = tokens_of(source.substr(0, end));
    int depth = 0;
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
        if (tokens[i].is("{")) ++depth;
        if (tokens[i].is("}")) --depth;
        const bool is_constant = tokens[i].is("constexpr") || tokens[i].is("const");
        if (depth == 0 && is_constant && is_integer_type(tokens[i + 1].text) && tokens[i + 3].is("="))
            names.emplace_back(tokens[i + 2].text);
    }
    constexpr std::string_view define = "#define ";
    for (std::size_t at = source.find(define); at < end; at = source.find(define, at + 1)) {
        const std::vector<Token> words = tokens_of(source.substr(at + define.size(), source.find('\n', at) - at - define.size()));
        if (words.size() == 2 && words[1].kind == TokenKind::number) names.emplace_back(words[0].text);
    }
    return names;
}

std::string without_blanks(const std::string& text) {
    std::string kept;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept), [](unsigned char c) { return std::isspace(c) == 0; });
    return kept;
}

bool is_loop(const Node& node) {
    return node.kind == NodeKind::for_loop || node.kind == NodeKind::while_loop || node.kind == NodeKind::do_loop;
}

std::string filled(std::string phrase, std::string_view word) {
    if (const std::size_t at = phrase.find("{}"); at != std::string::npos) phrase.replace(at, 2, word);
    return phrase;
}

}  // namespace

Subject::Subject(std::string_view source, const Function& function)
    : source_(source), function_(function), nodes_(nodes_of(function.body)) {
    for (const Parameter& parameter : function.parameters) {
        if (parameter.is_pointer()) pointers_.emplace_back(parameter.name);
        if (is_integer_type(parameter.type)) sizes_.emplace_back(parameter.name);
    }
    for (const Parameter& value : function.template_values) sizes_.emplace_back(value.name);
    for (std::string& name : constants_before(source, function.begin)) sizes_.push_back(std::move(name));
    const std::string_view text = source.substr(function.begin, function.end - function.begin);
    uses_shared_memory_ = text.find("__shared__") != std::string_view::npos;
}

std::string Subject::operand(const Node& node) const {
    const bool has_operators = node.kind == NodeKind::binary || node.kind == NodeKind::conditional || node.kind == NodeKind::assignment;
    return has_operators ? "(" + text(node) + ")" : text(node);
}

std::vector<const Node*> Subject::variables_at(std::size_t byte) const {
    std::vector<const Node*> variables;
    for (const Node* const node : nodes_) {
        if (node->kind != NodeKind::variable || node->end > byte) continue;
        const Node* const declaration = node->parent;
        if (declaration->parent != nullptr && byte < declaration->parent->end) variables.push_back(node);
    }
    return variables;
}

std::vector<std::string> Subject::indices_at(std::size_t byte) const {
    std::vector<std::string> names;
    for (const Node* const variable : variables_at(byte)) {
        if (is_integer(*variable)) names.emplace_back(variable->op);
    }
    return names;
}

const std::vector<EditKind>& edit_kinds() {
    static const std::vector<EditKind> kinds = [] {
        std::vector<EditKind> all;
        for (const std::vector<EditKind>& some :
             {kinds_of_host(), kinds_of_indices(), kinds_of_sizes(), kinds_of_arithmetic(), kinds_of_loops(), kinds_of_statements()}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        std::stable_sort(all.begin(), all.end(), [](const EditKind& a, const EditKind& b) { return a.stage < b.stage; });
        return all;
    }();
    return kinds;
}

namespace {

// Whether an edit adds what only a kernel can say.
bool is_of_kernels(const Edit& edit) {
    return std::ranges::any_of(edit.replacements, [](const Replacement& one) {
        return std::ranges::any_of(std::array{"threadIdx", "blockIdx", "blockDim", "gridDim", "__syncthreads"},
                                   [&](const char* word) { return one.text.find(word) != std::string::npos; });
    });
}

// Whether an edit changes given text: where a file has regions for the student's code, all that lies outside of them.
bool is_in_given_text(std::string_view source, const Edit& edit) {
    static constexpr std::string_view begins = "// >>> your code", ends = "// <<< your code";
    if (source.find(begins) == std::string_view::npos) return false;
    return std::ranges::any_of(edit.replacements, [&](const Replacement& one) {
        const std::size_t begin = source.rfind(begins, one.begin), end = source.find(ends, begin);
        return begin == std::string_view::npos || end < one.end;
    });
}

// Sorts replacements by their places; false if two of them overlap.
bool are_apart(std::vector<Replacement>* replacements) {
    std::ranges::sort(*replacements, {}, &Replacement::begin);
    const auto overlap = [](const Replacement& a, const Replacement& b) { return a.end > b.begin; };
    return std::ranges::adjacent_find(*replacements, overlap) == replacements->end();
}

// The same mistake at two or three places, or at two of three: edits of one kind that replace the same text by the same other text, all
// at once.
void add_repeated(std::string_view source, std::set<std::string>* texts, std::vector<Edit>* edits) {
    constexpr std::size_t max_places = 3;
    std::map<std::tuple<std::string, std::string_view, std::string>, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < edits->size(); ++i) {
        const Edit& edit = (*edits)[i];
        const Replacement& one = edit.replacements.front();
        if (edit.replacements.size() == 1 && one.end > one.begin)
            places[{edit.kind, source.substr(one.begin, one.end - one.begin), one.text}].push_back(i);
    }
    const auto add = [&](const std::vector<std::size_t>& at) {
        Edit all = (*edits)[at.front()];
        all.stage = last_stage;
        std::set<unsigned> lines;
        for (std::size_t i = 1; i < at.size(); ++i) {
            const Edit& other = (*edits)[at[i]];
            if (other.line != all.line) lines.insert(other.line);
            all.size += other.size;
            all.replacements.push_back(other.replacements.front());
        }
        if (lines.empty()) all.phrase += ", " + std::to_string(at.size()) + " times in this line";
        for (const unsigned line : lines) all.phrase += (line == *lines.begin() ? ", and so in line " : " and ") + std::to_string(line);
        if (are_apart(&all.replacements) && texts->insert(without_blanks(edited(source, all))).second) edits->push_back(std::move(all));
    };
    for (const auto& [change, at] : places) {
        if (at.size() < 2 || at.size() > max_places) continue;
        add(at);
        for (std::size_t left_out = 0; at.size() == max_places && left_out < at.size(); ++left_out) {
            std::vector<std::size_t> two = at;
            two.erase(two.begin() + static_cast<std::ptrdiff_t>(left_out));
            add(two);
        }
    }
}

}  // namespace

std::vector<Edit> edits_of(const Subject& subject) {
    std::vector<Edit> edits;
    const std::string_view source = subject.source();
    std::set<std::string> texts{without_blanks(std::string(source))};
    for (const EditKind& kind : edit_kinds()) {
        kind.propose(subject, [&](std::vector<Replacement> replacements, std::string_view word) {
            const std::size_t at = replacements.empty() ? 0 : replacements.front().begin;
            if (replacements.empty() || !are_apart(&replacements)) return;
            Edit edit{.kind = kind.name, .phrase = filled(kind.phrase, word), .stage = kind.stage};
            edit.line = line_of(source, at);
            edit.loops = static_cast<unsigned>(std::count_if(subject.nodes().begin(), subject.nodes().end(), [&](const Node* node) {
                return is_loop(*node) && node->begin < at && at < node->end;
            }));
            for (const Replacement& one : replacements) edit.size += std::max(one.end - one.begin, one.text.size());
            edit.replacements = std::move(replacements);
            const Function& function = subject.function();
            if ((function.is_of_host() && is_of_kernels(edit)) || is_in_given_text(source, edit)) return;
            if (texts.insert(without_blanks(edited(source, edit))).second) edits.push_back(std::move(edit));
        });
    }
    add_repeated(source, &texts, &edits);
    return edits;
}

std::string edited(std::string_view source, const Edit& edit) {
    std::string text;
    std::size_t at = 0;
    for (const Replacement& one : edit.replacements) {
        text += source.substr(at, one.begin - at);
        text += one.text;
        at = one.end;
    }
    return text += source.substr(at);
}

Replacement replaced(const Node& node, std::string text) { return {node.begin, node.end, std::move(text)}; }
Replacement inserted(std::size_t at, std::string text) { return {at, at, std::move(text)}; }
Replacement operator_replaced(const Node& node, std::string text) {
    return {node.op_begin, node.op_begin + node.op.size(), std::move(text)};
}

const Node& statement_of(const Node& node) {
    const Node* at = &node;
    while (!is_statement(at->kind) && at->parent != nullptr) at = at->parent;
    return *at;
}

bool is_target(const Node& node) {
    const Node* const parent = node.parent;
    if (parent == nullptr) return false;
    const bool is_first = &parent->children.front() == &node;
    return (parent->kind == NodeKind::assignment && is_first) || parent->kind == NodeKind::postfix ||
           (parent->kind == NodeKind::unary && (parent->op == "++" || parent->op == "--" || parent->op == "&"));
}

const Node* index_around(const Node& node) {
    for (const Node* at = &node; at->parent != nullptr; at = at->parent) {
        if (at->parent->kind == NodeKind::subscript && &at->parent->children[1] == at) return at;
    }
    return nullptr;
}

std::string_view access_word(const Node& subscript) {
    const Node* at = &subscript;
    while (at->parent != nullptr && at->parent->kind == NodeKind::subscript && &at->parent->children[0] == at) at = at->parent;
    return is_target(*at) ? "store" : "load";
}

bool is_in_array_size(const Node& node) {
    for (const Node* at = &node; at->parent != nullptr; at = at->parent) {
        const Node& parent = *at->parent;
        if (parent.kind == NodeKind::variable && at - parent.children.data() < static_cast<std::ptrdiff_t>(parent.dimensions()))
            return true;
    }
    return false;
}

bool is_integer(const Node& variable) { return variable.dimensions() == 0 && is_integer_type(variable.type); }

bool is_index_variable(const Node& node) { return node.kind == NodeKind::variable && is_integer(node) && node.is_initialised; }

bool is_size(const Subject& subject, const Node& node) {
    if (node.kind == NodeKind::builtin) return node.op.starts_with("blockDim") || node.op.starts_with("gridDim");
    const std::vector<std::string>& sizes = subject.sizes();
    return node.kind == NodeKind::name && std::find(sizes.begin(), sizes.end(), node.op) != sizes.end();
}

bool is_block_index(const Node& node) { return node.kind == NodeKind::builtin && node.op.starts_with("blockIdx"); }

std::vector<std::string> sizes_and_sides(const Subject& subject) {
    std::vector<std::string> all = subject.sizes();
    for (const char* const side : {"blockDim.x", "blockDim.y"}) all.emplace_back(side);
    return all;
}

}  // namespace lab::repair
