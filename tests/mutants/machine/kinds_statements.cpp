// Host-side calls, and whole statements.
#include "tests/mutants/machine/kinds.h"

namespace lab::mutants {
namespace {

bool is_runtime_call(const Tokens& tokens, std::size_t at) {
    return at + 1 < tokens.size() && tokens[at].text.rfind("cuda", 0) == 0 && tokens[at + 1].is("(");
}

std::vector<Change> copy_directions(const std::string& /*file*/, const Tokens& tokens) {
    const std::string in = "cudaMemcpyHostToDevice";
    const std::string out = "cudaMemcpyDeviceToHost";
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text == in) changes.push_back({replaced(tokens, {i, i}, out)});
        if (tokens[i].text == out) changes.push_back({replaced(tokens, {i, i}, in)});
    }
    return changes;
}

// `error = cudaMalloc(...)` without `error =`; a declared error gets cudaSuccess.
std::vector<Change> error_checks(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (!tokens[i].is("=") || tokens[i - 1].kind != Kind::name || !is_runtime_call(tokens, i + 1)) continue;
        const bool declared = i >= 2 && tokens[i - 2].kind == Kind::name && !tokens[i - 2].is("else");
        changes.push_back({declared ? replaced(tokens, {i, i}, "= cudaSuccess;") : dropped(tokens, {i - 1, i})});
    }
    return changes;
}

std::vector<Change> frees(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text.rfind("cudaFree", 0) == 0 && is_runtime_call(tokens, i)) {
            changes.push_back({dropped(tokens, {i, partner(tokens, i + 1)})});
        }
    }
    return changes;
}

std::vector<Change> shared_memory(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("__shared__")) changes.push_back({dropped(tokens, {i, i})});
    }
    return changes;
}

bool starts_statement(const Tokens& tokens, std::size_t at) {
    if (tokens[at].kind != Kind::name || at + 1 >= tokens.size()) return false;
    if (tokens[at].is("if") || tokens[at].is("for") || tokens[at].is("while") || tokens[at].is("return") || tokens[at].is("switch")) {
        return false;
    }
    if (at > 0 && !tokens[at - 1].is(";") && !tokens[at - 1].is("{") && !tokens[at - 1].is("}")) return false;
    for (const char* follows : {"=", "+=", "-=", "*=", "(", "[", ".", "->", "<<<", "++", "--"}) {
        if (tokens[at + 1].is(follows)) return true;
    }
    return false;
}

// Assignments, launches and calls; declarations stay, as do the parts of a for.
std::vector<Change> statements(const std::string& /*file*/, const Tokens& tokens) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("for") && i + 1 < tokens.size()) {
            i = partner(tokens, i + 1);  // its head
            if (i == nowhere) break;
        } else if (starts_statement(tokens, i)) {
            std::size_t last = i;
            while (last + 1 < tokens.size() && !tokens[last + 1].is(";")) ++last;
            changes.push_back({dropped(tokens, {i, last})});
            i = last;
        }
    }
    return changes;
}

}  // namespace

std::vector<Rule> rules_of_statements() {
    return {{"copy direction exchanged", copy_directions},
            {"error check dropped", error_checks},
            {"free dropped", frees},
            {"shared memory made local", shared_memory},
            {"statement dropped", statements}};
}

}  // namespace lab::mutants
