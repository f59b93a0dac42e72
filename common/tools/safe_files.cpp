#include "common/tools/safe_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "common/tools/errors.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& file, int error) {
    throw BadInput(fmt::format("can't write {}: {}", file.string(), std::strerror(error)));
}

// Creates a file that must not exist yet, synced to disk. Returns 0 or the error.
int write_new(const fs::path& file, const std::string& text) {
    const int handle = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle < 0) return errno;
    int error = 0;
    std::size_t done = 0;
    while (error == 0 && done < text.size()) {
        const ssize_t wrote = write(handle, text.data() + done, text.size() - done);
        if (wrote >= 0) {
            done += static_cast<std::size_t>(wrote);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (error == 0 && fsync(handle) != 0) error = errno;
    if (close(handle) != 0 && error == 0) error = errno;
    if (error != 0) unlink(file.c_str());
    return error;
}

}  // namespace

std::string read_whole(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream || fs::is_directory(file)) {
        throw BadInput(fmt::format("can't read {}: is it there, and may you read it?", file.string()));
    }
    std::ostringstream text;
    text << stream.rdbuf();  // in large blocks: libraries are read, too
    return text.str();
}

nlohmann::json read_json(const fs::path& file) {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream, nullptr, false);
}

void replace_file(const fs::path& file, const std::string& text) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) refuse(file, error.value());
    const fs::path fresh = fmt::format("{}.new.{}", file.string(), getpid());
    if (const int failed = write_new(fresh, text); failed != 0) refuse(file, failed);
    if (fs::exists(file)) fs::permissions(fresh, fs::status(file).permissions(), error);  // best effort
    fs::rename(fresh, file, error);
    if (!error) return;
    unlink(fresh.c_str());
    refuse(file, error.value());
}

void check_result_file(const std::string& option, const std::string& file) {
    std::error_code error;
    const bool is_new = !fs::exists(fs::symlink_status(file, error));
    if (!std::ofstream(file, std::ios::app))
        throw BadInput(fmt::format("{} {}: can't write there: {}", option, file, std::strerror(errno)));
    if (is_new) fs::remove(file, error);  // an interrupted command leaves no empty result
}

void write_result(const std::string& option, const std::string& file, const std::string& text) {
    std::error_code error;
    if (!fs::exists(file, error) || fs::is_regular_file(fs::symlink_status(file, error))) {
        try {
            return replace_file(fs::absolute(file), text);
        } catch (const BadInput& problem) {
            throw BadInput(fmt::format("{} {}: {}", option, file, problem.what()));
        }
    }
    errno = 0;
    std::ofstream stream(file);
    stream << text;
    stream.close();  // reports write errors
    if (!stream) throw BadInput(fmt::format("{} {}: can't write there: {}", option, file, std::strerror(errno)));
}

fs::path back_up(const fs::path& file) {
    const std::string text = read_whole(file);
    for (int number = 1;; ++number) {
        fs::path backup = file.string() + (number == 1 ? ".bak" : fmt::format(".bak.{}", number));
        const int failed = write_new(backup, text);
        if (failed == 0) return backup;
        if (failed != EEXIST) refuse(backup, failed);
    }
}

OwnFile::OwnFile(const std::filesystem::path& folder, const std::string& name)
    : path_(folder / fmt::format("{}.{}.json", name, getpid())) {}

OwnFile::~OwnFile() {
    std::error_code not_there;
    std::filesystem::remove(path_, not_there);
}

}  // namespace lab::tools
