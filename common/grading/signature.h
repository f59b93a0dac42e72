// Signatures of programs: figures and records of calls hold for those that made them and for no others.
#pragma once

#include <filesystem>
#include <string>

#include "common/process/installed.h"

namespace lab::grading {

// Checksum of a program's bytes, 16 hexadecimal digits.
[[nodiscard]] std::string checksum_of_program(const std::filesystem::path& program);

// Checksums of a suite and of the device's programs beside it, whichever of them a processor runs.
[[nodiscard]] std::string model_signature(const std::string& suite = process::own_path());

}  // namespace lab::grading
