// Packing of a folder as one file.
#pragma once

#include <filesystem>

namespace lab::classroom {

// The folder whose contents an archive of this name gets: the name without .tar.zst, .tar.xz, .tar or .zip. Another name is a folder's own.
[[nodiscard]] std::filesystem::path unpacked(const std::filesystem::path& name);

// Writes the folder as an archive, its kind by the ending: a tar archive with the folder's name on top, compressed as it says, or a
// zip archive of what is in the folder. Owners and times are left out, so that one folder gives one archive. Throws BadInput.
void pack(const std::filesystem::path& folder, const std::filesystem::path& archive);

}  // namespace lab::classroom
