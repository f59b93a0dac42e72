#include "common/classroom/collection.h"

#include <fmt/format.h>
#include <sha2.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <system_error>

#include "common/classroom/archive.h"
#include "common/findings/utf8.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t max_source_bytes = 1 << 20;
constexpr int max_depth = 16;

// A file that may be a lab's, or what prevents reading what lies there. The path's first component is the student's.
struct Candidate {
    std::string path, text, problem;
    std::int64_t time = 0;
};

std::vector<std::string> components(const std::string& path) {
    std::vector<std::string> all;
    for (const fs::path& part : fs::path(path)) all.push_back(part.string());
    return all;
}

// Files that systems add: hidden ones, those of macOS, descriptions of a hand-in.
bool is_incidental(const std::string& path) {
    const std::vector<std::string> parts = components(path);
    return std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.starts_with(".") || part == "__MACOSX"; });
}

// A lab's file by its name, with what course systems put before and behind it:
//   lovelace_LATE_17_23_shared_tiling-1.cu    [prefix][number of the attempt]
struct Named {
    const tools::Lab* lab = nullptr;
    std::string prefix;
    int attempt = 0;
};

// Adds each student's problem as a submission of each lab that the student has nothing of. "": the lab's file was not handed in.
void add_problems(const std::map<std::string, std::string>& problems, const std::vector<tools::Lab>& labs, Collection* made) {
    std::set<std::pair<std::string, std::string>> there;
    for (const Submission& each : made->submissions) there.emplace(each.student, each.lab);
    for (const auto& [student, problem] : problems) {
        for (const tools::Lab& lab : labs) {
            if (!there.contains({student, lab.name()}))
                made->submissions.push_back({student, lab.name(), "", "", problem.empty() ? lab.file + " was not handed in" : problem});
        }
    }
    std::stable_sort(made->submissions.begin(), made->submissions.end(),
                     [](const Submission& a, const Submission& b) { return a.student < b.student; });
}

class Collector {
public:
    Collector(fs::path folder, const std::vector<tools::Lab>& labs) : folder_(std::move(folder)), labs_(labs) {
        for (const tools::Lab& lab : labs) {
            const fs::path file = lab.file;
            forms_.emplace_back(
                fmt::format("(?:(.*)[_-])?{}(?:-(\\d{{1,4}})| ?\\((\\d{{1,4}})\\))?\\{}", file.stem().string(), file.extension().string()));
        }
    }

    [[nodiscard]] Collection collection() {
        walk(folder_, "", 0);
        Collection made;
        made.unplaced = std::move(unplaced_);
        for (auto& [key, candidates] : placed_) made.submissions.push_back(chosen(key.first, key.second, candidates));
        std::map<std::string, std::string> first;
        for (const auto& [student, problems] : problems_) {
            first[student] = problems.front();
            made.unplaced.insert(made.unplaced.end(), problems.begin(), problems.end());
        }
        add_problems(first, labs_, &made);
        for (const Submission& each : made.submissions) students_.erase(each.student);
        made.empty.assign(students_.begin(), students_.end());
        return made;
    }

private:
    [[nodiscard]] Named named(const std::string& file) const {
        for (std::size_t i = 0; i < labs_.size(); ++i) {
            std::smatch found;
            if (!std::regex_match(file, found, forms_[i])) continue;
            const std::string attempt = found.str(2) + found.str(3);
            return {&labs_[i], found.str(1), attempt.empty() ? 0 : std::stoi(attempt)};
        }
        return {};
    }

    // Entries of a folder, in the order of their names; links are not followed.
    void walk(const fs::path& folder, const std::string& at, int depth) {
        std::error_code failed;
        std::vector<fs::path> entries;
        for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
            entries.push_back(each->path());
        if (failed) {
            const std::string why = failed.message();
            if (at.empty()) throw tools::BadInput(fmt::format("{}: {}", folder.string(), why));
            return problem(at, "can't be read: " + why);
        }
        std::sort(entries.begin(), entries.end());
        for (const fs::path& entry : entries) {
            const std::string name = entry.filename().string();
            const std::string path = at.empty() ? name : at + "/" + name;
            if (is_incidental(name)) continue;
            const fs::file_status status = fs::symlink_status(entry, failed);
            if (fs::is_directory(status)) {
                if (at.empty()) (void)student_of(path);
                if (depth < max_depth) walk(entry, path, depth + 1);
            } else if (fs::is_symlink(status)) {
                if (at.empty() || named(name).lab != nullptr) problem(path, "is a link: hand in the file itself");
            } else if (fs::is_regular_file(status)) {
                take_file(entry, path);
            } else if (at.empty() || named(name).lab != nullptr) {
                problem(path, "is no regular file");
            }
        }
    }

    void take_file(const fs::path& file, const std::string& path) {
        std::error_code failed;
        const std::uintmax_t size = fs::file_size(file, failed);
        struct stat status {};
        time_ = ::stat(file.c_str(), &status) == 0 ? status.st_mtime : 0;
        try {
            if (is_archive(file)) {
                if (path.find('/') == std::string::npos) (void)student_of(path);
                const auto is_wanted = [&](const std::string& inside) { return wants(inside); };
                for (Entry& entry : entries_of(file, is_wanted)) take_entry(path + "/" + entry.path, std::move(entry.text));
            } else if (named(path.substr(path.rfind('/') + 1)).lab != nullptr) {
                add({path, size > max_source_bytes ? std::string(max_source_bytes + 1, ' ') : tools::read_whole(file), ""});
            } else if (path.find('/') == std::string::npos) {
                unplaced_.push_back(fmt::format("{}: no lab's file, no folder and no archive", printable(path)));
            }
        } catch (const tools::BadInput& bad) {
            problem(path, bad.what());
        }
    }

    [[nodiscard]] bool wants(const std::string& inside) const {
        const std::vector<std::string> parts = components(inside);
        if (is_incidental(inside) || std::find(parts.begin(), parts.end(), "..") != parts.end()) return false;
        return named(inside.substr(inside.rfind('/') + 1)).lab != nullptr || is_archive(inside);
    }

    // A file of an archive; an archive in it is read, too, but none in that one.
    void take_entry(const std::string& path, std::string text, bool is_nested = false) {
        if (!is_archive(path)) return add({path, std::move(text), ""});
        if (is_nested) return problem(path, "is an archive in an archive in an archive");
        const auto is_wanted = [&](const std::string& inside) { return wants(inside); };
        try {
            for (Entry& entry : entries_in(text, is_wanted)) take_entry(path + "/" + entry.path, std::move(entry.text), true);
        } catch (const tools::BadInput& bad) {
            problem(path, bad.what());
        }
    }

    void add(Candidate candidate) {
        const std::string name = candidate.path.substr(candidate.path.rfind('/') + 1);
        const Named its = named(name);
        const bool is_alone = candidate.path.find('/') == std::string::npos;
        if (is_alone && its.prefix.empty()) {
            unplaced_.push_back(fmt::format("{}: whose? put it into a folder with the student's name", printable(candidate.path)));
            return;
        }
        if (candidate.text.size() > max_source_bytes) {
            candidate.text.clear();
            candidate.problem = "has more than 1 MiB";
        }
        candidate.time = time_;
        placed_[{student_of(candidate.path), its.lab->number}].push_back(std::move(candidate));
    }

    void problem(const std::string& path, const std::string& why) {
        const Named its = named(path.substr(path.rfind('/') + 1));
        if (its.lab != nullptr && path.find('/') != std::string::npos) {
            placed_[{student_of(path), its.lab->number}].push_back({path, "", why});
        } else if (path.find('/') == std::string::npos && !is_archive(path) && !fs::is_directory(folder_ / path)) {
            unplaced_.push_back(fmt::format("{} {}", printable(path), why));
        } else {
            problems_[student_of(path)].push_back(printable(path) + " " + why);
        }
    }

    // The student of a path's first component.
    std::string student_of(const std::string& path) {
        std::string name = path.substr(0, path.find('/'));
        if (is_archive(name) && !fs::is_directory(folder_ / name)) {
            name = fs::path(name).stem().string();
            if (name.ends_with(".tar")) name.resize(name.size() - 4);
        } else if (path.find('/') == std::string::npos && !fs::is_directory(folder_ / name)) {
            name = named(name).prefix;
        }
        static const std::regex moodle("(.+)_assignsubmission_(file|onlinetext)_?");
        static const std::regex canvas("(.+?)(?:_LATE)?_(\\d+)_\\d+(?:_.*)?");
        std::smatch found;
        if (std::regex_match(name, found, moodle)) {
            name = found.str(1);
        } else if (std::regex_match(name, found, canvas) && !fs::is_directory(folder_ / name)) {
            name = found.str(1) + "_" + found.str(2);
        }
        std::string student = printable(name);
        students_.insert(student);
        return student;
    }

    // The one that counts of a student's files of one lab.
    [[nodiscard]] Submission chosen(const std::string& student, int number, const std::vector<Candidate>& candidates) const {
        const tools::Lab& lab = *std::find_if(labs_.begin(), labs_.end(), [&](const tools::Lab& each) { return each.number == number; });
        std::vector<const Candidate*> best;
        std::pair<int, bool> rank{-1, false};  // by the attempt, then by the place that labs/ has for it
        for (const Candidate& each : candidates) {
            const std::pair its{named(each.path.substr(each.path.rfind('/') + 1)).attempt,
                                each.path.find("/" + lab.folder + "/" + lab.file) != std::string::npos};
            if (its > rank) {
                rank = its;
                best.clear();
            }
            if (its == rank) best.push_back(&each);
        }
        const Candidate& first = *best.front();
        Submission made{student,
                        lab.name(),
                        printable(first.path),
                        first.text,
                        first.problem.empty() ? "" : fmt::format("{} {}", lab.file, first.problem),
                        first.time};
        for (const Candidate* other : best) {
            if (other->text == first.text && other->problem == first.problem) continue;
            made.text.clear();
            made.problem = fmt::format("two files of {}: {} and {}; keep one", lab.name(), printable(first.path), printable(other->path));
            break;
        }
        return made;
    }

    fs::path folder_;
    const std::vector<tools::Lab>& labs_;
    std::vector<std::regex> forms_;  // patterns of the labs' file names
    std::map<std::pair<std::string, int>, std::vector<Candidate>> placed_;
    std::map<std::string, std::vector<std::string>> problems_;  // by student: what prevented reading files; holds for labs without others
    std::set<std::string> students_;
    std::vector<std::string> unplaced_;
    std::int64_t time_ = 0;  // modification time of the current file, in seconds since 1970
};

}  // namespace

std::string printable(const std::string& text) {
    std::string made;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t count = character_at_front(rest);
        if (count == 0 || is_control_at_front(rest)) {
            made += fmt::format("\\x{:02x}", static_cast<unsigned char>(rest[0]));
            rest.remove_prefix(1);
        } else {
            made += rest.substr(0, count);
            rest.remove_prefix(count);
        }
    }
    return made;
}

std::string sha256_of(const std::string& text) {
    std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
    SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits.data());
    return digits.data();
}

std::string Submission::hash() const { return sha256_of(lab + "\n" + problem + "\n" + text); }

Collection collect(const fs::path& folder, const std::vector<tools::Lab>& labs) {
    if (!fs::exists(folder)) throw tools::BadInput(fmt::format("{}: no such folder", folder.string()));
    if (!fs::is_directory(folder))
        throw tools::BadInput(fmt::format("{}: no folder; unpack it first, each student in a folder", folder.string()));
    return Collector(folder, labs).collection();
}

void expect_all(const std::vector<tools::Lab>& labs, Collection* collection) {
    std::map<std::string, std::string> students;  // no problem but what is missing
    for (const std::string& student : collection->empty) students[student];
    for (const Submission& each : collection->submissions) students[each.student];
    add_problems(students, labs, collection);
    collection->empty.clear();
}

}  // namespace lab::classroom
