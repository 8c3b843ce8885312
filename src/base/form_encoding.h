#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coffer {

/// Names and values in order.
using FormFields = std::vector<std::pair<std::string, std::string>>;

/// `a=1&b=x%20y`: a query, and the body of a form too (application/x-www-form-urlencoded). All but
/// the unreserved characters of RFC 3986, section 2.3, is percent-encoded.
std::string to_form(const FormFields& fields);

}  // namespace coffer
