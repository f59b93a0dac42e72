// One lab's court: compiles a mutant as a student's file is compiled, and runs the suite on it up to the first failure. Where only
// kernels differ from the solution's, the device pass will do: the solution's runner takes them (`--kernels`).
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
    std::string reason;  // the first line of what it said, or of what the compiler said
};

// Which of a suite's tests judge a mutant, up to the first failure. One that is listed as no mistake has to pass all but those of speed,
// which take most of the time.
enum class Tests { all, without_speed };

class Trial {
public:
    // The build must hold the lab's suite and both its runners. Runs the suite on the solution to learn which tests are
    // quick. Throws BadInput if the solution itself loses points, or the suite can't be run.
    Trial(const tools::Project& project, const tools::Lab& lab, std::uint64_t seed);

    // `folder` holds what is made on the way, one for each thread. None when interrupted. Throws BadInput when the suite
    // says nothing at all. Verdicts are kept in the build folder, for as long as text, suite, libraries and seed stay the same.
    [[nodiscard]] std::optional<Verdict> judge(const std::string& text, Tests tests, const std::filesystem::path& folder) const;

    // One that is kept from an earlier run.
    [[nodiscard]] std::optional<Verdict> kept(const std::string& text, Tests tests) const;

private:
    // A mutant ready to run.
    struct Program {
        std::filesystem::path runner, kernels;  // without kernels the runner has its own
    };
    [[nodiscard]] std::optional<Verdict> run_suite(const Program& program, const std::filesystem::path& folder,
                                                   const std::string& filter) const;
    [[nodiscard]] std::filesystem::path place_of(const std::string& text, Tests tests) const;
    void learn_tests();
    // Filter of the quick tests that are named after a function, those most likely to reject a mutant of it; "" for none.
    [[nodiscard]] std::string quick_tests_of(const std::string& function) const;

    std::filesystem::path build_, suite_, reference_, kept_;
    std::uint64_t seed_;
    tools::Recipe recipe_;
    std::string extension_, solution_;
    std::uint64_t conditions_ = 0;     // hash of all that a verdict depends on, but for the mutant
    std::string safe_, quick_, slow_;  // filters: the quick tests of safety, the other quick ones, and the slow ones; "" for none
    std::string speed_;                // the tests of speed
};

}  // namespace lab::mutants
