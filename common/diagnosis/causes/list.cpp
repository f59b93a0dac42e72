#include "common/diagnosis/causes/list.h"

namespace lab::diagnosis {

std::set<std::string> names_of_causes() {
    std::set<std::string> names;
    const auto add = [&](const auto& rules) {
        for (const auto& rule : rules) names.insert(rule.name);
    };
    add(proven_causes);
    add(suggested_causes);
    add(causes_in_launches);
    add(causes_in_findings);
#define LAB_ADD_NAME(name) names.insert(#name);
    LAB_CAUSES_IN_COPIES(LAB_ADD_NAME)
    LAB_FURTHER_CAUSES(LAB_ADD_NAME)
#undef LAB_ADD_NAME
    return names;
}

}  // namespace lab::diagnosis
