// Results of all mutants: counted, and compared with the list of equivalents.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/mutants/machine/equivalents.h"
#include "tests/mutants/machine/trial.h"

namespace lab::mutants {

struct Judged {
    std::string lab;  // "lab3"
    Mutant mutant;
    Verdict verdict;
};

struct Counts {
    int generated = 0;
    int does_not_compile = 0;
    int rejected = 0;
    int equivalent = 0;
    int survived = 0;
    Counts& operator+=(const Counts& other);
};

struct Tally {
    std::map<std::pair<std::string, std::string>, Counts> counts;  // by lab and kind
    std::vector<const Judged*> survivors;                          // neither rejected nor listed
    std::vector<std::string> stale;                                // entries of the list that name no mutant, or one that is rejected
    [[nodiscard]] Counts total() const;
    [[nodiscard]] bool clean() const { return survivors.empty() && stale.empty() && total().generated > 0; }
};

// The survivors point into `judged`. Entries of `equivalents` count as stale only if their file is among `files`.
[[nodiscard]] Tally tally(const std::vector<Judged>& judged, const std::vector<Equivalent>& equivalents,
                          const std::vector<std::string>& files);

// The table by lab and kind, and the problems as text.
[[nodiscard]] std::string table(const Tally& tally);
[[nodiscard]] std::string complaints(const Tally& tally);

}  // namespace lab::mutants
