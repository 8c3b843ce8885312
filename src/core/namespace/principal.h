#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/memory_room.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/accounts.h"
#include "catalog/keys.h"
#include "catalog/web_sessions.h"
#include "storage/writer.h"

namespace coffer::core {

/// An authenticated account, and the key or session that authenticated it. Cheap to copy. The
/// rights are those at the time of authentication; a longer operation must check them again with
/// AccessRecheck.
struct Principal {
  std::shared_ptr<const catalog::Account> account;  ///< Never null.
  /// The folder that the principal is limited to, from the account's root; null for full access.
  std::shared_ptr<const Path> scope;
  bool read_only = false;                                 ///< True if the key allows only reading.
  std::shared_ptr<const catalog::Credential> credential;  ///< Null for Coffer's own work.
  std::shared_ptr<const KeyId> key;                       ///< Set only for a key credential.
  std::shared_ptr<const catalog::WebSession> session;     ///< Set only for a session credential.
  std::optional<Timestamp> expires_at = {};               ///< When the key expires, if it does.
  bool has_second_factor = false;  ///< Of a session's account; see catalog::SecondFactor::is_on.
  std::string address = {};        ///< The client's address, for the audit log; may be empty.
  /// True for the command line, which has the rights of an administrator and no credential.
  bool is_command = false;
  bool is_guest = false;  ///< True for a guest of a link, and whoever has a signed address.
  /// For a guest of a link to one file: this file, from the account's root. `scope` is its folder.
  std::shared_ptr<const Path> linked_file = {};
  /// True for a task: it goes on when its person signs out, but ends when the session is ended.
  bool outlives_sign_out = false;
  /// The tokens of locks that the request names, and that it may thus pass (see LockCheck); may be
  /// null.
  std::shared_ptr<const std::vector<std::string>> lock_tokens = {};
  /// Where mounts led when a long operation began, by their prefixes (see Namespace::hold).
  std::map<std::string, std::string, std::less<>> places = {};

  /// Returns a path from the principal's root as a path from the account's root.
  Path whole(const Path& path) const { return scope ? *scope / path : path; }
  /// Returns the file or folder that the principal is limited to, as a path from the account's
  /// root; nullopt for full access.
  std::optional<Path> within() const {
    if (linked_file) return *linked_file;
    return scope ? std::optional<Path>(*scope) : std::nullopt;
  }
};

/// Returns whom the memory counts for that is taken for the principal.
MemoryHolder holder_of(const Principal& principal);

/// Returns whom versions of files name as the one who replaced them.
storage::Author author_of(const Principal& principal);

/// `forbidden` if the principal's key may only read.
Result<void> check_may_write(const Principal& principal);

/// Returns the principal's credential for a change in the catalog, which checks the credential
/// again in the transaction of the change; nullopt if the principal has none.
std::optional<catalog::Asker> asker_of(const Principal& principal);
/// Like asker_of, for changes that only an administrator may make: the catalog also checks that the
/// account is an administrator's.
std::optional<catalog::Asker> administrator_of(const Principal& principal);

bool has_expired(const catalog::Key& key);

/// A session ends this long after its last use, and this long after it began.
inline constexpr std::chrono::days kSessionIdleLimit{14};
inline constexpr std::chrono::days kSessionLifetime{90};
bool has_expired(const catalog::WebSession& session, Timestamp at = now());

/// How long a session counts as confirmed after its person showed who they are.
inline constexpr std::chrono::minutes kConfirmedFor{10};

/// `unconfirmed` if the principal's session was not confirmed within `kConfirmedFor`. For changes
/// of the ways in which an account is used: whoever finds an open browser must not be able to come
/// back later. Keys and the command line need no confirmation.
Result<void> check_confirmed(const Principal& principal);

/// Returns the principal of an authenticated key.
Principal principal_of(const std::shared_ptr<const catalog::Grant>& grant);
Principal principal_of(const std::shared_ptr<const catalog::SessionGrant>& grant);

}  // namespace coffer::core
