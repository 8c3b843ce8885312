#include "api/v2/moment.h"

#include <string>

namespace coffer::api {

boost::json::object ParameterSchema<v2::Moment>::make() {
  return {{"type", "string"}, {"pattern", std::string(v2::kTimePattern) + "Z?$"}};
}

Result<void> v2::parse_value(std::string_view text, Moment& out) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto time = parse_timestamp(text);
  if (!time) return fail(ErrorCode::invalid, "must be a time in UTC such as 2027-01-31T00:00:00Z");
  out.value = *time;
  return {};
}

}  // namespace coffer::api
