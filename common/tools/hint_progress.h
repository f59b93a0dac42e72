// Hints already given to a checkout's student.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/tools/hint_sheet.h"

namespace lab::tools {

class HintProgress {
public:
    // Reads the record in `file`; a missing file is an empty record. Throws BadInput for a damaged one.
    explicit HintProgress(std::filesystem::path file);

    [[nodiscard]] bool given(const std::string& about, const Hint& hint) const;

    // Records a hint on disk before it returns: a crash then loses nothing, and one during the call leaves the old file. Throws BadInput if
    // the file can't be written.
    void remember(const std::string& about, const Hint& hint);

private:
    std::filesystem::path file_;
    // Hints are identified by their text's fingerprint, so that a sheet may get new ones in between.
    std::map<std::string, std::vector<std::string>> given_;
};

}  // namespace lab::tools
