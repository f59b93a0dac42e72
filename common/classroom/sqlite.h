// SQLite's statements as objects.
#pragma once

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lab::classroom {

// What SQLite refused: the file, SQLite's own words, and what to do about a full disk.
class DatabaseError : public std::runtime_error {
public:
    DatabaseError(sqlite3* database, int code) : std::runtime_error(file_of(database) + words_of(database, code)), code(code) {}
    [[nodiscard]] static std::string words_of(sqlite3* database, int code) {
        const std::string words = sqlite3_errmsg(database);
        return code != SQLITE_FULL ? words : words + ": free space there and start the same command again; what was graded is kept";
    }
    int code;

private:
    // "" of a database in memory, and of one that could not be opened.
    [[nodiscard]] static std::string file_of(sqlite3* database) {
        const char* const file = sqlite3_db_filename(database, "main");
        return file == nullptr || *file == '\0' ? "" : std::string(file) + ": ";
    }
};

// One statement: parameters are bound in order, rows are read column by column.
class Statement {
public:
    Statement(sqlite3* database, const char* text) : database_(database) {
        check(sqlite3_prepare_v2(database, text, -1, &statement_, nullptr));
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    template <typename... Values>
    Statement& bind(const Values&... values) {
        sqlite3_reset(statement_);
        int at = 0;
        (check(bind_one(++at, values)), ...);
        return *this;
    }
    // Whether there is another row.
    bool next() {
        const int code = sqlite3_step(statement_);
        if (code == SQLITE_ROW) return true;
        if (code != SQLITE_DONE) throw DatabaseError(database_, code);
        return false;
    }
    void run() {
        while (next()) {
        }
    }
    // A text, until the next row is read.
    [[nodiscard]] std::string_view view(int column) const {
        const auto* const found = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
        return {found, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
    }
    [[nodiscard]] std::string text(int column) const { return std::string(view(column)); }
    [[nodiscard]] double real(int column) const { return sqlite3_column_double(statement_, column); }
    [[nodiscard]] std::int64_t whole(int column) const { return sqlite3_column_int64(statement_, column); }
    [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

private:
    int bind_one(int at, std::string_view value) {
        return sqlite3_bind_text(statement_, at, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    }
    int bind_one(int at, double value) { return sqlite3_bind_double(statement_, at, value); }
    int bind_one(int at, std::integral auto value) { return sqlite3_bind_int64(statement_, at, value); }
    void check(int code) const {
        if (code != SQLITE_OK) throw DatabaseError(database_, code);
    }

    sqlite3* database_;
    sqlite3_stmt* statement_ = nullptr;
};

// Takes back what was written within it unless it was committed.
class Transaction {
public:
    explicit Transaction(sqlite3* database, const char* begin = "BEGIN IMMEDIATE") : database_(database) {
        Statement(database, begin).run();
    }
    ~Transaction() {
        if (is_open_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit() {
        Statement(database_, "COMMIT").run();
        is_open_ = false;
    }

private:
    sqlite3* database_;
    bool is_open_ = true;
};

}  // namespace lab::classroom
