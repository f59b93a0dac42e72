// The page as one file: its parts, its policy's nonce, and JSON that can't leave its element.
#include "common/report/page.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace lab::report {
namespace {
namespace fs = std::filesystem;

class Page : public ::testing::Test {
protected:
    Page() : folder_(fs::path(::testing::TempDir()) / ("page-" + std::to_string(::getpid()))) { fs::create_directories(folder_); }
    ~Page() override { fs::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
    fs::path folder_;
};

constexpr const char* frame =
    "<meta content=\"{{nonce}} {{nonce}}\"><title>{{title}}</title><style nonce=\"{{nonce}}\">{{file a.css}}</style>"
    "<script type=\"application/json\">{{report}}</script><script nonce=\"{{nonce}}\">{{file a.js}}{{file b.js}}</script>";

// 128 random bits, from the frame's policy.
std::string nonce_of(const std::string& html) { return html.substr(html.find("content=\"") + 9, 32); }

TEST_F(Page, HoldsItsFilesAndANonceOfItsOwn) {
    write("page.html", frame);
    write("a.css", "p{}");
    write("a.js", "let a = '{{title}}{{nonce}}';");
    write("b.js", "let b;");
    const std::string html = page(folder_, "A & <b>", R"({"x": 1})");
    const std::string nonce = nonce_of(html);
    EXPECT_EQ(nonce.find_first_not_of("0123456789abcdef"), std::string::npos) << html;
    EXPECT_NE(html.find("<meta content=\"" + nonce + " " + nonce + "\">"), std::string::npos) << html;
    EXPECT_NE(html.find("<style nonce=\"" + nonce + "\">p{}</style>"), std::string::npos) << html;
    EXPECT_NE(html.find("<script nonce=\"" + nonce + "\">let a = '{{title}}{{nonce}}';let b;</script>"), std::string::npos) << html;
    EXPECT_NE(nonce, nonce_of(page(folder_, "A & <b>", R"({"x": 1})")));
    EXPECT_NE(html.find("<title>A &amp; &lt;b&gt;</title>"), std::string::npos) << html;
}

TEST_F(Page, LetsNoTagBeginInTheJson) {
    write("page.html", frame);
    for (const char* const name : {"a.css", "a.js", "b.js"}) write(name, "");
    const nlohmann::json report = {{"text", "</script><script>alert(1)</script><!-- {{title}}"}};
    const std::string html = page(folder_, "t", report.dump());
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
