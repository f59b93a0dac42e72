#include "common/emulator/machine/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lab::machine {

std::string demangle(const std::string& mangled) {
    // Short plain names can look like mangled types ("f" is float).
    if (mangled.rfind("_Z", 0) != 0) return mangled;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || text == nullptr) return mangled;
    std::string name(text.get());
    if (name.rfind("void ", 0) == 0) name.erase(0, 5);
    return name;
}

}  // namespace lab::machine
