// The page as one file: its parts, its policy's digests, and JSON that can't leave its element.
#include "common/report/page.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/report/sha256.h"

namespace lab::report {
namespace {
namespace fs = std::filesystem;

// FIPS 180-4's examples: the digest of "abc" begins with ba7816bf.
TEST(Sha256, IsThatOfTheStandardsExamples) {
    EXPECT_EQ(sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    EXPECT_EQ(sha256_base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    EXPECT_EQ(sha256_base64("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
    EXPECT_EQ(sha256_base64(std::string(1'000'000, 'a')), "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}

class Page : public ::testing::Test {
protected:
    Page() : folder_(fs::path(::testing::TempDir()) / ("page-" + std::to_string(::getpid()))) { fs::create_directories(folder_); }
    ~Page() override { fs::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
    fs::path folder_;
};

constexpr const char* frame =
    "<meta content=\"{{hash style}} {{hash script}}\"><title>{{title}}</title><style>{{file a.css}}</style>"
    "<script type=\"application/json\">{{report}}</script><script>{{file a.js}}{{file b.js}}</script>";

TEST_F(Page, HoldsItsFilesAndTheirDigests) {
    write("page.html", frame);
    write("a.css", "p{}");
    write("a.js", "let a = '{{title}}';");
    write("b.js", "let b;");
    const std::string html = page(folder_, "A & <b>", {{"x", 1}});
    EXPECT_NE(html.find("<style>p{}</style>"), std::string::npos) << html;
    EXPECT_NE(html.find("<script>let a = '{{title}}';let b;</script>"), std::string::npos) << html;
    EXPECT_NE(html.find("<meta content=\"" + sha256_base64("p{}") + " " + sha256_base64("let a = '{{title}}';let b;") + "\">"),
              std::string::npos)
        << html;
    EXPECT_NE(html.find("<title>A &amp; &lt;b&gt;</title>"), std::string::npos) << html;
}

TEST_F(Page, LetsNoTagBeginInTheJson) {
    write("page.html", frame);
    for (const char* const name : {"a.css", "a.js", "b.js"}) write(name, "");
    const nlohmann::json report = {{"text", "</script><script>alert(1)</script><!-- {{title}}"}};
    const std::string html = page(folder_, "t", report);
    const std::string begin = "<script type=\"application/json\">";
    const std::size_t at = html.find(begin) + begin.size();
    const std::string embedded = html.substr(at, html.find("</script>", at) - at);
    EXPECT_EQ(embedded.find('<'), std::string::npos) << embedded;
    EXPECT_EQ(nlohmann::json::parse(embedded), report);
}

TEST_F(Page, SaysWhatIsMissing) {
    EXPECT_THROW((void)page(folder_, "t", {}), BadPage);
    write("page.html", frame);
    try {
        (void)page(folder_, "t", {});
        ADD_FAILURE() << "no a.css, and no complaint";
    } catch (const BadPage& problem) {
        EXPECT_STREQ(problem.what(), "a.css: can't be read");
    }
}

}  // namespace
}  // namespace lab::report
