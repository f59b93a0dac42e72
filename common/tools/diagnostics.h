// Messages of compilers and linkers, and in their place one line for a feature that the emulator lacks.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lab::tools {

struct Diagnostic {
    std::string text;  // "use of undeclared identifier 'x'"; "undefined symbol: x", whatever the linker
    std::string file{};
    std::size_t line = 0, column = 0;  // from 1
    bool is_error = false;
    std::string whole{};     // as printed: with includes, place, excerpt and notes
    std::string included{};  // "x.cu:2", the user's #include that led to `file`
    std::vector<Diagnostic> notes{};
};

// The messages of clang, ld or lld. Output before the first is a message of its own; counts of messages are left out.
[[nodiscard]] std::vector<Diagnostic> diagnostics_in(const std::string& output);

// The messages that are not in `seen`, to which they are added: two passes over one file repeat them.
[[nodiscard]] std::string new_messages(const std::string& output, std::set<std::string>* seen);

// One line for the first error that unsupported.inc explains: "x.cu:2: thrust is not supported by ..."; one for each symbol that is not
// defined.
[[nodiscard]] std::optional<std::string> refusal_in(const std::string& output);

}  // namespace lab::tools
