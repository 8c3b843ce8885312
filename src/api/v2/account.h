#pragma once

#include <vector>

#include "api/model.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {

/// An account as it sees itself.
struct AccountDetails {
  std::string userName;
  std::string displayName;
  catalog::Role role = catalog::Role::user;
  std::uint64_t storageUsed = 0;
  std::uint64_t storageLimit = 0;
  AnyObject preferences;
};
BOOST_DESCRIBE_STRUCT(AccountDetails, (),
                      (userName, displayName, role, storageUsed, storageLimit, preferences))

inline void write_json(JsonWriter& out, const AnyObject& object) {
  const std::string json = boost::json::serialize(object.value);
  out.RawValue(json.data(), json.size(), rapidjson::kObjectType);
}

Task<Result<AccountDetails>> account_details(Services& services, const core::Principal& principal);

std::vector<Route> account_routes();

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Docs<v2::AccountDetails> {
  static constexpr std::string_view name = "Account";
  static constexpr std::array<FieldDoc, 6> fields{{
      {"userName", "The name to sign in with.", R"("ann")"},
      {"displayName", "The name shown to people.", R"("Ann")"},
      {"role", "admin or user.", R"("user")"},
      {"storageUsed", "Bytes in the account's own files.", "1536"},
      {"storageLimit", "The quota in bytes; 0 means unlimited.", "10737418240"},
      {"preferences", "What the account's clients keep for it.", "{}"},
  }};
};

template <>
struct Schema<v2::AnyObject> {
  static boost::json::value make(Components&) { return {{"type", "object"}}; }
};

}  // namespace coffer::api
