#include "common/tools/docs/site_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

std::string title_of(const std::string& markdown) {
    const std::size_t begin = markdown.rfind("# ", 0) == 0 ? 2 : 0;
    return markdown.substr(begin, markdown.find('\n') - begin);
}

// Markdown files below a folder, from the root, by path.
std::vector<fs::path> markdown_below(const fs::path& root, const char* folder) {
    std::vector<fs::path> files;
    if (!fs::exists(root / folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (entry.path().extension() == ".md") files.push_back(entry.path().lexically_relative(root));
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Tests' pages are their READMEs: the other Markdown there is hints and examples.
std::vector<fs::path> markdown_files(const fs::path& root) {
    std::vector<fs::path> files{"README.md"};
    for (const char* const folder : {"handouts", "common", "tests", ".github"}) {
        for (const fs::path& file : markdown_below(root, folder)) {
            if (std::string(folder) != "tests" || file.filename() == "README.md") files.push_back(file);
        }
    }
    return files;
}

// Names of the handouts that one section of handouts/README.md links to, in order.
std::vector<std::string> handouts_in(const std::string& readme, const std::string& section) {
    std::vector<std::string> names;
    const std::size_t begin = readme.find("\n## " + section + "\n");
    if (begin == std::string::npos) return names;
    const std::string text = readme.substr(begin, readme.find("\n## ", begin + 1) - begin);
    static const std::regex link(R"(\]\((\w+\.md)\))");
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
        names.push_back(page_name("handouts/" + (*at)[1].str()));
    return names;
}

// Puts each of the pages into the group unless another one has it.
void add_to(SitePages& pages, SiteGroup& group, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto has_it = [&](const SiteGroup& one) { return std::find(one.pages.begin(), one.pages.end(), name) != one.pages.end(); };
        if (pages.by_name.count(name) > 0 && !has_it(group) && std::none_of(pages.groups.begin(), pages.groups.end(), has_it))
            group.pages.push_back(name);
    }
}

std::vector<std::string> names_of(const std::vector<fs::path>& files) {
    std::vector<std::string> names;
    for (const fs::path& file : files) names.push_back(page_name(file));
    return names;
}

void add_groups(SitePages& pages, const std::vector<fs::path>& files, const std::string& handouts) {
    const auto add = [&](const char* title, const std::vector<std::vector<std::string>>& lists) {
        SiteGroup group{title, {}};
        for (const std::vector<std::string>& names : lists) add_to(pages, group, names);
        pages.groups.push_back(group);
    };
    std::vector<fs::path> others, code;
    for (const fs::path& file : files) {
        if (file != "README.md") (file.begin()->string() == "handouts" ? others : code).push_back(file);
    }
    add("Course", {{"handouts"}, handouts_in(handouts, "Course plan")});
    add("Reference", {handouts_in(handouts, "More pages"), names_of(others)});
    add("The code", {{"common", "common_adding", "tests"}, names_of(code)});
}

// Files of labs and solutions.
std::vector<fs::path> lab_files(const fs::path& root) {
    std::vector<fs::path> files;
    for (const char* const folder : {"labs", "solutions"}) {
        for (const Lab& lab : labs_in(root / folder)) files.push_back(fs::path(folder) / lab.folder / lab.file);
    }
    return files;
}

// A source file as a page: what a handout names, a reader can open.
SitePage source_page(const fs::path& root, const fs::path& file) {
    const std::string source = read_whole(root / file);
    const std::string text = fmt::format("# {} {{#{}}}\n\n```{{.unparsed}}\n{}```\n", file.string(), page_name(file), source);
    return {file, file.string(), {text, {{file.string(), "", source}}}};
}

std::string tab(const std::string& url, const std::string& title) {
    return fmt::format("      <tab type=\"user\" url=\"{}\" title=\"{}\"/>\n", url, escaped_html(title));
}
std::string group_of_tabs(const std::string& title, const std::string& tabs) {
    if (tabs.empty()) return {};
    return fmt::format("    <tab type=\"usergroup\" url=\"[none]\" title=\"{}\">\n{}    </tab>\n", title, tabs);
}

}  // namespace

SitePages site_pages(const Project& project) {
    SitePages pages;
    const std::vector<fs::path> files = markdown_files(project.root);
    for (const fs::path& file : files) pages.by_name[page_name(file)] = {file, {}, {}};
    const std::vector<fs::path> sources = lab_files(project.root);
    for (const fs::path& file : sources) pages.by_name[page_name(file)] = source_page(project.root, file);
    for (const fs::path& file : files) {
        const std::string markdown = read_whole(project.root / file);
        pages.by_name[page_name(file)].title = title_of(markdown);
        pages.by_name[page_name(file)].text = for_site(pages, file, markdown);
    }
    add_groups(pages, files, read_whole(project.root / "handouts/README.md"));
    pages.groups.push_back({labs_in(project.root / "solutions").empty() ? "Labs" : "Labs and solutions", names_of(sources)});
    return pages;
}

std::string site_layout(const SitePages& pages, const std::vector<std::pair<std::string, std::string>>& examples) {
    std::string tabs = "    <tab type=\"mainpage\" visible=\"yes\" title=\"Start\"/>\n";
    for (const SiteGroup& group : pages.groups) {
        std::string of_group;
        for (const std::string& name : group.pages) of_group += tab(name + ".html", pages.by_name.at(name).title);
        tabs += group_of_tabs(group.title, of_group);
    }
    tabs += group_of_tabs("API",
                          "      <tab type=\"classlist\" visible=\"yes\" title=\"Classes\"/>\n"
                          "      <tab type=\"namespacelist\" visible=\"yes\" title=\"Namespaces\"/>\n"
                          "      <tab type=\"filelist\" visible=\"yes\" title=\"Files\"/>\n"
                          "      <tab type=\"globals\" visible=\"yes\" title=\"Functions, types, macros\"/>\n");
    std::string of_examples;
    for (const auto& [title, url] : examples) of_examples += tab(url, title);
    tabs += group_of_tabs("Examples", of_examples);
    return "<doxygenlayout version=\"1.0\">\n  <navindex>\n" + tabs + "  </navindex>\n</doxygenlayout>\n";
}

}  // namespace lab::tools
