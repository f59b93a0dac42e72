#include "common/classroom/json_schema.h"

#include <gtest/gtest.h>

namespace lab::classroom {
namespace {

using nlohmann::json;

// The only violation of a schema; "" if there is none.
std::string violation(const char* value, const char* schema) {
    const std::vector<Violation> all = violations(json::parse(value), json::parse(schema));
    EXPECT_LE(all.size(), 1U);
    return all.empty() ? "" : all.front().place + ": " + all.front().what;
}

TEST(JsonSchema, EachKeywordIsChecked) {
    EXPECT_EQ(violation("1", R"({"type": "integer"})"), "");
    EXPECT_EQ(violation("1.0", R"({"type": "integer"})"), ": 1.0 is no integer");
    EXPECT_EQ(violation("\"a\"", R"({"const": "b"})"), ": \"a\" is not \"b\"");
    EXPECT_EQ(violation("2", R"({"enum": [1, 3]})"), ": 2 is none of [1,3]");
    EXPECT_EQ(violation("{}", R"({"required": ["a"]})"), "/a: missing");
    EXPECT_EQ(violation("[1, \"x\"]", R"({"items": {"type": "number"}})"), "/1: \"x\" is no number");
    EXPECT_EQ(violation("-1", R"({"minimum": 0})"), ": -1 is less than 0");
    EXPECT_EQ(violation("1.5", R"({"maximum": 1})"), ": 1.5 is more than 1");
    EXPECT_EQ(violation("\"\u00e4\u00e4\"", R"({"maxLength": 2})"), "");
    EXPECT_EQ(violation("\"abc\"", R"({"maxLength": 2})"), ": too long");
    EXPECT_EQ(violation("\"abc\"", R"({"pattern": "^b"})"), ": has another form");
    EXPECT_EQ(violation("1", R"({"anyOf": [{"type": "string"}, {"minimum": 2}]})"), ": none of the forms that it may have");
    EXPECT_EQ(violation("{\"a\": 1, \"b\": 2}", R"({"properties": {"a": {"minimum": 3}}})"), "/a: 1 is less than 3");
    EXPECT_EQ(violation("{\"a\": 1, \"b\": 2}", R"({"properties": {"a": {}}, "additionalProperties": false})"), "/b: unknown; nearest: a");
    EXPECT_EQ(violation("{\"b\": 2}", R"({"additionalProperties": {"type": "string"}})"), "/b: 2 is no string");
    EXPECT_EQ(violation("[1]", R"({"items": {"$ref": "#/$defs/x"}, "$defs": {"x": {"minimum": 2}}})"), "/0: 1 is less than 2");
    EXPECT_EQ(violation("1", R"({"minimun": 3})"), ": unknown keyword minimun");
}

}  // namespace
}  // namespace lab::classroom
