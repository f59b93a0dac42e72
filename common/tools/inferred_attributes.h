// Attributes of functions that nvcc infers and clang demands, inserted into copies of the user's files. Clang reads the copies in the
// files' place, by an overlay file system: paths and line numbers stay the user's.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lab::tools {

class InferredAttributes {
public:
    // The copies go to `folder`.
    explicit InferredAttributes(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Adds what a failed pass lacked by its output; true if there was something, so that the pass is worth repeating.
    //  - A declaration has attributes that the definition does not repeat.
    //  - Host pass: host code takes the address of a __device__ function. Its copy gets an empty host body, as nvcc's.
    //  - Host pass: device code calls a function that is __host__ in this pass alone, since __CUDA_ARCH__ chose its attributes. The device
    //    pass came first, so that it is right there.
    [[nodiscard]] bool add_for(const std::string& output, bool is_host_pass);

    // The same for kernels (PTX) that call a function which `source` declares __device__ and defines without.
    [[nodiscard]] bool add_for_calls(const std::string& ptx, const std::string& source);

    // Options for the compiler; none while there are no copies.
    [[nodiscard]] std::vector<std::string> flags() const;

private:
    struct Insertion {
        std::string file;
        std::size_t offset;
        std::string attributes;
        bool empties_body = false;
        auto operator<=>(const Insertion&) const = default;
    };
    [[nodiscard]] bool apply(const std::set<Insertion>& insertions);
    [[nodiscard]] std::string& copy_of(const std::string& file);

    std::filesystem::path folder_;
    std::map<std::string, std::string> copies_;  // text by file
};

}  // namespace lab::tools
