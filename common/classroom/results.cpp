#include "common/classroom/results.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "common/classroom/sqlite.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"

namespace lab::classroom {
namespace {

// Version of the tables below; SQLite keeps it as user_version.
constexpr int format = 2;
// "lct1", so that another program's database is not taken for a class's.
constexpr int application = 0x6c637431;

constexpr const char* tables = R"(
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE submission (
    student TEXT NOT NULL, lab TEXT NOT NULL, origin TEXT NOT NULL, hash TEXT NOT NULL, handed_in INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (student, lab)) WITHOUT ROWID;
CREATE TABLE verdict (
    id INTEGER PRIMARY KEY, lab TEXT NOT NULL, hash TEXT NOT NULL, is_current INTEGER NOT NULL DEFAULT 1,
    points REAL NOT NULL, max_points REAL NOT NULL, undecided REAL NOT NULL, is_undecided INTEGER NOT NULL,
    does_not_compile INTEGER NOT NULL, trouble TEXT NOT NULL, title TEXT NOT NULL, backend TEXT NOT NULL, seed TEXT NOT NULL,
    sandbox TEXT NOT NULL, version TEXT NOT NULL, device TEXT NOT NULL, seconds REAL NOT NULL, graded_at INTEGER NOT NULL,
    UNIQUE (lab, hash));
CREATE TABLE test (
    verdict INTEGER NOT NULL REFERENCES verdict (id) ON DELETE CASCADE, position INTEGER NOT NULL,
    name TEXT NOT NULL, points_group TEXT NOT NULL, points REAL NOT NULL, max_points REAL NOT NULL, has_run INTEGER NOT NULL,
    undecided INTEGER NOT NULL, failures TEXT NOT NULL, measured TEXT NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (verdict, position)) WITHOUT ROWID;
CREATE INDEX submissions_by_text ON submission (lab, hash);
)";

void run(sqlite3* database, const char* text) { Statement(database, text).run(); }

std::int64_t number(sqlite3* database, const char* question) {
    Statement statement(database, question);
    return statement.next() ? statement.whole(0) : 0;
}

constexpr const char* verdict_columns =
    "v.id, v.is_undecided, v.does_not_compile, v.trouble, v.title, v.backend, v.seed, v.sandbox, v.version, v.device, v.seconds, "
    "v.graded_at";

// Reads all but the tests.
void read(const Statement& row, int first, const Graded& of, Verdict* verdict) {
    tools::LabScore& score = verdict->score;
    verdict->hash = of.hash;
    score.lab = of.lab;
    score.remark.clear();
    int at = first;
    score.is_undecided = row.whole(++at) != 0;
    score.does_not_compile = row.whole(++at) != 0;
    for (std::string* text :
         {&score.trouble, &score.title, &score.backend, &score.seed, &score.sandbox, &verdict->version, &verdict->device})
        *text = row.view(++at);
    score.seconds = row.real(++at);
    verdict->graded_at = row.whole(++at);
}

// Several texts as one; they hold no control characters.
constexpr const char* separator = "\x1e";

void split(std::string_view all, std::vector<std::string>* texts) {
    texts->clear();
    while (!all.empty()) {
        const std::size_t end = std::min(all.find(separator), all.size());
        texts->emplace_back(all.substr(0, end));
        all.remove_prefix(std::min(end + 1, all.size()));
    }
}

void read(const Statement& row, tools::TestScore* test) {
    test->name = row.view(0);
    test->group = row.view(1);
    test->earned = row.real(2);
    test->points = row.real(3);
    test->has_run = row.whole(4) != 0;
    test->is_undecided = row.whole(5) != 0;
    split(row.view(6), &test->failures);
    test->measured = row.view(7);
    test->seconds = row.real(8);
}

}  // namespace

Results::Results(const std::filesystem::path& file, Opened how) : file_(file) {
    if (how == Opened::to_read && !std::filesystem::exists(file)) refuse("no such file");
    const int flags = how == Opened::to_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int opened = sqlite3_open_v2(file.c_str(), &database_, flags | SQLITE_OPEN_NOMUTEX, nullptr);  // one thread uses it
    constexpr int patience_ms = 10'000;  // for another process that reads or writes a moment
    sqlite3_busy_timeout(database_, patience_ms);
    // 100,000 verdicts have 160 MB, which are read as they lie in memory.
    run(database_, "PRAGMA mmap_size = 4294967296");
    try {
        if (opened != SQLITE_OK) throw DatabaseError(database_, opened);
        const std::int64_t of = number(database_, "PRAGMA application_id"), version = number(database_, "PRAGMA user_version");
        const bool is_empty = number(database_, "SELECT count(*) FROM sqlite_master") == 0;
        if (!is_empty && of != application) refuse("is a database, but not a class's");
        if (version > format)
            refuse(fmt::format("was written by a newer version of the project (tables {}, here {}); update the project", version, format));
        if (how == Opened::to_read) {
            if (is_empty) refuse("holds no class's results");
            if (version < format) refuse("was written by an older version of the project; ./lab class FOLDER with it brings it up to date");
            return;
        }
        run(database_, "PRAGMA synchronous = FULL");
        run(database_, "PRAGMA foreign_keys = ON");
        if (version < format) update_tables();
    } catch (const DatabaseError& error) {
        const std::string why = DatabaseError::words_of(database_, error.code);
        sqlite3_close(std::exchange(database_, nullptr));
        throw tools::BadInput(fmt::format("--results {}: {}", file.string(), why));
    } catch (const tools::BadInput&) {
        sqlite3_close(std::exchange(database_, nullptr));
        throw;
    }
}

Results::~Results() {
    sqlite3_close(database_);
    if (lock_ >= 0) ::close(lock_);
}

void Results::refuse(const std::string& why) const { throw tools::BadInput(fmt::format("--results {}: {}", file_.string(), why)); }

void Results::update_tables() {
    Transaction all(database_);
    // Another process may have been quicker.
    if (number(database_, "SELECT count(*) FROM sqlite_master") == 0) {
        if (const int code = sqlite3_exec(database_, tables, nullptr, nullptr, nullptr); code != SQLITE_OK)
            throw DatabaseError(database_, code);
        run(database_, fmt::format("PRAGMA application_id = {}", application).c_str());
    } else if (number(database_, "PRAGMA user_version") < format) {
        run(database_, "ALTER TABLE submission ADD COLUMN handed_in INTEGER NOT NULL DEFAULT 0");
    }
    run(database_, fmt::format("PRAGMA user_version = {}", format).c_str());
    all.commit();
}

void Results::lock() {
    const std::string name = file_.string() + ".lock";
    lock_ = ::open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (lock_ < 0) throw tools::BadInput(fmt::format("{}: {}", name, std::strerror(errno)));
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) refuse("another class run writes there; wait for it, or give another file");
}

void Results::leave_lock_to_parent() const { ::close(lock_); }

std::string Results::setting(const std::string& name) const {
    Statement found(database_, "SELECT value FROM setting WHERE name = ?");
    return found.bind(name).next() ? found.text(0) : "";
}

void Results::set(const std::string& name, const std::string& value) {
    Statement(database_, "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
        .bind(name, value)
        .run();
}

void Results::replace_submissions(const std::vector<Submission>& submissions) {
    Transaction all(database_);
    run(database_, "DELETE FROM submission");
    Statement add(database_, "INSERT INTO submission VALUES (?, ?, ?, ?, ?)");
    for (const Submission& each : submissions) add.bind(each.student, each.lab, each.origin, each.hash(), each.handed_in).run();
    all.commit();
}

bool Results::has(const std::string& lab, const std::string& hash, const std::string& version) const {
    Statement found(database_, "SELECT 1 FROM verdict WHERE lab = ? AND hash = ? AND version = ? AND is_current");
    return found.bind(lab, hash, version).next();
}

void Results::keep_one(const Verdict& verdict) {
    const tools::LabScore& score = verdict.score;
    Statement(database_, "DELETE FROM verdict WHERE lab = ? AND hash = ?").bind(score.lab, verdict.hash).run();
    Statement(
        database_,
        "INSERT INTO verdict (lab, hash, points, max_points, undecided, is_undecided, does_not_compile, trouble, title, backend, seed, "
        "sandbox, version, device, seconds, graded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(score.lab, verdict.hash, score.earned(), score.points(), score.undecided(), score.is_undecided, score.does_not_compile,
              score.trouble, score.title, score.backend, score.seed, score.sandbox, verdict.version, verdict.device, score.seconds,
              verdict.graded_at)
        .run();
    const std::int64_t id = sqlite3_last_insert_rowid(database_);
    Statement add(database_, "INSERT INTO test VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    std::int64_t position = 0;
    for (const tools::TestScore& test : score.tests) {
        add.bind(id, position++, test.name, test.group, test.earned, test.points, test.has_run, test.is_undecided,
                 fmt::format("{}", fmt::join(test.failures, separator)), test.measured, test.seconds)
            .run();
    }
}

void Results::keep(const std::vector<Verdict>& verdicts) {
    Transaction all(database_);
    for (const Verdict& verdict : verdicts) keep_one(verdict);
    all.commit();
}

int Results::take_back(const Choice& choice) {
    Transaction all(database_);
    int count = 0;
    Statement take(
        database_,
        "UPDATE verdict SET is_current = 0 WHERE is_current AND (?1 = '' OR lab = ?1) AND (NOT ?2 OR points < max_points) AND "
        "EXISTS (SELECT 1 FROM submission s WHERE s.lab = verdict.lab AND s.hash = verdict.hash AND (?3 = '' OR s.student = ?3))");
    for (const std::string& lab : choice.labs.empty() ? std::vector<std::string>{""} : choice.labs) {
        take.bind(lab, choice.only_failed, choice.student).run();
        count += sqlite3_changes(database_);
    }
    all.commit();
    return count;
}

void Results::each(const std::vector<std::string>& students, const std::function<void(Graded&)>& use) const {
    const Transaction all(database_, "BEGIN");
    Statement row(database_, fmt::format("SELECT s.lab, s.origin, s.hash, s.handed_in, {} FROM submission s LEFT JOIN verdict v ON "
                                         "v.lab = s.lab AND v.hash = s.hash WHERE s.student = ? ORDER BY s.lab",
                                         verdict_columns)
                                 .c_str());
    Statement test(
        database_,
        "SELECT name, points_group, points, max_points, has_run, undecided, failures, measured, seconds FROM test WHERE verdict = ? "
        "ORDER BY position");
    Graded each;
    for (const std::string& student : students) {
        row.bind(student);
        while (row.next()) {
            each.student = student;
            each.lab = row.view(0);
            each.origin = row.view(1);
            each.hash = row.view(2);
            each.handed_in = row.whole(3);
            constexpr int id = 4;
            if (row.is_null(id)) {
                each.verdict.reset();
            } else {
                if (!each.verdict) each.verdict.emplace();
                read(row, id, each, &*each.verdict);
                std::vector<tools::TestScore>& tests = each.verdict->score.tests;
                std::size_t count = 0;
                for (test.bind(row.whole(id)); test.next(); ++count) {
                    if (count == tests.size()) tests.emplace_back();
                    read(test, &tests[count]);
                }
                tests.resize(count);
            }
            use(each);
        }
    }
}

std::vector<std::string> Results::texts(const char* question) const {
    Statement row(database_, question);
    std::vector<std::string> all;
    while (row.next()) all.push_back(row.text(0));
    return all;
}

std::vector<std::string> Results::students() const { return texts("SELECT DISTINCT student FROM submission ORDER BY student"); }
std::vector<std::string> Results::labs() const { return texts("SELECT DISTINCT lab FROM submission ORDER BY length(lab), lab"); }

std::map<std::string, std::map<std::string, std::vector<std::string>>> Results::authors() const {
    Statement row(database_, "SELECT lab, hash, student FROM submission ORDER BY lab, hash");
    std::map<std::string, std::map<std::string, std::vector<std::string>>> all;
    while (row.next()) all[row.text(0)][row.text(1)].push_back(row.text(2));
    return all;
}

std::vector<TestFigures> Results::tests() const {
    struct Counts {
        std::size_t passed = 0, failed = 0;
        std::unordered_map<std::string, std::size_t> causes;
    };
    // By position in the suite and name, since suites of two versions may differ.
    std::map<std::string, std::vector<std::map<std::string, Counts>>> labs;
    each(students(), [&](const Graded& graded) {
        if (!graded.verdict) return;
        const tools::LabScore& score = graded.verdict->score;
        auto& positions = labs[graded.lab];
        positions.resize(std::max(positions.size(), score.tests.size()));
        for (std::size_t i = 0; i < score.tests.size(); ++i) {
            const tools::TestScore& test = score.tests[i];
            Counts& counts = positions[i][test.name];
            if (test.passed()) {
                ++counts.passed;
                continue;
            }
            ++counts.failed;
            const bool is_known = !test.has_run && score.does_not_compile;
            ++counts.causes[is_known ? "does not compile" : tools::first_line(test.has_run ? test.failures.front() : score.trouble)];
        }
    });
    std::vector<TestFigures> made;
    for (const auto& [lab, positions] : labs) {
        for (const auto& tests : positions) {
            for (const auto& [name, counts] : tests) {
                made.push_back({lab, name, counts.passed, counts.failed, {counts.causes.begin(), counts.causes.end()}});
                std::sort(made.back().causes.begin(), made.back().causes.end(),
                          [](const auto& a, const auto& b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });
            }
        }
    }
    return made;
}

}  // namespace lab::classroom
