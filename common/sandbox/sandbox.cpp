#include "common/sandbox/sandbox.h"

#include <algorithm>

#include "common/process/subprocess.h"

namespace lab::sandbox {

std::optional<Sandbox> Sandbox::strongest(const std::filesystem::path& confine, std::string* why) {
    for (const char* const strength : strengths) {
        std::string reason;
        if (Sandbox found(confine, strength); found.can_be_had(&reason)) return found;
        *why = reason;
    }
    return {};
}

bool Sandbox::can_be_had(std::string* why) const {
    if (!std::filesystem::exists(confine_)) {
        *why = "lab-confine is not built, which needs libseccomp (apt-get install libseccomp-dev)";
        return false;
    }
    *why = process::output_of({confine_.string(), "check", strength_});
    why->resize(std::min(why->size(), why->find('\n')));
    return why->empty();
}

std::vector<std::string> Sandbox::words_of(const char* kind, const Reach& reach, const std::vector<std::string>& words) const {
    std::vector<std::string> all{confine_.string(), strength_, kind, "--folder", reach.folder.string()};
    const auto add = [&](const char* option, const std::string& value) { all.insert(all.end(), {option, value}); };
    for (const auto& path : reach.readable) add("--read", path.string());
    for (const auto& path : reach.writable) add("--write", path.string());
    for (const int descriptor : reach.kept) add("--keep", std::to_string(descriptor));
    if (reach.started >= 0) add("--started", std::to_string(reach.started));
    if (reach.has_gpu) all.emplace_back("--gpu");
    all.emplace_back("--");
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

std::vector<std::string> Sandbox::compile(const Reach& reach, const std::vector<std::string>& words) const {
    return words_of("compile", reach, words);
}
std::vector<std::string> Sandbox::run(const Reach& reach, const std::vector<std::string>& words) const {
    return words_of("run", reach, words);
}

}  // namespace lab::sandbox
