#include "common/classroom/sqlite.h"

#include <gtest/gtest.h>

#include "tests/tools/sandbox.h"

namespace lab::classroom {
namespace {

// A database that may not grow stands for a full disk: SQLite's error is the same.
TEST(DatabaseError, NamesTheFileAndWhatToDoAboutAFullDisk) {
    const tools::Sandbox box;
    const std::string file = (box.folder() / "class.db").string();
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    Statement(database, "CREATE TABLE kept (text)").run();
    Statement(database, "PRAGMA max_page_count = 3").next();
    std::string said;
    try {
        Statement(database, "INSERT INTO kept VALUES (zeroblob(100000))").run();
    } catch (const DatabaseError& error) {
        EXPECT_EQ(error.code, SQLITE_FULL);
        said = error.what();
    }
    EXPECT_EQ(said, file + ": database or disk is full: free space there and start the same command again; what was graded is kept");
    sqlite3_close(database);
}

}  // namespace
}  // namespace lab::classroom
