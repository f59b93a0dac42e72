// Repair of Doxygen's addresses: the tree leads to a function of a namespace on the page of its header, where the function has no anchor.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace lab::tools {

// Pages of the site by name, "files.html", with their text.
using SiteFiles = std::map<std::string, std::string>;

// Leads each address without an anchor to the page that has it, or to the beginning of its own page if none does. Takes pages and the
// tree's scripts, and returns those that changed.
[[nodiscard]] SiteFiles with_repaired_anchors(const SiteFiles& files);

// The same for a site's folder.
void repair_anchors(const std::filesystem::path& site);

}  // namespace lab::tools
