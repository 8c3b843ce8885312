#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/account.h"
#include "catalog/credential.h"
#include "catalog/turn.h"

namespace coffer::catalog {

class Database;

/// A passkey that opens an account (see webauthn/passkey.h).
struct Passkey {
  std::string id;
  AccountId account;
  std::string credential_id;   ///< In base64url, as `public_key`.
  std::int64_t algorithm = 0;  ///< The number of a webauthn::Algorithm.
  std::string public_key;
  std::int64_t counter = 0;  ///< The greatest that was shown.
  std::string transports;    ///< The browser's words, separated by commas; may be empty.
  std::string aaguid;        ///< In hexadecimal digits.
  bool is_backed_up = false;
  std::string name;  ///< For its owner.
  Timestamp created_at{};
  Timestamp used_at{};  ///< The last use; that of the registration if there was none.
  /// When a counter was shown last that was not greater than an earlier one: the passkey may have
  /// been copied. The epoch: never.
  Timestamp counter_fell_at{};
};

/// A passkey and the account that it opens.
struct PasskeyOwner {
  Passkey passkey;
  Account account;  ///< It may be disabled.
};

struct AddedPasskey {
  Passkey passkey;
  bool is_first = false;  ///< True if the account had no second factor before.
};

/// The passkeys in the catalog: an account may have several, and is not opened by its password
/// alone while it has one (see SecondFactor). Safe from any thread.
class Passkeys {
 public:
  explicit Passkeys(Database& database) : database_(database) {}

  /// Adds a passkey; its id and times are set here. If the account had no second factor, stores the
  /// recovery codes. `exists` if an account has the passkey already;
  /// `rate_limited` if the account has kMostPasskeys.
  Task<Result<AddedPasskey>> add(Passkey passkey, std::vector<SecretHash> codes,
                                 std::optional<Asker> asker);
  /// Returns the passkey with this credential id; nullopt if there is none.
  Task<Result<std::optional<PasskeyOwner>>> find(Turn turn, std::string credential_id);
  /// Returns the account's passkeys, oldest first.
  Task<Result<std::vector<Passkey>>> list(AccountId account);
  /// `not_found` if the account has no passkey with this id.
  Task<Result<void>> rename(AccountId account, std::string id, std::string name,
                            std::optional<Asker> asker);
  /// Removes a passkey, and the recovery codes if nothing is left that they stand in for.
  /// `not_found` if the account has none with this id; `conflict` if nobody could sign in to the
  /// account any more.
  Task<Result<void>> remove(AccountId account, std::string id, std::optional<Asker> asker);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
