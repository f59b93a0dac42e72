// SHA-256 (FIPS 180-4), for the page's content security policy.
#pragma once

#include <string>
#include <string_view>

namespace lab::report {

// The digest in base64, as `'sha256-...'` of a policy has it.
[[nodiscard]] std::string sha256_base64(std::string_view text);

}  // namespace lab::report
