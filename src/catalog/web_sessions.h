#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

/// A person who signed in with a browser.
struct WebSession {
  SessionId id;
  AccountId account;
  Timestamp created_at{};
  Timestamp last_seen_at{};  ///< May lag by a minute.
  std::string address;       ///< Of the client, when it signed in.
  std::string agent;         ///< The client's User-Agent then; at most 256 bytes.
};

struct NewWebSession {
  AccountId account;
  std::string password_hash;  ///< By which it signed in; it must still be the account's.
  std::string address;
  std::string agent;
  SecretHash hash{};
};

/// A session together with its account, as authentication needs them.
struct SessionGrant {
  WebSession session;
  Account account;
  Credential credential;
};

/// The sessions in the catalog. Safe from any thread. What it ends is ended for every process when
/// the call returns.
class WebSessions {
 public:
  explicit WebSessions(Database& database);
  ~WebSessions();

  /// `unauthenticated` if the account is gone or disabled, or its password was changed meanwhile.
  /// Where an account has `most` sessions, the one seen least lately goes.
  Task<Result<WebSession>> create(NewWebSession session, std::size_t most);
  /// By time of creation.
  Task<Result<std::vector<WebSession>>> list(AccountId account);
  /// Of all accounts, by time of creation.
  Task<Result<std::vector<WebSession>>> list_all();
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<void>> end(AccountId account, SessionId id, std::optional<Asker> asker = {});
  /// Ends a session of any account; `not_found` if there is none.
  Task<Result<void>> end_any(SessionId id, std::optional<Asker> asker);
  /// Ends all of the account but `kept`; returns how many.
  Task<Result<std::uint64_t>> end_others(AccountId account, std::optional<SessionId> kept,
                                         std::optional<Asker> asker = {});
  /// Ends those made, or last seen, before.
  Task<Result<void>> end_older(Timestamp made_before, Timestamp seen_before);

  /// The grant, if this process has it at hand and nothing has changed since; null otherwise. Does
  /// not wait: any I/O thread may call it. Its `last_seen_at` may lag further.
  std::shared_ptr<const SessionGrant> find_now(const SecretHash& hash);
  /// The grant as the catalog has it; `unauthenticated` if there is no such session, or its account
  /// is disabled.
  Task<Result<std::shared_ptr<const SessionGrant>>> find(SecretHash hash);
  /// Notes that it was used now; written behind, within a minute, and by `flush_uses`.
  void note_use(const SessionId& id);
  Task<Result<void>> flush_uses();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
