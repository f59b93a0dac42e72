// Markdown in the form that Doxygen reads.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "common/tools/docs/site_pages.h"
#include "common/tools/lines.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

bool is_ascii_letter_or_digit(char c) { return static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) != 0; }

struct Link {
    std::string text, target;
    std::size_t end = 0;  // behind the link; 0: there is none
};

// Position behind the code span that begins at `at`; npos if it isn't closed.
std::size_t end_of_code(const std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_not_of('`', at);
    if (begin == std::string::npos) return begin;
    const std::string quotes(begin - at, '`');
    const std::size_t end = text.find(quotes, begin);
    return end == std::string::npos ? end : end + quotes.size();
}

// The link whose `[` is at `at`.
Link link_at(const std::string& text, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        if (text[i] == '`') {
            const std::size_t end = end_of_code(text, i);
            if (end != std::string::npos) i = end - 1;
        } else if (text[i] == '[') {
            ++depth;
        } else if (text[i] == ']' && --depth == 0) {
            const std::size_t close = text.find(')', i);
            if (i + 1 >= text.size() || text[i + 1] != '(' || close == std::string::npos) return {};
            return {text.substr(at + 1, i - at - 1), text.substr(i + 2, close - i - 2), close + 1};
        }
    }
    return {};
}

std::string in_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

// Appends the words of Markdown: links and pictures give their texts, code its content.
void add_words_of(std::string& words, const std::string& markdown) {
    for (std::size_t i = 0; i < markdown.size();) {
        const bool is_image = markdown.compare(i, 2, "![") == 0;
        const Link link = is_image || markdown[i] == '[' ? link_at(markdown, i + (is_image ? 1 : 0)) : Link{};
        if (link.end > 0) {
            add_words_of(words, link.text);
            i = link.end;
            continue;
        }
        const char c = markdown[i++];
        const bool is_space = c == ' ' || c == '\n' || c == '|' || c == '`' || c == '*';
        if (!is_space) words += c;
        if (is_space && !words.empty() && words.back() != ' ' && c != '`') words += ' ';
    }
}

// Rewrites one file.
class SiteMarkdown {
public:
    SiteMarkdown(const SitePages& pages, const fs::path& file) : pages_(pages), file_(file), name_(page_name(file)) {}

    SiteText whole(const std::string& markdown) {
        std::string paragraph;
        bool in_code = false;
        for (const std::string& line : lines_of(markdown)) {
            const bool is_fence = line.rfind("```", 0) == 0;
            if (!in_code && !is_fence && !line.empty() && line.front() != '#') {
                paragraph += line + "\n";
                continue;
            }
            take(paragraph);
            paragraph.clear();
            if (is_fence) {
                in_code = !in_code;
                // As it stands: Doxygen would link its names to functions of ours that happen to have the same.
                result_.markdown += in_code ? "```{.unparsed}\n" : "```\n";
            } else if (!in_code && !line.empty()) {
                heading(line);
            } else {
                result_.markdown += line + "\n";
                add_words(line + "\n");
            }
        }
        take(paragraph);
        return result_;
    }

private:
    void add_words(const std::string& text) {
        if (!result_.sections.empty()) add_words_of(result_.sections.back().text, text);
    }

    void take(const std::string& paragraph) {
        result_.markdown += inline_text(paragraph);
        add_words(paragraph);
    }

    void heading(const std::string& line) {
        const std::size_t begin = line.find_first_not_of("# ");
        const std::string title = line.substr(begin);
        std::string anchor;
        if (result_.sections.empty()) {
            result_.markdown += fmt::format("# {} {{#{}}}\n\n[TOC]\n", inline_text(title), name_ == "index" ? "mainpage" : name_);
        } else {
            anchor = fmt::format("{}_{}", name_, heading_anchor(title));
            if (const int before = anchors_[anchor]++; before > 0) anchor += fmt::format("-{}", before);
            result_.markdown += fmt::format("{}{} {{#{}}}\n", line.substr(0, begin), inline_text(title), anchor);
        }
        result_.sections.push_back({{}, anchor, {}});
        add_words_of(result_.sections.back().title, title);
    }

    std::string inline_text(const std::string& text) const {
        std::string result;
        for (std::size_t i = 0; i < text.size();) {
            const bool is_image = text.compare(i, 2, "![") == 0;
            if (text[i] == '`' && end_of_code(text, i) != std::string::npos) {
                const std::size_t end = end_of_code(text, i);
                result += code(text.substr(i, end - i));
                i = end;
            } else if (is_image || text[i] == '[') {
                const Link link = link_at(text, i + (is_image ? 1 : 0));
                if (link.end > 0) result += is_image ? image(link) : followed(link);
                i = link.end > 0 ? link.end : i + 1;
                if (link.end == 0) result += text[i - 1];
            } else {
                result += text[i++];
            }
        }
        return result;
    }

    // Doxygen ends single backticks at a quote, too; double ones it doesn't.
    std::string code(const std::string& span) const {
        const std::string content = span.substr(1, span.size() - 2);
        if (content.find('`') != std::string::npos) return span;
        // Doxygen takes `file:line` for the address of a file.
        const std::size_t scheme = content.rfind("file:", 0) == 0 ? content.find(':') : 0;
        const std::string before = scheme > 0 ? "<code>" + content.substr(0, scheme) + "</code>" : "";
        const std::string doubled = before + "``" + in_one_line(content.substr(scheme)) + "``";
        const fs::path path = fs::path(content).lexically_normal();
        const bool is_page = path.has_extension() && pages_.by_name.count(page_name(path)) > 0 && path != file_;
        return is_page ? fmt::format("[{}]({}.html)", doubled, page_name(path)) : doubled;
    }

    std::string image(const Link& link) const {
        const fs::path picture = (file_.parent_path() / link.target).lexically_normal();
        return fmt::format(R"(<img src="{}" alt="{}"/>)", picture.string(), escaped_html(in_one_line(link.text)));
    }

    std::string followed(const Link& link) const {
        const std::string text = in_one_line(inline_text(link.text));
        if (link.target.find(':') != std::string::npos) return fmt::format("[{}]({})", text, link.target);
        const std::size_t hash = link.target.find('#');
        const fs::path path = link.target.substr(0, hash);
        const fs::path target = path.empty() ? file_ : (file_.parent_path() / path).lexically_normal();
        const std::string name = page_name(target);
        if (pages_.by_name.count(name) == 0) {
            return target.filename() == link.text ? code("`" + target.string() + "`") : fmt::format("{} (``{}``)", text, target.string());
        }
        const std::string anchor = hash == std::string::npos ? "" : fmt::format("#{}_{}", name, link.target.substr(hash + 1));
        return fmt::format("[{}]({}.html{})", text, name, anchor);
    }

    const SitePages& pages_;
    const fs::path file_;
    const std::string name_;
    SiteText result_;
    std::map<std::string, int> anchors_;
};

}  // namespace

std::string page_name(const fs::path& file) {
    if (file == "README.md") return "index";
    const fs::path path = file.filename() == "README.md" ? file.parent_path() : fs::path(file).replace_extension();
    std::string name;
    for (const char c : path.string()) {
        if (is_ascii_letter_or_digit(c)) {
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!name.empty()) {
            name += '_';
        }
    }
    return name;
}

std::string heading_anchor(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        if (is_ascii_letter_or_digit(c) || c == '_' || c == '-') anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (c == ' ') anchor += '-';
    }
    return anchor;
}

std::string escaped_html(const std::string& text) {
    static const std::map<char, std::string> entities{{'"', "&quot;"}, {'<', "&lt;"}, {'&', "&amp;"}};
    std::string escaped;
    for (const char c : text) {
        const auto entity = entities.find(c);
        entity == entities.end() ? escaped += c : escaped += entity->second;
    }
    return escaped;
}

SiteText for_site(const SitePages& pages, const fs::path& file, const std::string& markdown) {
    return SiteMarkdown(pages, file).whole(markdown);
}

}  // namespace lab::tools
