#include "common/diagnosis/repair/variants.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Number of a line that a message names as an error, "kernels.cu:123:9: error: ..."; 0 if none.
unsigned line_of_error(const std::string& message) {
    const std::size_t error = std::min(message.find(": error: "), message.find(": fatal error: "));
    if (error == std::string::npos) return 0;
    const std::size_t column = message.rfind(':', error - 1);
    const std::size_t line = column == std::string::npos ? column : message.rfind(':', column - 1);
    if (line == std::string::npos) return 0;
    return static_cast<unsigned>(std::strtoul(message.c_str() + line + 1, nullptr, 10));
}

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    return text;
}

// The function of the source, which calls a copy of itself, and what follows it there.
std::string chooser(std::string_view source, const Function& function, std::size_t copies) {
    std::string arguments;
    for (const Parameter& parameter : function.parameters) (arguments += arguments.empty() ? "" : ", ") += parameter.name;
    std::string text = "\nextern \"C\" char* getenv(const char*) noexcept;\n";
    text += source.substr(function.begin, function.body.begin - function.begin);
    text +=
        "{\nconst char* lab_edit = getenv(\"LAB_EDIT\");\nint lab_number = 0;\n"
        "while (lab_edit && *lab_edit) lab_number = 10 * lab_number + (*lab_edit++ - '0');\nswitch (lab_number) {\n";
    for (std::size_t i = 0; i < copies; ++i) {
        const std::string number = std::to_string(i);
        text += "case " + number + ": return edit_" + number + "::" + std::string(function.name) + "(" + arguments + ");\n";
    }
    text += "default: __builtin_trap();\n}\n}\n";
    return text += source.substr(function.end);
}

// The source from one function to the end of another, without the kernels and the host's functions between them.
std::string between(std::string_view source, const Functions& functions, const Function& first, const Function& last) {
    std::string text;
    std::size_t at = first.end;
    for (const auto& one : functions) {
        if (one->begin < at || one->end >= last.end || one->is_device) continue;
        text += source.substr(at, one->begin - at);
        at = one->end;
    }
    return text += source.substr(at, last.end - at);
}

}  // namespace

const std::vector<std::string>& options_of_variants() {
    static const std::vector<std::string> options{
        "-O1", "-g0", "-fno-unroll-loops", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-color-diagnostics"};
    return options;
}

std::string KernelName::demangled() const {
    if (!is_kernel()) return mangled;  // "f" would be float
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 ? text.get() : mangled;
}

std::string KernelName::function() const {
    const std::string whole = demangled();
    const std::size_t end = whole.find_first_of("<(");
    return whole.substr(whole.find_last_of(" :", end) + 1, end - (whole.find_last_of(" :", end) + 1));
}

const Function* function_of(const Functions& functions, const KernelName& name) {
    const std::string function = name.function();
    const auto is_it = [&](const auto& one) { return one->is_kernel == name.is_kernel() && one->name == function; };
    const auto found = std::find_if(functions.begin(), functions.end(), is_it);
    return found == functions.end() ? nullptr : found->get();
}

Variants::Variants(const Subject& subject, const KernelName& kernel, std::span<const Edit* const> edits, const Functions& functions)
    : is_kernel_(kernel.is_kernel()),
      name_(kernel.function()),
      mangled_(kernel.mangled),
      text_(subject.source().substr(0, subject.function().begin)) {
    const std::string_view source = subject.source();
    const Function& function = subject.function();
    const Function* const target = function_of(functions, kernel);
    if (!is_kernel_) text_ = source.substr(0, target->begin);
    const bool is_template = source.substr(target->begin).starts_with("template");
    std::string rest;
    if (target != &function)
        rest = is_kernel_ ? between(source, functions, function, *target) : source.substr(target->begin, target->end - target->begin);
    const std::string instance = is_template && is_kernel_ ? "template __global__ " + kernel.demangled() + ";\n" : "";
    unsigned line = line_of(text_, text_.size());
    for (const Edit* const edit : edits) {
        const std::string whole = edited(source, *edit);
        const std::size_t length = function.end - function.begin + whole.size() - source.size();
        copies_.push_back({edit, line, line});
        std::string copy = "\nnamespace edit_" + std::to_string(copies_.size() - 1) + " {\n";
        copy += whole.substr(function.begin, length);
        copy += rest + "\n" + instance + "}\n";
        line += static_cast<unsigned>(std::count(copy.begin(), copy.end(), '\n'));
        copies_.back().last_line = line - 1;
        text_ += copy;
    }
    if (!is_kernel_) text_ += chooser(source, *target, copies_.size());
}

std::vector<const Edit*> Variants::rejected(const std::string& messages) const {
    std::vector<const Edit*> edits;
    std::istringstream lines(messages);
    for (std::string message; std::getline(lines, message);) {
        const unsigned line = line_of_error(message);
        const auto named = [&](const Copy& copy) { return copy.first_line <= line && line <= copy.last_line; };
        const auto found = std::find_if(copies_.begin(), copies_.end(), named);
        if (line != 0 && found != copies_.end()) edits.push_back(found->edit);
    }
    return edits;
}

std::size_t Variants::number_of(const Edit& edit) const {
    const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const Copy& copy) { return copy.edit == &edit; });
    return static_cast<std::size_t>(found - copies_.begin());
}

std::string Variants::alone(const std::string& made, const Edit& edit) const {
    if (!is_kernel_) return made + " " + std::to_string(number_of(edit));
    const std::string& ptx = made;
    const std::string space = "edit_" + std::to_string(number_of(edit));
    // _ZN6edit_712matmul_tiled...
    const std::string prefix = "_ZN" + std::to_string(space.size()) + space + std::to_string(name_.size()) + name_;
    std::string module, name;
    for (std::size_t at = 0; at < ptx.size();) {
        const std::size_t end = std::min(ptx.size(), ptx.find('\n', at) + 1);
        const std::string_view line = std::string_view(ptx).substr(at, end - at);
        const std::size_t entry = line.find(".entry ");
        if (entry == std::string_view::npos) {
            module += line;
            at = end;
            continue;
        }
        const std::string_view called = line.substr(entry + 7, line.find_first_of("(\n ", entry + 7) - entry - 7);
        const std::size_t past = std::min(ptx.size(), ptx.find("\n}\n", at) + 3);
        if (called.starts_with(prefix) && !contains(called, "$")) {
            name = called;
            module += std::string_view(ptx).substr(at, past - at);
        }
        at = past;
    }
    return name.empty() ? "" : replaced_all(std::move(module), name, mangled_);
}

}  // namespace lab::repair
