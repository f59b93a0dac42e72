// Figures: the emulator's times and counters of the reference's calls in a file, which stands for the reference where its program must not
// be. They are signed with the suite and the device that they come from (signature.h), so those of another version of the model are
// refused.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace lab::grading {

// Reads the figures of options().figures. Returns the reason if they are of no use, else "".
[[nodiscard]] std::string read_figures();

// Result of a call of the reference, as Call::subject() describes it.
[[nodiscard]] std::optional<nlohmann::json> figure_of(const std::string& call);

// Adds a call to those that save_figures() writes: times and counters, without the names of kernels, arguments and source lines.
void add_figure(const std::string& call, nlohmann::json modelled);

// Writes to options().save_figures, and keeps the file's other calls that have the same signature. Returns false if that fails.
[[nodiscard]] bool save_figures();

}  // namespace lab::grading
