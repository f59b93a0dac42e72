#include "common/classroom/packaging/tarball.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <memory>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"

namespace lab::classroom {
namespace fs = std::filesystem;

fs::path unpacked(const fs::path& name) {
    for (const std::string ending : {".tar.zst", ".tar.xz", ".tar", ".zip"}) {
        const std::string text = name.string();
        if (text.ends_with(ending)) return text.substr(0, text.size() - ending.size());
    }
    return name;
}

void pack(const fs::path& folder, const fs::path& tarball) {
    const bool is_zip = tarball.extension() == ".zip";
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(), archive_write_free);
    const auto check = [&](la_ssize_t status) {
        if (status < ARCHIVE_OK) throw tools::BadInput(fmt::format("{}: {}", tarball.string(), archive_error_string(writer.get())));
    };
    check(is_zip ? archive_write_set_format_zip(writer.get()) : archive_write_set_format_pax_restricted(writer.get()));
    if (tarball.extension() == ".xz") check(archive_write_add_filter_xz(writer.get()));
    if (tarball.extension() == ".zst") check(archive_write_add_filter_zstd(writer.get()));
    check(archive_write_open_filename(writer.get(), tarball.c_str()));
    std::set<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.insert(entry.path());
    }
    for (const fs::path& file : files) {
        const std::string bytes = tools::read_whole(file);
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), archive_entry_free);
        archive_entry_set_pathname(entry.get(), fs::relative(file, is_zip ? folder : folder.parent_path()).c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        const bool is_program = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
        archive_entry_set_perm(entry.get(), is_program ? 0755 : 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
        check(archive_write_header(writer.get(), entry.get()));
        check(archive_write_data(writer.get(), bytes.data(), bytes.size()));
    }
    check(archive_write_close(writer.get()));
}

}  // namespace lab::classroom
