#include "common/classroom/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "common/tools/errors.h"

namespace lab::classroom {
namespace {

constexpr int max_entries = 100'000;
constexpr std::int64_t max_bytes = std::int64_t{128} << 20, max_file_bytes = std::int64_t{16} << 20;

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

Reader reader() {
    Reader made(archive_read_new(), archive_read_free);
    archive_read_support_filter_gzip(made.get());
    archive_read_support_filter_bzip2(made.get());
    archive_read_support_filter_xz(made.get());
    archive_read_support_filter_zstd(made.get());
    archive_read_support_format_zip(made.get());
    archive_read_support_format_tar(made.get());
    return made;
}

class Reading {
public:
    explicit Reading(archive* from) : from_(from) {}

    [[nodiscard]] std::vector<Entry> all(const std::function<bool(const std::string&)>& is_wanted) {
        std::vector<Entry> found;
        archive_entry* entry = nullptr;
        for (int count = 0; next(&entry); ++count) {
            if (count == max_entries) throw tools::BadInput(fmt::format("has more than {} entries", max_entries));
            const char* const path = archive_entry_pathname(entry);
            const bool is_file = path != nullptr && archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
            if (is_file && archive_entry_is_encrypted(entry) != 0) throw tools::BadInput("is encrypted");
            // Skipped entries are read here, too: what they unpack to counts.
            std::string text = contents(is_file && is_wanted(path));
            if (is_file && is_wanted(path)) found.push_back({path, std::move(text)});
        }
        return found;
    }

private:
    [[nodiscard]] bool next(archive_entry** entry) {
        const int status = archive_read_next_header(from_, entry);
        if (status == ARCHIVE_EOF) return false;
        if (status < ARCHIVE_WARN) fail();
        return true;
    }
    // Reads the current entry to its end. A kept one is cut off above the limit of a file, which whoever takes it sees by its size.
    [[nodiscard]] std::string contents(bool is_kept) {
        std::string text;
        std::array<char, 1 << 16> block{};
        while (true) {
            const la_ssize_t count = archive_read_data(from_, block.data(), block.size());
            if (count < 0) fail();
            if (count == 0) return text;
            bytes_ += count;
            if (bytes_ > max_bytes) throw tools::BadInput(fmt::format("unpacks to more than {} MiB", max_bytes >> 20));
            const std::int64_t room = max_file_bytes + 1 - static_cast<std::int64_t>(text.size());
            if (is_kept && room > 0) text.append(block.data(), static_cast<std::size_t>(std::min<std::int64_t>(count, room)));
        }
    }
    [[noreturn]] void fail() const {
        const char* const why = archive_error_string(from_);
        throw tools::BadInput(fmt::format("can't be read as an archive: {}", why == nullptr ? "it is damaged" : why));
    }

    archive* from_;
    std::int64_t bytes_ = 0;
};

}  // namespace

bool is_archive(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array endings{".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar.zst"};
    return std::any_of(endings.begin(), endings.end(), [&](const char* ending) { return name.ends_with(ending); });
}

std::vector<Entry> entries_of(const std::filesystem::path& file, const std::function<bool(const std::string&)>& is_wanted) {
    const Reader from = reader();
    constexpr std::size_t block = 1 << 16;
    if (archive_read_open_filename(from.get(), file.c_str(), block) != ARCHIVE_OK)
        throw tools::BadInput(fmt::format("can't be read as an archive: {}", archive_error_string(from.get())));
    return Reading(from.get()).all(is_wanted);
}

std::vector<Entry> entries_in(const std::string& bytes, const std::function<bool(const std::string&)>& is_wanted) {
    const Reader from = reader();
    if (archive_read_open_memory(from.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
        throw tools::BadInput(fmt::format("can't be read as an archive: {}", archive_error_string(from.get())));
    return Reading(from.get()).all(is_wanted);
}

}  // namespace lab::classroom
