#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coffer::oidc {

/// The names of the claims that are looked at. A name is looked for as it is, then as a path with
/// dots, such as `realm_access.roles`: some names are addresses, which have dots themselves.
struct ClaimNames {
  std::string name = "preferred_username";
  std::string groups = {};  ///< Empty: no groups are looked for.
  std::string quota = {};   ///< Empty: no quota is looked for.
};

/// A person as a provider describes one.
struct Person {
  std::string name;          ///< May be empty, and anything else.
  std::string display_name;  ///< As `name`.
  /// The person's groups; nullopt if the provider says nothing of groups, which is different from
  /// a person without any.
  std::optional<std::vector<std::string>> groups;
  std::optional<std::uint64_t> quota_bytes;  ///< 0: unlimited.
};

/// Returns a claim; null if it is missing or null.
const boost::json::value* find_claim(const boost::json::object& claims, const std::string& name);

/// Returns true if a claim is missing in the ID token that the userinfo endpoint may have.
bool needs_userinfo(const boost::json::object& id_token, const ClaimNames& names);

/// Describes the person. Each claim is taken from the ID token, or if it is missing there, from the
/// answer of the userinfo endpoint, which may be empty. Groups are a list of texts, or one text; a
/// quota is a number of bytes, or a size such as `100GiB`. A claim in another form is as good as
/// missing.
Person person_of(const boost::json::object& id_token, const boost::json::object& userinfo,
                 const ClaimNames& names);

}  // namespace coffer::oidc
