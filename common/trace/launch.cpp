#include "common/trace/launch.h"

#include <algorithm>

namespace lab::trace {

const Recording::Object* Launch::object(const std::string& name, Space space) const {
    if (!recording) return nullptr;
    const auto found = std::find_if(recording->objects.begin(), recording->objects.end(),
                                    [&](const Recording::Object& one) { return one.name == name && one.space == space; });
    return found == recording->objects.end() ? nullptr : &*found;
}

std::string Launch::name_of(const Recording::Access& access) const {
    const std::string name = access.object ? recording->objects.at(*access.object).name : "";
    return name.rfind("allocated at ", 0) == 0 ? "the array " + name : name;
}

}  // namespace lab::trace
