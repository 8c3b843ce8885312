#include "api/v2/account_names.h"

#include "api/v2/names.h"

namespace coffer::api::v2 {
namespace {

constexpr std::size_t kMostNames = 1000;

}  // namespace

Result<void> from_json(const boost::json::value& json, AccountNames& out) {
  if (!json.is_array()) return fail(ErrorCode::invalid, "must be a list of user names");
  const boost::json::array& names = json.get_array();
  if (names.size() > kMostNames) return fail(ErrorCode::invalid, "must have at most 1000 names");
  for (const boost::json::value& name : names) {
    const auto text = text_of(name);
    if (!text) return fail(ErrorCode::invalid, "must be a list of user names");
    out.value.emplace_back(*text);
  }
  return {};
}

boost::json::object BodySchema<AccountNames>::make() {
  return {
      {"type", "array"}, {"maxItems", kMostNames}, {"items", ParameterSchema<UserName>::make()}};
}

}  // namespace coffer::api::v2
