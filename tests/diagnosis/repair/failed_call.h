// Calls of a solution's function with other kernels, as a search for repairs needs them: compiled as grading compiles them, made once, then
// replayed.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/diagnosis/repair/search.h"
#include "common/grading/child.h"

namespace lab::repair {

struct Array {
    std::string name;
    std::size_t count = 0;
    bool is_output = false;
};

// A call of one kernel on arrays of float.
struct CallOf {
    int lab = 0;
    std::string function;  // as the lab's adapter knows it: "matmul_tiled"
    std::map<std::string, int> integers;
    std::vector<Array> arrays;
};

// Text of a lab's solution, and its file.
[[nodiscard]] std::filesystem::path solution_of(int lab);
[[nodiscard]] std::string text_of(const std::filesystem::path& file);

// Compiles kernels as the build compiles a lab's reference.
class Compiler {
public:
    explicit Compiler(int lab);
    ~Compiler();
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;
    // Compiles a source text; the options come after the build's own.
    [[nodiscard]] Compiled compile(const std::string& source, const std::vector<std::string>& options = {});
    // File of the PTX that was compiled last.
    [[nodiscard]] std::filesystem::path kernels() const { return folder_ / "kernels.ptx"; }
    // Processor time of all compilations so far.
    [[nodiscard]] double seconds() const { return seconds_; }

private:
    std::string target_;
    std::filesystem::path folder_;
    double seconds_ = 0;
};

class FailedCall {
public:
    // Makes the call with the solution, then with the kernels in a file of PTX, or with the solution's own if that is empty.
    FailedCall(const CallOf& call, const std::filesystem::path& kernels);
    // Why there is no result to judge; "" if there is one.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    // Whether outputs and findings of the call were right.
    [[nodiscard]] bool is_right() const { return is_right_; }
    // Whether they are with other kernels of the same names.
    [[nodiscard]] bool is_right_with(const std::string& ptx);
    [[nodiscard]] double device_seconds() const { return child_->device_seconds(); }

private:
    void make(const CallOf& call, std::uint64_t max_instructions, const std::filesystem::path& kernels, std::vector<std::byte>* outputs,
              std::uint64_t* instructions);
    [[nodiscard]] bool is_expected(const std::vector<std::byte>& outputs) const;

    std::unique_ptr<grading::Child> child_;
    std::vector<std::byte> expected_;
    std::vector<float> bounds_;
    std::string problem_;
    bool is_right_ = false;
};

// The kernel of this name in PTX; the last one of several instances of a template whose mangled name has `instance`.
[[nodiscard]] KernelName kernel_in(const std::string& ptx, const std::string& name, const std::string& instance);

// Searches a wrong text of a lab's file for what makes the calls right.
[[nodiscard]] Search search_repairs(const std::string& source, const std::string& name, const std::string& instance,
                                    const std::vector<CallOf>& calls, double limit = 5);

}  // namespace lab::repair
