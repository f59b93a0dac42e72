// The options of the emulator, as command lines, environments and requests give them. Their table is options.inc.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab::emulator {

// What is looked for besides the faults that stop a launch.
struct Checks {
    bool races = true;           // in a block between two barriers; in global memory also between blocks
    bool lockstep = true;        // volatile accesses of one warp are ordered, as code before compute capability 7.0 assumed
    bool initialisation = true;  // reads of shared, local and global memory that was never written
    // Without these two the launch goes on where hardware since compute capability 7.0 would.
    bool barriers = true;    // barriers that not all threads reach, masks of warp-level operations that don't fit
    bool bounds = true;      // accesses outside of what was allocated
    bool api = true;         // misuse of the runtime API
    bool host = true;        // host code, and work in other streams, that touch what a kernel or copy in flight uses
    bool is_chosen = false;  // by name: what the last two find is a fault
    // As strict as grading is.
    [[nodiscard]] static Checks all() { return {true, false, true, true, true, true, true, true}; }
    [[nodiscard]] static Checks none() { return {false, true, false, false, false, false, false, true}; }
    [[nodiscard]] bool operator==(const Checks&) const = default;
};

// Scheduling order of blocks and warps. Nothing that a kernel computes may depend on it.
enum class Order : std::uint8_t { forward, reversed };

// Launches of kernels of this plain name ("transpose", no arguments) get blocks of that many threads along x and y, in a grid that
// covers at least the threads of the launch. No name: none.
struct Reshape {
    std::string kernel;
    unsigned x = 0, y = 0;
    [[nodiscard]] bool operator==(const Reshape&) const = default;
};

struct Options {
#define OPTION(member, type, otherwise, ...) type member = otherwise;
#include "common/emulator/options.inc"
};

// Why a text is no value of an option: "give a whole number from 1 up".
class BadOption : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

// A row of the table.
struct OptionRow {
    const char* name;      // "max-instructions"
    const char* argument;  // as help names it; "" for a flag
    const char* unit;
    const char* help;
    std::string (*text)(const Options& options);  // that set() takes
    // An empty text is the default. Throws BadOption.
    void (*set)(Options& options, const std::string& text);

    [[nodiscard]] bool is_flag() const { return *argument == 0; }
    [[nodiscard]] std::string flag() const;         // "--max-instructions"
    [[nodiscard]] std::string environment() const;  // "LAB_MAX_INSTRUCTIONS"
    [[nodiscard]] bool is_default(const Options& options) const { return text(options) == text(Options{}); }
};
[[nodiscard]] std::span<const OptionRow> option_rows();
// Environment variables by which `lab run` says how a device runs a program. A suite says it with each call instead.
[[nodiscard]] std::vector<std::string> variables_of_lab_run();
// Throws std::out_of_range if there is no such row.
[[nodiscard]] const OptionRow& option_row(const std::string& name);

}  // namespace lab::emulator
