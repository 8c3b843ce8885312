#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "catalog/credential.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;

enum class AuditKind : std::uint8_t {
  account_created,
  account_changed,
  account_removed,
  key_created,
  key_revoked,
  share_created,
  share_changed,
  share_removed,
  connector_created,
  connector_changed,
  connector_removed,
  session_created,
  session_refused,
  session_ended,
  link_created,
  link_ended,
  identity_linked,
  identity_unlinked,
  second_factor_added,
  second_factor_removed,
  recovery_codes_made,
  item_shared,
  item_share_changed,
  item_unshared,
  group_created,
  group_changed,
  group_removed,
  lock_broken,
  passkey_added,
  passkey_removed,
  passkey_counter_fell
};
constexpr auto words_of(AuditKind) {
  using enum AuditKind;
  return enum_words<AuditKind>({{account_created, "account.created"},
                                {account_changed, "account.changed"},
                                {account_removed, "account.removed"},
                                {key_created, "key.created"},
                                {key_revoked, "key.revoked"},
                                {share_created, "share.created"},
                                {share_changed, "share.changed"},
                                {share_removed, "share.removed"},
                                {connector_created, "connector.created"},
                                {connector_changed, "connector.changed"},
                                {connector_removed, "connector.removed"},
                                {session_created, "session.created"},
                                {session_refused, "session.refused"},
                                {session_ended, "session.ended"},
                                {link_created, "link.created"},
                                {link_ended, "link.ended"},
                                {identity_linked, "identity.linked"},
                                {identity_unlinked, "identity.unlinked"},
                                {second_factor_added, "second_factor.added"},
                                {second_factor_removed, "second_factor.removed"},
                                {recovery_codes_made, "recovery_codes.made"},
                                {item_shared, "item.shared"},
                                {item_share_changed, "item.share_changed"},
                                {item_unshared, "item.unshared"},
                                {group_created, "group.created"},
                                {group_changed, "group.changed"},
                                {group_removed, "group.removed"},
                                {lock_broken, "lock.broken"},
                                {passkey_added, "passkey.added"},
                                {passkey_removed, "passkey.removed"},
                                {passkey_counter_fell, "passkey.counter_fell"}});
}

struct AuditEvent {
  std::string id;
  Timestamp at{};
  AuditKind kind = AuditKind::account_created;
  Actor actor;
  std::string subject;  ///< The name of the object that was changed, such as an account.
  std::string details;  ///< A text for people, without secrets.
};

/// The position of an event in the order of `Audit::list`.
struct AuditPlace {
  Timestamp at{};
  std::string id;
};

/// Selects events. An absent field matches all events.
struct AuditFilter {
  std::optional<AuditKind> kind;
  std::optional<std::string> account;  ///< The name of the actor or of the subject.
  Timestamp from = kEarliest;
  Timestamp to = kLatest;           ///< Exclusive.
  std::optional<AuditPlace> after;  ///< Only events after this position in the list.
  std::size_t most = 100;
};

/// Records an event with the current time. Cuts the subject and the details to kMostAuditBytes.
/// Call it in the transaction that makes the change.
void note(sql::Connection& sql, AuditKind kind, const Actor& actor, const std::string& subject,
          const std::string& details = {});

/// Returns the most that each may have if `most` is shared: the largest level, at least 1, for
/// which the sum of min(count, level) is not above `most`.
std::size_t fair_level(std::vector<std::size_t> counts, std::size_t most);

/// The audit log. Safe from any thread.
class Audit {
 public:
  explicit Audit(Database& database) : database_(database) {}

  /// Records an event with the current time, in a transaction of its own.
  Task<Result<void>> add(AuditKind kind, Actor actor, std::string subject,
                         std::string details = {});
  /// Returns the selected events, the newest first.
  Task<Result<std::vector<AuditEvent>>> list(AuditFilter filter);
  /// Deletes the events older than `before`. If more than `most` are left, deletes the oldest of
  /// the sources that have the most, until all have a fair share (see fair_level). A source is an
  /// account with what it changed, an account that others tried to sign in to, or the commands; so
  /// one that makes many events pushes out nobody else's. Works in steps, each a transaction.
  Task<Result<void>> drop_old(Timestamp before, std::size_t most);

 private:
  struct Source {
    std::string name;
    std::size_t count = 0;
  };
  Task<Result<void>> drop_before(Timestamp time);
  Task<Result<std::vector<Source>>> sources_beyond(std::size_t most);
  Task<Result<void>> drop_oldest(std::string source, std::size_t count);

  Database& database_;
};

}  // namespace coffer::catalog
