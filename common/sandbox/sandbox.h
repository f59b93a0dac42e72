// Commands in a sandbox: how strong it is, and the words that start a command in it.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab::sandbox {

// The strengths, the best first.
inline constexpr std::array strengths{"namespaces", "user", "landlock"};

// Files and descriptors of a confined command, besides the system's programs and libraries.
struct Reach {
    std::vector<std::filesystem::path> readable;
    std::vector<std::filesystem::path> writable;
    std::vector<int> kept;  // descriptors
    int started = -1;       // one that gets "s" when the command starts; -1: none
    std::filesystem::path folder = "/";
    bool has_gpu = false;
};

// Exit status of lab-confine where a command could not be confined; the reason is what it printed.
inline constexpr int not_confined = 125;

// A sandbox of one of these strengths.
class Sandbox {
public:
    Sandbox(std::filesystem::path confine, std::string strength) : confine_(std::move(confine)), strength_(std::move(strength)) {}
    // The strongest that this machine allows; nothing where there is none. `why` gets the reason, a line, why there is no stronger one.
    // `confine`: lab-confine.
    [[nodiscard]] static std::optional<Sandbox> strongest(const std::filesystem::path& confine, std::string* why);

    // Whether this machine allows it; else `why` gets the reason.
    [[nodiscard]] bool can_be_had(std::string* why) const;
    [[nodiscard]] const std::string& strength() const { return strength_; }
    // Words that start a compiler, or a student's program, confined.
    [[nodiscard]] std::vector<std::string> compile(const Reach& reach, const std::vector<std::string>& words) const;
    [[nodiscard]] std::vector<std::string> run(const Reach& reach, const std::vector<std::string>& words) const;

private:
    [[nodiscard]] std::vector<std::string> words_of(const char* kind, const Reach& reach, const std::vector<std::string>& words) const;
    std::filesystem::path confine_;
    std::string strength_;
};

}  // namespace lab::sandbox
