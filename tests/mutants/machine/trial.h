// Trial of mutants of one lab: compiles a mutant like a student's file, and runs the suite on it up to the first failure. If only kernels
// differ from the solution's, only the device pass runs: the solution's runner takes them (`--kernels`).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/recipe.h"

namespace lab::mutants {

enum class Outcome { does_not_compile, rejected, survived };

[[nodiscard]] const char* name_of(Outcome outcome);  // "does not compile"

struct Verdict {
    Outcome outcome = Outcome::survived;
    std::string test;    // that rejected it
    std::string reason;  // the first line of its message, or of the compiler's
};

// Tests of a suite that judge a mutant, up to the first failure. An equivalent mutant has to pass all but those of speed, which take most
// of the time.
enum class Tests { all, without_speed };

class Trial {
public:
    // The build must hold the lab's suite and both its runners. Runs the suite on the solution to find the fast tests. Throws BadInput if
    // the solution itself loses points, or the suite can't be run.
    Trial(const tools::Project& project, const tools::Lab& lab, std::uint64_t seed);

    // `folder` holds intermediate files, one for each thread. None when interrupted. Throws BadInput if the suite gives no report. Verdicts
    // are cached in the build folder as long as text, suite, libraries and seed stay the same.
    [[nodiscard]] std::optional<Verdict> judge(const std::string& text, Tests tests, const std::filesystem::path& folder) const;

    // The cached verdict of an earlier run.
    [[nodiscard]] std::optional<Verdict> kept(const std::string& text, Tests tests) const;

private:
    // A mutant ready to run.
    struct Program {
        std::filesystem::path runner, kernels;  // without kernels the runner uses its own
    };
    [[nodiscard]] std::optional<Verdict> run_suite(const Program& program, const std::filesystem::path& folder,
                                                   const std::string& filter) const;
    [[nodiscard]] std::filesystem::path place_of(const std::string& text, Tests tests) const;
    void learn_tests();
    // Filter of the fast tests that are named after a function, those most likely to reject a mutant of it; "" for none.
    [[nodiscard]] std::string quick_tests_of(const std::string& function) const;

    std::filesystem::path build_, suite_, reference_, kept_;
    std::uint64_t seed_;
    tools::Recipe recipe_;
    std::string extension_, solution_;
    std::uint64_t conditions_ = 0;     // hash of all inputs of a verdict except the mutant
    std::string safe_, quick_, slow_;  // filters: the quick tests of safety, the other quick ones, and the slow ones; "" for none
    std::string speed_;                // the tests of speed
};

}  // namespace lab::mutants
