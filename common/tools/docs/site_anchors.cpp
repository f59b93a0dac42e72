#include "common/tools/docs/site_anchors.h"

#include <set>
#include <string_view>

#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

bool is_page(std::string_view name) { return name.ends_with(".html"); }

// Pages by the ids of their elements.
std::map<std::string, std::set<std::string>> pages_of_ids(const SiteFiles& files) {
    constexpr std::string_view begin = " id=\"";
    std::map<std::string, std::set<std::string>> pages;
    for (const auto& [name, text] : files) {
        if (!is_page(name)) continue;
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
            at += begin.size();
            pages[text.substr(at, text.find('"', at) - at)].insert(name);
        }
    }
    return pages;
}

// Address in quotes around the `#` at `hash`: in a page that of a link, in a script any.
struct Address {
    std::size_t begin = 0, end = 0;  // within the quotes; 0, 0: there is none
};
Address address_around(const std::string& text, std::size_t hash, bool in_page) {
    constexpr std::string_view attribute = "href=";
    const std::size_t before = text.find_last_of("\" \n<>", hash), end = text.find_first_of("\" \n<>", hash);
    if (before == std::string::npos || end == std::string::npos || text[before] != '"' || text[end] != '"') return {};
    const bool is_link = before >= attribute.size() && text.compare(before - attribute.size(), attribute.size(), attribute) == 0;
    const std::string_view page = std::string_view(text).substr(before + 1, hash - before - 1);
    const bool is_ours = (is_page(page) && page.find('/') == std::string_view::npos) || (in_page && page.empty());
    return is_ours && (is_link || !in_page) ? Address{before + 1, end} : Address{};
}

}  // namespace

SiteFiles with_repaired_anchors(const SiteFiles& files) {
    const auto pages = pages_of_ids(files);
    SiteFiles changed;
    for (const auto& [name, text] : files) {
        std::string repaired;
        std::size_t kept = 0;
        for (std::size_t hash = text.find('#'); hash != std::string::npos; hash = text.find('#', hash + 1)) {
            const Address address = address_around(text, hash, is_page(name));
            if (address.end == 0 || address.end == hash + 1) continue;
            const std::string page = hash == address.begin ? name : text.substr(address.begin, hash - address.begin);
            const auto found = pages.find(text.substr(hash + 1, address.end - hash - 1));
            if (found != pages.end() && found->second.count(page) > 0) continue;
            repaired += text.substr(kept, address.begin - kept);
            repaired += found == pages.end() ? page : *found->second.begin() + text.substr(hash, address.end - hash);
            kept = address.end;
        }
        if (kept > 0) changed[name] = repaired + text.substr(kept);
    }
    return changed;
}

void repair_anchors(const fs::path& site) {
    SiteFiles files;
    for (const auto& entry : fs::directory_iterator(site)) {
        const std::string name = entry.path().filename().string();
        // The tree finds the page that it stands at by a sorted list of addresses, which has to stay as it is.
        const bool is_sorted = name.rfind("navtree", 0) == 0;
        if (is_page(name) || (name.ends_with(".js") && !is_sorted)) files[name] = read_whole(entry.path());
    }
    for (const auto& [name, text] : with_repaired_anchors(files)) replace_file(site / name, text);
}

}  // namespace lab::tools
