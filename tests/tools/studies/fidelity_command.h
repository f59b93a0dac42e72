// `lab fidelity` from the outside, in a folder of its own.
#pragma once

#include <string>
#include <vector>

#include "tests/tools/lab_command.h"

namespace lab::tools {

class FidelityCommand : public LabCommand {
protected:
    [[nodiscard]] Ending lab(std::vector<std::string> words) const {
        words.insert(words.begin(), "fidelity");
        return LabCommand::lab(words);
    }
};

}  // namespace lab::tools
