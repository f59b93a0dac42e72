// Many edited copies of a function in one translation unit: of a kernel, and the PTX of each alone; of the host's, and a call of each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {

// Options after the build's own: a copy is executed once, so that it is optimised little, and mistakes of all copies are told.
[[nodiscard]] const std::vector<std::string>& options_of_variants();

// A kernel as PTX names it, "_Z12matmul_tiledILi16EfEvPKT0_S2_PS0_i", or a function of the host, "matmul_ijk".
struct KernelName {
    std::string mangled;
    // "void matmul_tiled<16, float>(float const*, float const*, float*, int)"
    [[nodiscard]] std::string demangled() const;
    // "matmul_tiled"
    [[nodiscard]] std::string function() const;
    [[nodiscard]] bool is_kernel() const { return mangled.starts_with("_Z"); }
};

// The function of that name; null if there is none.
[[nodiscard]] const Function* function_of(const Functions& functions, const KernelName& name);

class Variants {
public:
    // Each copy is in a namespace of its own, behind all that precedes the function in the source. A function that a kernel calls is
    // followed there by what lies between, and the kernel; one that a function of the host calls stands behind all that precedes its
    // caller, and is followed by that. The host's function is followed by one that calls the copy whose number is in the environment
    // variable LAB_EDIT.
    Variants(const Subject& subject, const KernelName& kernel, std::span<const Edit* const> edits, const Functions& functions);

    [[nodiscard]] const std::string& text() const { return text_; }
    // The edits whose copies a compiler's messages name as errors.
    [[nodiscard]] std::vector<const Edit*> rejected(const std::string& messages) const;
    // What executes the copy of one edit. Of a kernel a module, under the kernel's own name; "" if the PTX has none. Of a function of the
    // host the program and the copy's number, "program 7". `made`: PTX of the whole unit, or the file of the program.
    [[nodiscard]] std::string alone(const std::string& made, const Edit& edit) const;

private:
    struct Copy {
        const Edit* edit;
        unsigned first_line, last_line;
    };
    [[nodiscard]] std::size_t number_of(const Edit& edit) const;

    bool is_kernel_;
    std::string name_, mangled_, text_;
    std::vector<Copy> copies_;
};

}  // namespace lab::repair
