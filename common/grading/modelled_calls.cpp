#include "common/grading/modelled_calls.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "common/grading/figures.h"
#include "common/grading/options.h"
#include "common/grading/signature.h"
#include "common/runner/protocol.h"

namespace lab::grading {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_calls = 256;  // a suite has about 20 of them; the rest are for other devices

std::string bytes_of(const fs::path& file) {
    std::error_code failed;
    std::string bytes(fs::is_regular_file(file, failed) ? fs::file_size(file, failed) : 0, '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

std::string checksum_of(const std::string& bytes) {
    return fmt::format("{:016x}", runner::checksum(bytes.data(), bytes.size(), nullptr, 0));
}

// Whether only this user can have written the file.
bool is_own(const fs::path& file) {
    struct stat found {};
    return ::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Message no_figure(const Call& call) {
    Message missing(
        fmt::format("the reference's figures have none of {} on {} (this is not your mistake)", call.function(), options().device),
        {"a students' bundle judges speed on the devices that it was made for: ./lab grade without --device takes the usual one"});
    missing.kind = Topic::undecided;
    return missing;
}

ModelledCalls& of_the_reference() {
    static ModelledCalls one(options().kept, options().reference);
    return one;
}

}  // namespace

ModelledCalls::ModelledCalls(const fs::path& folder, const fs::path& program, const fs::path& device) {
    if (folder.empty()) {
        return;
    }
    file_ = folder / (program.filename().string() + ".json");
    program_ = checksum_of_program(program) + checksum_of_program(device);
    calls_ = read();
}

nlohmann::json ModelledCalls::read() const {
    nlohmann::json none = nlohmann::json::object();
    if (!is_own(file_)) {
        return none;
    }
    const auto kept = nlohmann::json::parse(bytes_of(file_), nullptr, false);
    if (!kept.is_object() || kept.value("program", nlohmann::json()) != program_) {
        return none;
    }
    const auto calls = kept.value("calls", none);
    const bool is_whole = kept.value("checksum", nlohmann::json()) == checksum_of(calls.dump());
    return is_whole && calls.is_object() ? calls : none;
}

std::optional<nlohmann::json> ModelledCalls::find(const std::string& call) const {
    const auto found = calls_.find(call);
    return found == calls_.end() ? std::nullopt : std::optional<nlohmann::json>(*found);
}

void ModelledCalls::add(const std::string& call, const nlohmann::json& modelled) {
    calls_[call] = modelled;
    if (file_.empty()) {
        return;
    }
    nlohmann::json calls = read();
    if (calls.size() >= max_calls) {
        calls = nlohmann::json::object();
    }
    calls[call] = modelled;
    // Written under a unique name first: a concurrent reader finds either the old or the new file, both whole.
    const fs::path written = file_.string() + fmt::format(".{}", ::getpid());
    std::error_code failed;
    fs::create_directories(file_.parent_path(), failed);
    std::ofstream stream(written);
    stream << nlohmann::json{{"program", program_}, {"calls", calls}, {"checksum", checksum_of(calls.dump())}}.dump() << "\n";
    stream.close();
    fs::permissions(written, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, failed);
    if (stream.good()) {
        fs::rename(written, file_, failed);
    } else {
        fs::remove(written, failed);
    }
}

void read_modelled_calls() { (void)of_the_reference(); }

Judged run_reference(Call& call, const std::function<Message(const Result&)>& judge) {
    const bool is_modelled = !options().describe && (!options().figures.empty() || student().backend() == "emulator");
    std::string subject;
    if (is_modelled) {
        subject = call.subject();
        // A device file may change under its name.
        if (const std::string device = call.backend().device; device.find('/') != std::string::npos) {
            subject += " " + checksum_of(bytes_of(device));
        }
        const auto kept = options().figures.empty() ? of_the_reference().find(subject) : figure_of(subject);
        if (auto result = kept ? Result::modelled(*kept) : std::nullopt) {
            if (!options().save_figures.empty()) add_figure(subject, *kept);
            return {std::move(*result), {}};
        }
        if (!options().figures.empty()) return {{}, no_figure(call)};
    }
    Judged judged{call.run(reference()), {}};
    judged.problem = judge(judged.result);
    if (is_modelled && judged.problem.empty() && judged.result.backend == "emulator") {
        of_the_reference().add(subject, judged.result.modelled());
        if (!options().save_figures.empty()) add_figure(subject, judged.result.modelled());
    }
    return judged;
}

}  // namespace lab::grading
