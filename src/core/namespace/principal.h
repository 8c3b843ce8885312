#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/accounts.h"
#include "catalog/keys.h"
#include "catalog/web_sessions.h"

namespace coffer::core {

/// An authenticated account with its credential: a key, which may be limited to a folder, or a
/// session. A value, cheap to copy. The rights are those at the moment of authentication. Longer
/// operations check the rights again with AccessRecheck.
struct Principal {
  std::shared_ptr<const catalog::Account> account;  ///< Never null.
  /// The folder that the principal is limited to, from the account's root; null for full access.
  std::shared_ptr<const Path> scope;
  bool read_only = false;                                 ///< The key may only read.
  std::shared_ptr<const catalog::Credential> credential;  ///< Null for Coffer's own work.
  std::shared_ptr<const KeyId> key;                       ///< Null without a key.
  std::shared_ptr<const catalog::WebSession> session;     ///< Null without a session.
  std::optional<Timestamp> expires_at = {};               ///< The end of the key, if it expires.
  std::string address = {};  ///< The client's address, for the audit log; may be empty.
  /// True for the command line, which has the rights of an administrator and no credential.
  bool is_command = false;
  /// The file of a guest whose share link is for a single file. `scope` is then its folder.
  std::shared_ptr<const Path> linked_file = {};

  /// Returns the file or folder that the principal is limited to, as a path from the account's
  /// root; nullopt for full access.
  std::optional<Path> within() const {
    if (linked_file) return *linked_file;
    return scope ? std::optional<Path>(*scope) : std::nullopt;
  }
};

/// `forbidden` if the principal's key may only read.
Result<void> check_may_write(const Principal& principal);

/// Returns the principal's credential; nullopt without one. The catalog checks the credential again
/// when it makes a change.
std::optional<catalog::Asker> asker_of(const Principal& principal);
/// Returns the principal's credential for changes that only an administrator may make; nullopt
/// without a credential.
std::optional<catalog::Asker> administrator_of(const Principal& principal);

bool has_expired(const catalog::Key& key);

/// Returns the principal of an authenticated key.
Principal principal_of(const std::shared_ptr<const catalog::Grant>& grant);
Principal principal_of(const std::shared_ptr<const catalog::SessionGrant>& grant);

}  // namespace coffer::core
