// Quarters of what is many and alike among the tests (mutants made by machine, second passes, block shapes, slow unit tests, lint): CI runs
// one for each commit.
#pragma once

#include <filesystem>
#include <string>

namespace lab::tools {

// The quarter, 1 to 4, of the test with this name: the same on every machine and in every commit.
[[nodiscard]] int quarter_of(const std::string& name);

// Whether a run of this quarter has that test; 0 stands for all quarters.
[[nodiscard]] inline bool is_in(int quarter, const std::string& name) { return quarter == 0 || quarter_of(name) == quarter; }

struct Draw {
    int quarter = 0;   // 0: all
    std::string from;  // what it was drawn from, for the log
};

// The quarter that the commit checked out draws. It follows from the number of commits before it, which its hash fixes: any four
// neighbours draw all four. A shallow clone doesn't know that number and draws from the hash alone; a tarball draws all.
[[nodiscard]] Draw draw_quarter(const std::filesystem::path& root);

}  // namespace lab::tools
