#include "common/report/page.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string_view>

#include "common/report/svg.h"

namespace lab::report {
namespace fs = std::filesystem;
namespace {

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw BadPage(fmt::format("{}: can't be read", file.filename().string()));
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Replaces each {{file NAME}}, once: what a file contains is left as it is.
std::string with_files(const std::string& text, const fs::path& folder) {
    constexpr std::string_view begin = "{{file ";
    constexpr std::string_view end = "}}";
    std::string whole;
    std::size_t done = 0;
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, done)) {
        const std::size_t name = at + begin.size();
        const std::size_t last = text.find(end, name);
        if (last == std::string::npos) throw BadPage("page.html: {{file without an end");
        whole += text.substr(done, at - done) + text_of(folder / text.substr(name, last - name));
        done = last + end.size();
    }
    return whole + text.substr(done);
}

void fill(std::string* text, std::string_view name, const std::string& value) {
    const std::size_t at = text->find(name);
    if (at == std::string::npos) throw BadPage(fmt::format("page.html: there is no {}", name));
    text->replace(at, name.size(), value);
}

// JSON that an HTML parser reads as text: no tag can begin in it.
std::string embedded(const std::string& json) {
    std::string text;
    text.reserve(json.size());
    std::size_t done = 0;
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', done)) {
        text.append(json, done, at - done).append("\\u003c");
        done = at + 1;
    }
    return text.append(json, done);
}

}  // namespace

std::string page(const fs::path& folder, const std::string& title, const std::string& report) {
    std::random_device random;
    const std::string nonce = fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
    std::string html = text_of(folder / "page.html");
    for (int place = 0; place < 4; ++place) fill(&html, "{{nonce}}", nonce);  // twice in the policy, style, script
    html = with_files(html, folder);
    html.reserve(html.size() + title.size() + report.size() * 17 / 16);
    fill(&html, "{{report}}", embedded(report));
    fill(&html, "{{title}}", escaped(title));  // stands before the report, which may hold the same word
    return html;
}

}  // namespace lab::report
