// `lab docs`: handouts, map of the code, API reference and reports of the solutions as one static site, built by Doxygen.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "common/tools/docs/site_pages.h"
#include "common/tools/project.h"

namespace lab::tools {

struct DocsOptions {
    std::string out;  // the site's folder; "": build/docs
};

// Builds the site in place of an older one. Returns 0, or 130 when it was interrupted. Throws BadInput.
[[nodiscard]] int docs(const Project& project, const DocsOptions& options);

// The site's search: our script (search.js) in place of Doxygen's, whose frames browsers refuse in files.
// The index as a script: sections of the pages as [address, title, page, words] in the order of the navigation, and entries of the API in
// Doxygen's form, as they stand in the scripts of `folder`.
[[nodiscard]] std::string search_index(const SitePages& pages, const std::filesystem::path& folder);

// Replaces the search in the folder of Doxygen's site, and removes the descriptions of the pages' own files.
void replace_search(const SitePages& pages, const std::filesystem::path& script, const std::filesystem::path& site);

// Pages of the site by name, "files.html", with their text.
using SiteFiles = std::map<std::string, std::string>;

// Repair of Doxygen's addresses: the tree leads to a function of a namespace on the page of its header, where the function has no anchor.
// Leads each address without an anchor to the page that has it, or to the beginning of its own page if none does. Takes pages and the
// tree's scripts, and returns those that changed.
[[nodiscard]] SiteFiles with_repaired_anchors(const SiteFiles& files);

// The same for a site's folder.
void repair_anchors(const std::filesystem::path& site);

}  // namespace lab::tools
