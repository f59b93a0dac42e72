// Files of an archive (zip, or tar with its usual compressions), read without unpacking it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lab::classroom {

// A regular file of an archive.
struct Entry {
    std::string path;  // bytes, as the archive has them
    std::string text;
};

// Whether a file's name is that of an archive.
[[nodiscard]] bool is_archive(const std::filesystem::path& file);

// The regular files that `is_wanted` by their path, in the order of the archive. Throws BadInput for a damaged archive, an
// encrypted one, and one whose contents exceed the limits: 100,000 entries, 128 MiB in all, 16 MiB kept of a wanted file. Links are passed
// over. The error's text is a predicate: "is encrypted".
[[nodiscard]] std::vector<Entry> entries_of(const std::filesystem::path& archive, const std::function<bool(const std::string&)>& is_wanted);
// The same of an archive in memory.
[[nodiscard]] std::vector<Entry> entries_in(const std::string& bytes, const std::function<bool(const std::string&)>& is_wanted);

}  // namespace lab::classroom
