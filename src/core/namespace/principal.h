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

/// Who asks: an account, and what it was let in with: a key, which may be limited to a folder, or a
/// session. A value, cheap to copy; it describes the moment of authentication, so what lasts longer
/// asks AccessRecheck.
struct Principal {
  std::shared_ptr<const catalog::Account> account;  ///< Never null.
  std::shared_ptr<const Path> scope;                ///< From the account's root; null: full access.
  bool read_only = false;                           ///< It came with a key that may only read.
  std::shared_ptr<const catalog::Credential> credential;  ///< Null: the server itself asks.
  std::shared_ptr<const KeyId> key;                       ///< Null: it came without one.
  std::shared_ptr<const catalog::WebSession> session;     ///< Null: it came without one.
  std::optional<Timestamp> expires_at = {};               ///< Of the key, where it has an end.
  std::string address = {};  ///< The client's, where it changes something.
  /// Of a guest who came with a link to a file: that file, while `scope` is the folder it is in.
  std::shared_ptr<const Path> linked_file = {};

  /// What it is limited to, as the catalog knows it.
  std::optional<Path> within() const {
    if (linked_file) return *linked_file;
    return scope ? std::optional<Path>(*scope) : std::nullopt;
  }
};

/// `forbidden` for one that came with a key that may only read.
Result<void> check_may_write(const Principal& principal);

/// Who asks for a change that the principal may make, to be looked at again when it is made.
std::optional<catalog::Asker> asker_of(const Principal& principal);
/// The same for what only an administrator may do.
std::optional<catalog::Asker> administrator_of(const Principal& principal);

/// Whether the key has ended by itself.
bool has_expired(const catalog::Key& key);

/// The principal of an authenticated key.
Principal principal_of(const std::shared_ptr<const catalog::Grant>& grant);
/// The principal of a session.
Principal principal_of(const std::shared_ptr<const catalog::SessionGrant>& grant);

}  // namespace coffer::core
