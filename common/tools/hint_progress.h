// Which hints a checkout's student has been given.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/tools/hint_sheet.h"

namespace lab::tools {

class HintProgress {
public:
    // Reads what is remembered in `file`; one that isn't there remembers nothing. Throws BadInput for a damaged one.
    explicit HintProgress(std::filesystem::path file);

    [[nodiscard]] bool given(const std::string& about, const Hint& hint) const;

    // Remembers it on disk before it returns: a crash then loses nothing, and one midway leaves the file as it was.
    // Throws BadInput where the file can't be written.
    void remember(const std::string& about, const Hint& hint);

private:
    std::filesystem::path file_;
    // Hints are known by their text's fingerprint, so that a sheet may get new ones between.
    std::map<std::string, std::vector<std::string>> given_;
};

}  // namespace lab::tools
