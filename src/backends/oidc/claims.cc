#include "backends/oidc/claims.h"

#include <boost/json.hpp>
#include <string_view>
#include <utility>

#include "base/size_format.h"

namespace coffer::oidc {
namespace {

namespace json = boost::json;

const json::value* member_of(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains({name.data(), name.size()});
  return found == nullptr || found->is_null() ? nullptr : found;
}

const json::value* at_path(const json::object& object, std::string_view path) {
  const auto dot = path.find('.');
  const json::value* const found = member_of(object, path.substr(0, dot));
  if (dot == path.npos || found == nullptr) return found;
  return found->is_object() ? at_path(found->get_object(), path.substr(dot + 1)) : nullptr;
}

/// The claim in the ID token, else in the answer of the userinfo endpoint.
class Claims {
 public:
  Claims(const json::object& id_token, const json::object& userinfo)
      : id_token_(id_token), userinfo_(userinfo) {}

  const json::value* find(const std::string& name) const {
    if (name.empty()) return nullptr;
    const json::value* const found = find_claim(id_token_, name);
    return found != nullptr ? found : find_claim(userinfo_, name);
  }
  std::string text(const std::string& name) const {
    const json::value* const found = find(name);
    return found != nullptr && found->is_string() ? std::string(found->get_string())
                                                  : std::string();
  }

 private:
  const json::object& id_token_;
  const json::object& userinfo_;
};

std::optional<std::vector<std::string>> groups_of(const json::value* claim) {
  if (claim == nullptr) return std::nullopt;
  if (claim->is_string()) return std::vector<std::string>{std::string(claim->get_string())};
  if (!claim->is_array()) return std::nullopt;
  std::vector<std::string> groups;
  for (const json::value& group : claim->get_array()) {
    if (group.is_string()) groups.emplace_back(group.get_string());
  }
  return groups;
}

std::optional<std::uint64_t> quota_of(const json::value* claim) {
  if (claim == nullptr) return std::nullopt;
  if (claim->is_string()) return parse_size(std::string(claim->get_string()));
  if (!claim->is_number()) return std::nullopt;
  boost::system::error_code inexact;
  const auto bytes = claim->to_number<std::int64_t>(inexact);
  if (inexact || bytes < 0) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace

const json::value* find_claim(const json::object& claims, const std::string& name) {
  const json::value* const found = member_of(claims, name);
  return found != nullptr ? found : at_path(claims, name);
}

bool needs_userinfo(const json::object& id_token, const ClaimNames& names) {
  for (const std::string& name : {names.name, names.groups, names.quota}) {
    if (!name.empty() && find_claim(id_token, name) == nullptr) return true;
  }
  return false;
}

Person person_of(const json::object& id_token, const json::object& userinfo,
                 const ClaimNames& names) {
  const Claims claims(id_token, userinfo);
  Person person;
  person.name = claims.text(names.name);
  person.display_name = claims.text("name");
  person.groups = groups_of(claims.find(names.groups));
  person.quota_bytes = quota_of(claims.find(names.quota));
  return person;
}

}  // namespace coffer::oidc
