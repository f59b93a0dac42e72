// The page of `lab report`: the files of report/page/ and the report's JSON as one file that needs nothing else.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace lab::report {

class BadPage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// `folder` has page.html. In it {{file NAME}} becomes the text of another file there, {{title}} the escaped title, {{report}} the JSON,
// and {{nonce}} a random number by which the content security policy knows the page's one style and one script (Content Security Policy
// Level 3, 2.3.1). Throws BadPage.
[[nodiscard]] std::string page(const std::filesystem::path& folder, const std::string& title, const std::string& report);

}  // namespace lab::report
