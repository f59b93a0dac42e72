// The site's search: its index, and our script (search.js) in place of Doxygen's, whose frames browsers refuse in files.
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/docs/site_pages.h"

namespace lab::tools {

// The index as a script: sections of the pages as [address, title, page, words] in the order of the navigation, and entries of the API in
// Doxygen's form, as they stand in the scripts of `folder`.
[[nodiscard]] std::string search_index(const SitePages& pages, const std::filesystem::path& folder);

// Replaces the search in the folder of Doxygen's site, and removes the descriptions of the pages' own files.
void replace_search(const SitePages& pages, const std::filesystem::path& script, const std::filesystem::path& site);

}  // namespace lab::tools
