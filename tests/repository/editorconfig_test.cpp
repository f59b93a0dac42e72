// Every tracked text file has the form that .editorconfig requires, and that agrees with .clang-format.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/repository/repository.h"

namespace lab::repository {
namespace {

using Properties = std::map<std::string, std::string>;
struct Section {
    std::vector<std::string> patterns;
    Properties properties;
};

// "*.{a,b}" as "*.a" and "*.b": the only use of braces here.
std::vector<std::string> without_braces(const std::string& pattern) {
    const std::size_t open = pattern.find('{');
    const std::size_t close = pattern.find('}');
    if (open == std::string::npos || close == std::string::npos) return {pattern};
    std::vector<std::string> patterns;
    std::istringstream words(pattern.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(words, word, ',');) patterns.push_back(pattern.substr(0, open) + word + pattern.substr(close + 1));
    return patterns;
}

std::vector<Section> sections_of(const std::string& editorconfig) {
    std::vector<Section> sections;
    for (const std::string& line : lines_of(editorconfig)) {
        const std::size_t equals = line.find(" = ");
        if (line.empty() || line[0] == '#') continue;
        if (line[0] == '[') {
            sections.push_back({without_braces(line.substr(1, line.size() - 2)), {}});
        } else if (!sections.empty() && equals != std::string::npos) {
            sections.back().properties[line.substr(0, equals)] = line.substr(equals + 3);
        }
    }
    return sections;
}

// Properties of a file: the last section that sets one decides.
Properties properties_of(const std::vector<Section>& sections, const std::string& file) {
    Properties result;
    for (const Section& section : sections) {
        for (const std::string& pattern : section.patterns) {
            if (fnmatch(pattern.c_str(), file.substr(file.rfind('/') + 1).c_str(), 0) != 0) continue;
            for (const auto& [name, value] : section.properties) result[name] = value;
        }
    }
    return result;
}

// The first violation of a file's properties; "" if there is none.
std::string breach_in(const std::string& text, const Properties& properties) {
    struct Rule {
        const char* property;
        const char* value;
        const char* forbidden;
        const char* name;
    };
    static const std::vector<Rule> rules{{"end_of_line", "lf", "\r", "a carriage return"},
                                         {"indent_style", "space", "\t", "a tab"},
                                         {"trim_trailing_whitespace", "true", " \n", "a blank at the end"},
                                         {"trim_trailing_whitespace", "true", "\t\n", "a blank at the end"}};
    const auto asks = [&](const char* name, const char* value) {
        const auto found = properties.find(name);
        return found != properties.end() && found->second == value;
    };
    for (const Rule& rule : rules) {
        const std::size_t at = asks(rule.property, rule.value) ? text.find(rule.forbidden) : std::string::npos;
        if (at == std::string::npos) continue;
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return std::string(rule.name) + " in line " + std::to_string(line);
    }
    return asks("insert_final_newline", "true") && !text.empty() && text.back() != '\n' ? "no newline at its end" : "";
}

TEST(EditorConfig, IsReadAsEditorsReadIt) {
    const std::vector<Section> sections = sections_of("root = true\n[*]\na = 1\nb = 2\n# no\n[*.{h,cu}]\nb = 3\n");
    EXPECT_EQ(properties_of(sections, "x/y.cu"), (Properties{{"a", "1"}, {"b", "3"}}));
    EXPECT_EQ(properties_of(sections, "x.h/y.cpp"), (Properties{{"a", "1"}, {"b", "2"}}));
}

TEST(EditorConfig, FindsEachBreach) {
    const Properties all{
        {"insert_final_newline", "true"}, {"end_of_line", "lf"}, {"indent_style", "space"}, {"trim_trailing_whitespace", "true"}};
    EXPECT_EQ(breach_in("a\n", all), "");
    EXPECT_EQ(breach_in("", all), "");
    EXPECT_EQ(breach_in("a", all), "no newline at its end");
    EXPECT_EQ(breach_in("a\n\tb\n", all), "a tab in line 2");
    EXPECT_EQ(breach_in("a \n", all), "a blank at the end in line 1");
    EXPECT_EQ(breach_in("a\r\n", all), "a carriage return in line 1");
    EXPECT_EQ(breach_in("\ta \r", {}), "");
}

TEST(EditorConfig, HoldsForEveryTrackedFile) {
    const std::vector<std::string> files = tracked_files();
    if (files.empty()) GTEST_SKIP() << "no git checkout";
    const std::vector<Section> sections = sections_of(text_of(".editorconfig"));
    ASSERT_FALSE(sections.empty());
    int texts = 0;
    for (const std::string& file : files) {
        const std::string text = text_of(file);
        if (text.find('\0') != std::string::npos) continue;
        EXPECT_EQ(breach_in(text, properties_of(sections, file)), "") << file;
        ++texts;
    }
    EXPECT_GT(texts, 1000);
}

TEST(EditorConfig, AgreesWithClangFormat) {
    const std::string format = text_of(".clang-format");
    const Properties properties = properties_of(sections_of(text_of(".editorconfig")), "any.cpp");
    EXPECT_NE(format.find("\nIndentWidth: " + properties.at("indent_size") + "\n"), std::string::npos);
    EXPECT_NE(format.find("\nColumnLimit: " + properties.at("max_line_length") + "\n"), std::string::npos);
    EXPECT_EQ(properties.at("indent_style"), "space");
    EXPECT_EQ(format.find("UseTab"), std::string::npos) << "Google's style never uses tabs";
}

}  // namespace
}  // namespace lab::repository
