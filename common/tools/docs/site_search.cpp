#include "common/tools/docs/site_search.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

constexpr const char* page_file = "_8md.html";  // ending of Doxygen's description of a page's file

// Doxygen's scripts with all kinds of names: "all_0.js", "all_1a.js".
std::vector<fs::path> doxygens_scripts(const fs::path& folder) {
    std::vector<fs::path> scripts;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".js" && entry.path().filename().string().rfind("all_", 0) == 0) scripts.push_back(entry.path());
    }
    std::sort(scripts.begin(), scripts.end());
    return scripts;
}

// The entries of a script that reads `var searchData=[ ... ];`, one a line, without those of the pages' own files.
std::string entries_of(const std::string& script) {
    std::string entries;
    for (const std::string& line : lines_of(script)) {
        if (line.rfind("  [", 0) == 0 && line.find(page_file) == std::string::npos) entries += line + (line.back() == ',' ? "\n" : ",\n");
    }
    return entries;
}

}  // namespace

std::string search_index(const SitePages& pages, const fs::path& folder) {
    nlohmann::json sections = nlohmann::json::array();
    const auto add = [&](const std::string& name) {
        const SitePage& page = pages.by_name.at(name);
        for (const SiteSection& section : page.text.sections) {
            const std::string address = name + ".html" + (section.anchor.empty() ? "" : "#" + section.anchor);
            sections.push_back({address, section.title, page.title, section.text});
        }
    };
    add("index");
    for (const SiteGroup& group : pages.groups) std::for_each(group.pages.begin(), group.pages.end(), add);
    std::string symbols;
    for (const fs::path& script : doxygens_scripts(folder)) symbols += entries_of(read_whole(script));
    return "const sections = " + sections.dump() + ";\nconst symbols = [\n" + symbols + "];\n";
}

void replace_search(const SitePages& pages, const fs::path& script, const fs::path& site) {
    const fs::path folder = site / "search";
    for (const auto& entry : fs::directory_iterator(site)) {
        if (entry.path().string().ends_with(page_file)) fs::remove(entry.path());
    }
    const std::string index = search_index(pages, folder);
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if ((extension == ".js" && entry.path().filename() != "searchdata.js") || extension == ".html") fs::remove(entry.path());
    }
    replace_file(folder / "index.js", index);
    replace_file(folder / "search.js", read_whole(script));
}

}  // namespace lab::tools
