#include "common/classroom/course.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <regex>
#include <sstream>

#include "common/classroom/json_schema.h"
#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/lines.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/study_device.h"
#include "common/trace/fields.h"

namespace lab::classroom {

LAB_FIELDS(LateRule, grace_minutes, percent_per_day, last_day)
LAB_FIELDS(SeenRule, before, after)
LAB_FIELDS(CourseLab, weight, points, deadline, late, seen)
LAB_FIELDS(Course, device, labs)

namespace {

using nlohmann::json;
using tools::BadInput;

// The JSON of a file, with the line of each key.
class CourseFile {
public:
    explicit CourseFile(const std::string& name) : name_(name) {
        const std::string text = tools::read_whole(name);
        std::istringstream stream(text);
        std::vector<std::string> keys;
        const auto note = [&](int depth, json::parse_event_t event, const json& parsed) {
            if (event != json::parse_event_t::key) return true;
            keys.resize(static_cast<std::size_t>(depth));
            keys.back() = parsed.get<std::string>();
            const std::string place = fmt::format("/{}", fmt::join(keys, "/"));
            const auto line = 1 + std::count(text.begin(), text.begin() + stream.tellg(), '\n');
            if (!lines_.emplace(place, line).second && place.find("//") == std::string::npos)  // no element of an array
                refuse(place, fmt::format("is in line {}, too", std::exchange(lines_[place], line)));
            return true;
        };
        try {
            json_ = json::parse(stream, note);
        } catch (const json::exception& error) {
            static const std::regex form(".*line (\\d+), column (\\d+): (?:syntax error )?([^]*)");
            std::smatch found;
            const std::string what = error.what();
            if (!std::regex_match(what, found, form)) throw BadInput(fmt::format("{}: {}", name_, what));
            throw BadInput(fmt::format("{}:{}:{}: no JSON: {}", name_, found.str(1), found.str(2), found.str(3)));
        }
    }
    [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
        std::string known = place;
        while (!known.empty() && lines_.count(known) == 0) known.resize(known.rfind('/'));
        std::string key = place.substr(std::min<std::size_t>(place.size(), 1));
        std::replace(key.begin(), key.end(), '/', '.');
        throw BadInput(fmt::format("{}:{}: {}{}{}", name_, known.empty() ? 1 : lines_.at(known), key, key.empty() ? "" : ": ", what));
    }
    [[nodiscard]] const json& value() const { return json_; }

private:
    std::string name_;
    json json_;
    std::map<std::string, std::ptrdiff_t> lines_;  // by place, "/labs"
};

// The course of valid JSON. A lab's rules are those of the whole course where it has none.
Course course_in(json value) {
    for (json& each : value.at("labs")) {
        for (const char* const rule : {"late", "seen"}) {
            if (value.contains(rule) && !each.contains(rule)) each[rule] = value[rule];
        }
    }
    Course made;
    trace::read(value, &made);
    return made;
}

std::string name_in_suite(const tools::TestScore& test) { return test.name.substr(test.name.find('.') + 1); }

// Each name of `points` is that of a group with points, or of a test of the lab's suite.
void check_points(const CourseFile& file, const tools::Project& project, const tools::Lab& lab, const CourseLab& settings) {
    if (settings.points.empty()) return;
    tools::Progress progress;
    const tools::Ending built = tools::build_targets(project.build, {lab.name() + "_test"}, {progress, {}});
    const tools::OwnFile report(project.build, "course");
    std::vector<std::string> names;
    if (built.ok()) {
        for (const tools::TestScore& test : tools::tests_not_run(project, lab, report.path())) {
            names.push_back(name_in_suite(test));
            if (test.points > 0) names.push_back(test.group);
        }
    }
    if (names.empty()) throw BadInput(fmt::format("{}'s tests can't be listed; ./lab grade --solutions tells why", lab.name()));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const auto& [name, points] : settings.points) {
        if (!std::binary_search(names.begin(), names.end(), name))
            file.refuse("/labs/" + lab.name() + "/points/" + name,
                        fmt::format("neither a test nor a group; nearest: {}", fmt::join(tools::nearest(names, name), ", ")));
    }
}

// Days after the deadline that have begun; 0: in time.
std::int64_t days_late(const CourseLab& lab, std::int64_t handed_in) {
    const std::optional<std::int64_t> deadline = time_in(lab.deadline);
    if (!deadline || handed_in == 0) return 0;
    constexpr std::int64_t day = 86'400, minute = 60;
    const std::int64_t late = handed_in - *deadline;
    return static_cast<double>(late) <= lab.late.grace_minutes * minute ? 0 : (late + day - 1) / day;
}

// A score's tests as one; those that were not judged as another.
std::vector<tools::TestScore> summed(const tools::LabScore& score) {
    std::map<bool, tools::TestScore> sums;
    for (const tools::TestScore& test : score.tests) {
        const auto [sum, is_new] = sums.emplace(test.is_undecided, tools::TestScore());
        tools::TestScore& all = sum->second;
        if (is_new) all.has_run = false;
        all.name = score.lab + (test.is_undecided ? ": not judged" : ": all tests");
        all.is_undecided = test.is_undecided;
        all.has_run = all.has_run || test.has_run;
        all.points += test.points;
        all.earned += test.earned;
        all.seconds += test.seconds;
        if (!test.passed()) all.failures = {""};
    }
    std::vector<tools::TestScore> made;
    for (auto& [is_undecided, sum] : sums) made.push_back(std::move(sum));
    return made;
}

}  // namespace

std::optional<std::int64_t> time_in(const std::string& text) {
    for (const char* const form : {"%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M%z"}) {
        std::tm time{};
        const char* const end = ::strptime(text.c_str(), form, &time);
        if (end == nullptr || *end != '\0') continue;
        const std::int64_t zone = time.tm_gmtoff, day = time.tm_mday;
        const std::int64_t seconds = ::timegm(&time);
        if (time.tm_mday == day) return seconds - zone;  // else there is no such day
    }
    return std::nullopt;
}

Course read_course(const tools::Project& project, const std::string& name) {
    const CourseFile file(name);
    const json schema = json::parse(tools::read_whole(project.root / "common/classroom/course.schema.json"));
    for (const Violation& each : violations(file.value(), schema)) file.refuse(each.place, each.what);
    Course made = course_in(file.value());
    try {
        if (!made.device.empty()) (void)tools::known_device(made.device);
    } catch (const BadInput& bad) {
        file.refuse("/device", bad.what());
    }
    const std::vector<tools::Lab> labs = project.labs();
    std::vector<std::string> names;
    for (const tools::Lab& lab : labs) names.push_back(lab.name());
    if (made.labs.empty()) file.refuse("/labs", "names no lab");
    for (const auto& [lab, settings] : made.labs) {
        const auto found = std::find(names.begin(), names.end(), lab);
        if (found == names.end())
            file.refuse("/labs/" + lab, fmt::format("no such lab; nearest: {}", fmt::join(tools::nearest(names, lab), ", ")));
        if (!settings.deadline.empty() && !time_in(settings.deadline))
            file.refuse("/labs/" + lab + "/deadline",
                        fmt::format("'{}' is no time with its zone, such as 2026-11-30T23:59:00+01:00", settings.deadline));
        check_points(file, project, labs[static_cast<std::size_t>(found - names.begin())], settings);
    }
    return made;
}

Course course_of(const Results& results) {
    const std::string text = results.setting("course");
    return text.empty() ? Course() : course_in(json::parse(text));
}

void apply(const Course& course, std::int64_t handed_in, tools::LabScore* score) {
    const auto lab = course.labs.find(score->lab);
    if (lab == course.labs.end()) return;
    tools::use_points(lab->second.points, score);
    const std::int64_t days = days_late(lab->second, handed_in);
    if (days == 0) return;
    const LateRule& rule = lab->second.late;
    const bool is_too_late = rule.last_day && days > *rule.last_day;
    const double lost = is_too_late ? 100 : std::min(100.0, static_cast<double>(days) * rule.percent_per_day);
    for (tools::TestScore& test : score->tests) test.earned *= 1 - lost / 100;
    score->remark =
        fmt::format("{} day{} late: {:.6g} % off{}", days, days == 1 ? "" : "s", lost, is_too_late ? ", after the last day" : "");
}

void each_by_course(const Results& results, const std::vector<std::string>& students, const std::function<void(Graded&)>& use) {
    const Course course = course_of(results);
    results.each(students, [&](Graded& each) {
        if (each.verdict) apply(course, each.handed_in, &each.verdict->score);
        use(each);
    });
}

double total_percent(const Course& course, const std::vector<tools::LabScore>& scores) {
    double weights = 0, sum = 0;
    for (const auto& [name, lab] : course.labs) weights += lab.weight;
    for (const tools::LabScore& score : scores) {
        const auto lab = course.labs.find(score.lab);
        if (lab != course.labs.end() && score.points() > 0) sum += lab->second.weight * score.earned() / score.points();
    }
    return weights > 0 ? 100 * sum / weights : 0;
}

void hide_unseen(const Course& course, std::int64_t now, tools::LabScore* score) {
    const auto lab = course.labs.find(score->lab);
    if (lab == course.labs.end()) return;
    const SeenRule& rule = lab->second.seen;
    const bool is_over = now > time_in(lab->second.deadline).value_or(now);
    const Seen seen = is_over ? rule.after : rule.before;
    if (seen == Seen::messages) return;
    if (seen == Seen::points) score->tests = summed(*score);
    // A compiler's words are about the student's file alone; other text may name tests.
    if (!score->does_not_compile) score->trouble = tools::first_line(score->trouble);
    const std::string instead = !is_over && rule.after > seen ? "more is shown after " + lab->second.deadline : "no more is shown";
    for (tools::TestScore& test : score->tests) {
        if (!test.failures.empty()) test.failures = {instead};
        test.measured.clear();
        test.printed.clear();
        test.told.clear();
        test.not_started.clear();
        test.not_started_failures.clear();
    }
}

}  // namespace lab::classroom
