// Error: JSON that is not of a struct's form.
#pragma once

#include <stdexcept>
#include <string>

namespace lab::trace {

// `where`: the field, "places[0].line"; "" for the whole.
class BadForm : public std::runtime_error {
public:
    BadForm(const std::string& where, const std::string& what)
        : std::runtime_error(where.empty() || what.empty() || what[0] == ' ' ? where + what : where + ": " + what),
          where_(where),
          what_(what) {}
    [[nodiscard]] BadForm inside(const std::string& outer) const {
        const bool is_joined = where_.empty() || where_[0] == '[';
        return {is_joined ? outer + where_ : outer + "." + where_, what_};
    }

private:
    std::string where_, what_;
};

}  // namespace lab::trace
