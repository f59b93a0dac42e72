// The page of `lab class report`: the results of a class in one file that needs nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/classroom/results.h"
#include "common/tools/project.h"

namespace lab::classroom {

struct ClassPage {
    std::string name;  // the class's folder, or ""
    std::size_t students = 0, submissions = 0;
    std::string json;  // in the form of page/README.md
};

// The data of the page. With a `shuffle`, students are "student 1", "student 2", ... in an order that
// follows from it alone, and neither their names nor those of their files nor their hashes are in the data.
[[nodiscard]] ClassPage class_page(const Results& results, std::optional<std::uint64_t> shuffle = {});

struct PageOptions {
    std::string results = "class.db";
    std::string out = "class.html";
    bool without_names = false;
};

// `lab class report`: writes the page. Each page without names has another order. Throws BadInput.
[[nodiscard]] int write_page(const tools::Project& project, const PageOptions& options);

}  // namespace lab::classroom
