// Pages of the site that `lab docs` builds: the project's Markdown files and the labs' sources, as Doxygen reads them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

// Part of a page from one heading to the next, for the search.
struct SiteSection {
    std::string title;
    std::string anchor;  // in its page; "" for the page's beginning
    std::string text;    // without Markdown's marks
};

struct SiteText {
    std::string markdown;  // Doxygen's
    std::vector<SiteSection> sections;
};

struct SitePage {
    std::filesystem::path file;  // from the project's root
    std::string title;
    SiteText text;
};

// Group of the site's navigation, with names of pages.
struct SiteGroup {
    std::string title;
    std::vector<std::string> pages;
};

struct SitePages {
    std::map<std::string, SitePage> by_name;  // a page's name is its file in the site without .html
    std::vector<SiteGroup> groups;            // every page except the start page is in exactly one
};

// Name of the page made from a file: "handouts_primer" for handouts/primer.md, "common" for common/README.md, "index" for README.md.
[[nodiscard]] std::string page_name(const std::filesystem::path& file);

// Anchor that GitHub gives to a heading, "9-barriers-and-shared-memory".
[[nodiscard]] std::string heading_anchor(const std::string& heading);

// Text as HTML and XML show it, also inside quotes.
[[nodiscard]] std::string escaped_html(const std::string& text);

// One file in Doxygen's form. Headings get their anchors, and links lead to pages of the site. A link to another file of the
// project becomes its text and path. Code that is a page's path becomes a link to that page.
[[nodiscard]] SiteText for_site(const SitePages& pages, const std::filesystem::path& file, const std::string& markdown);

// All pages with their texts. The tables of handouts/README.md order the handouts.
[[nodiscard]] SitePages site_pages(const Project& project);

// Doxygen's layout file: the navigation tree of the groups, of the API, and of the examples, each with title and address.
[[nodiscard]] std::string site_layout(const SitePages& pages, const std::vector<std::pair<std::string, std::string>>& examples);

}  // namespace lab::tools
