#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/v2/values.h"
#include "catalog/identities.h"

/// Persons at the provider as accounts and administrators see them.
namespace coffer::api::v2 {

using IssuerText = BoundedText<1, 255>;
using SubjectText = BoundedText<1, 255>;

struct IdentityView {
  static constexpr std::string_view kSchema = "Identity";
  FIELD(std::string, id, "Identifier, used to unlink it.", R"("5f0c2a9d1b7e4c38")");
  FIELD(std::string, issuer, "The provider.", R"("https://id.example.org")");
  FIELD(std::string, subject, "The person, by the provider's name for it.", R"("248289761001")");
  FIELD(Timestamp, createdAt, "The time of the link, UTC.", R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, lastUsedAt, "The last sign-in, UTC.", R"("2026-11-21T06:14:09")");
};

inline std::vector<IdentityView> identity_views(std::vector<catalog::Identity> identities) {
  std::vector<IdentityView> views;
  for (catalog::Identity& one : identities) {
    views.push_back({std::move(one.id), std::move(one.name.issuer), std::move(one.name.subject),
                     one.made_at, one.last_at});
  }
  return views;
}

}  // namespace coffer::api::v2
