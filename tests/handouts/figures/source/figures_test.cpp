// The figures as files: equal to handouts/figures, readable, and each shown by one handout.
#include "handouts/figures/source/figures.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

namespace lab::report {
namespace {
namespace fs = std::filesystem;

const fs::path handouts = fs::path(LAB_SOURCE_FOLDER) / "handouts";

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Figures, AreAsTheirFilesInTheHandouts) {
    for (const Figure& figure : all_figures()) {
        const fs::path file = handouts / "figures" / (figure.name + ".svg");
        EXPECT_TRUE(figure.draw().svg() == text_of(file)) << figure.name << ": look at what ./lab figures " << figure.name << " changes";
    }
}

TEST(Figures, HaveNoOtherFilesBesideThem) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(handouts / "figures")) files += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(files, all_figures().size());
}

TEST(Figures, AreSmallAndNeedNothingFromOutside) {
    for (const Figure& figure : all_figures()) {
        const std::string svg = figure.draw().svg();
        EXPECT_LT(svg.size(), 60'000U) << figure.name;
        EXPECT_NE(svg.find("<title"), std::string::npos) << figure.name;
        EXPECT_NE(svg.find("<desc"), std::string::npos) << figure.name;
        EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos) << figure.name;
        for (const char* foreign : {"<script", "href", "@import", "url(http", "<image", "<foreignObject"})
            EXPECT_EQ(svg.find(foreign), std::string::npos) << figure.name << " " << foreign;
    }
}

TEST(Figures, HaveReadableTextsInsideThatDoNotOverlap) {
    constexpr double least_size = 11;
    for (const Figure& figure : all_figures()) {
        const Drawing drawing = figure.draw();
        EXPECT_GE(drawing.extent().x, 0) << figure.name;
        EXPECT_GE(drawing.extent().y, 0) << figure.name;
        EXPECT_LE(drawing.extent().right(), Drawing::width) << figure.name;
        const std::vector<PlacedText>& texts = drawing.texts();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_GE(texts[i].size, least_size) << figure.name << ": " << texts[i].text;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(texts[i].box.overlaps(texts[j].box))
                    << figure.name << ": '" << texts[j].text << "' and '" << texts[i].text << "'";
        }
    }
}

// Alternative texts by figure, of all handouts.
std::multimap<std::string, std::string> shown_in_handouts() {
    std::multimap<std::string, std::string> shown;
    const std::regex image(R"(!\[([^\]]*)\]\((?:handouts/)?figures/([a-z0-9_]+)\.svg\))");
    std::vector<fs::path> pages{handouts.parent_path() / "README.md"};
    for (const auto& entry : fs::directory_iterator(handouts)) {
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
    for (const fs::path& page : pages) {
        const std::string text = text_of(page);
        for (std::sregex_iterator at(text.begin(), text.end(), image), end; at != end; ++at) shown.emplace((*at)[2], (*at)[1]);
    }
    return shown;
}

TEST(Figures, AreShownOnceWithAnAlternativeText) {
    constexpr std::size_t a_sentence = 40;
    const auto shown = shown_in_handouts();
    EXPECT_EQ(shown.size(), all_figures().size());
    for (const Figure& figure : all_figures()) {
        ASSERT_EQ(shown.count(figure.name), 1U) << figure.name;
        EXPECT_GT(shown.find(figure.name)->second.size(), a_sentence) << figure.name;
    }
}

}  // namespace
}  // namespace lab::report
