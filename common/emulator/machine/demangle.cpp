#include "common/emulator/machine/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lab::machine {

std::string_view of_whole_variable(std::string_view mangled) {
    const std::size_t part = mangled.rfind("_$_");
    const bool is_part = part != std::string_view::npos && mangled.find_first_not_of("0123456789", part + 3) == std::string_view::npos;
    return is_part ? of_whole_variable(mangled.substr(0, part)) : mangled;
}

std::string demangle(const std::string& name_in_ptx) {
    std::string mangled(of_whole_variable(name_in_ptx));
    // Short plain names can look like mangled types ("f" is float).
    if (mangled.rfind("_Z", 0) != 0) return mangled;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || text == nullptr) return mangled;
    std::string name(text.get());
    if (name.rfind("void ", 0) == 0) name.erase(0, 5);
    return name;
}

std::string without_parameters(const std::string& demangled) {
    if (demangled.empty() || demangled.back() != ')') return demangled;
    // Finds the opening parenthesis of the last one: parameters and template arguments may contain further pairs.
    int open = 0;
    for (std::size_t at = demangled.size(); at-- > 0;) {
        open += demangled[at] == ')' ? 1 : demangled[at] == '(' ? -1 : 0;
        if (open == 0) return demangled.substr(0, at);
    }
    return demangled;
}

std::string short_name(std::string demangled) {
    const std::string unnamed = "(anonymous namespace)::";
    for (std::size_t at = demangled.find(unnamed); at != std::string::npos; at = demangled.find(unnamed))
        demangled.erase(at, unnamed.size());
    const std::string name = demangled.substr(0, demangled.find('('));
    return name.rfind("void ", 0) == 0 ? name.substr(5) : name;
}

std::string plain_name(const std::string& demangled) {
    const std::string name = short_name(demangled);
    return name.substr(0, name.find('<'));
}

}  // namespace lab::machine
