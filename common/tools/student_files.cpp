#include "common/tools/student_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace lab::tools {
namespace fs = std::filesystem;

std::vector<fs::path> student_files(const Project& project, const Lab& lab) {
    constexpr std::array<const char*, 7> extensions{".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".inl"};
    std::vector<fs::path> files;
    std::error_code gone;  // folders and files come and go while an editor saves
    for (const fs::directory_entry& entry : fs::directory_iterator(project.root / "labs" / lab.folder, gone)) {
        const std::string extension = entry.path().extension();
        if (!entry.is_regular_file(gone)) continue;
        if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string saved_state(const Project& project, const Lab& lab) {
    std::string all;
    for (const fs::path& file : student_files(project, lab)) {
        std::error_code gone;
        const auto time = fs::last_write_time(file, gone).time_since_epoch().count();
        all += fmt::format("{} {} {}\n", file.string(), time, fingerprint_of_file(file));
    }
    return fingerprint(all);
}

fs::path own_file(const Project& project, const Lab& lab) { return project.root / "labs" / lab.folder / lab.file; }

std::string fingerprint(const std::string& text) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return fmt::format("{:016x}", hash);
}

// Programs have many MB: eight bytes at a time.
std::string fingerprint_of_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::vector<std::uint64_t> words(std::size_t{1} << 17);
    std::uint64_t hash = 0xCBF29CE484222325;
    std::uint64_t bytes = 0;
    while (stream) {
        stream.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * sizeof words[0]));
        const auto got = static_cast<std::size_t>(stream.gcount());
        bytes += got;
        std::memset(reinterpret_cast<char*>(words.data()) + got, 0, (8 - got % 8) % 8);
        for (const std::uint64_t *word = words.data(), *end = word + (got + 7) / 8; word != end; ++word) {
            hash = (hash ^ *word) * 0x100000001B3;
            hash ^= hash >> 29;
        }
    }
    return fmt::format("{:x}-{:016x}", bytes, hash);
}

}  // namespace lab::tools
