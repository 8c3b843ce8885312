#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "core/connectors/account_connectors.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/drive_providers.h"
#include "core/connectors/sealer.h"

namespace coffer::core {

/// A login to a drive that waits for the person's consent at the provider. Coffer does not store
/// it: the person's client receives the login as a sealed text (Sealer), and sends this text back.
struct PendingLogin {
  AccountId account;
  bool by_administrator = false;
  Timestamp expires_at;        ///< In whole seconds.
  std::string redirect;        ///< The address to which the provider sends the person back.
  std::string verifier;        ///< The PKCE code verifier (RFC 7636, section 4.1).
  ConnectorSettings settings;  ///< Only `provider`, `parameters`, `may_be_private` are kept.
};

/// Returns the login, with its secrets, as a sealed text for the person's client.
std::string seal_login(const PendingLogin& login, const Sealer& sealer);
/// Opens a sealed login. `invalid` if the text was altered or does not come from `seal_login` of
/// this installation.
Result<PendingLogin> open_login(std::string_view sealed, const Sealer& sealer);

/// Returns the `state` of the authorization request (RFC 6749, section 10.12): a digest of the
/// sealed login, in base64url. So the URL contains no part of the sealed login itself.
std::string state_of(std::string_view sealed);
/// Returns the `code_challenge` of the method S256 (RFC 7636, section 4.2).
std::string challenge_of(std::string_view verifier);

/// Returns the command that the person runs on a computer with a browser: `rclone authorize` with
/// the parameters that are not secret.
std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers);

/// Returns the environment variable from which `rclone authorize` reads the `client_secret`; empty
/// if the settings have none.
std::string authorize_environment(const ConnectorSettings& settings);

/// A login that has begun, with the ways in which the person can complete it.
struct BegunLogin {
  std::string command;  ///< The command to run on a computer with a browser. Has no secret.
  /// The environment variable from which the command reads the client secret; empty if none.
  std::string secret_variable;
  /// The URL of the provider's consent page (RFC 6749, section 4.1.1). Empty if the person can
  /// log in only by the command; `login` is then empty too, and `expires_at` has no meaning.
  std::string address;
  std::string login;  ///< The sealed login, to send back with the code.
  Timestamp expires_at;
};

/// The values that a client sends to end a login. `state` and `code` come from the redirect.
struct FinishedLogin {
  std::string login;  ///< BegunLogin::login.
  std::string state;
  std::string code;
};

/// Logs persons in to drives, to get the drives' tokens. Stores nothing, so that a login may begin
/// before a restart of Coffer and end after it. Safe from any thread. There are two ways to log in:
/// - The person logs in at the provider's own page, with an OAuth client that the person has
///   registered. This is the authorization code grant (RFC 6749, section 4.1) with PKCE (RFC 7636).
/// - The person runs a command on a computer with a browser, and gives Coffer the printed token.
class DriveLogins {
 public:
  /// The time limit for a login at the provider's own page.
  static constexpr std::chrono::minutes kLife{10};

  DriveLogins(AccountConnectors& connectors, DriveProviders& providers, const Sealer& sealer,
              TokenServers& servers)
      : connectors_(connectors), providers_(providers), sealer_(sealer), servers_(servers) {}

  /// Begins a login for a new drive, or for the account's drive `id`. `redirect` is the address to
  /// which the provider sends the person back. Sets BegunLogin::address if the parameters contain a
  /// `client_id` and the provider has an `oauth_server`. Contacts no server. `invalid` if the
  /// settings are not allowed, the connector is not a drive, or the provider has no login in a
  /// browser (see DriveProviders); `not_found` if the account has no such connector.
  Task<Result<BegunLogin>> begin(ConnectorOwner owner, std::optional<ConnectorId> id,
                                 ConnectorPatch patch, std::string redirect);

  /// Ends a login at the provider's page. Returns the token, and further parameters that the drive
  /// needs. After a failure, a new login must begin, as a code works only once. Has the errors of
  /// TokenServers::exchange and DriveProviders::log_in. Also `invalid` if
  /// - another account began the login;
  /// - an administrator began the login, and `owner` is not an administrator;
  /// - the login has expired or was altered;
  /// - `state` belongs to another login.
  Task<Result<DriveParameters>> end(ConnectorOwner owner, FinishedLogin finished);

  /// Ends a login by the command. Returns the token, and further parameters that the drive needs.
  /// `printed` has the parameters that the command printed, at least the token. `invalid` if the
  /// token is bad. Also has the errors of `begin` and of DriveProviders::log_in.
  Task<Result<DriveParameters>> end_by_command(ConnectorOwner owner, std::optional<ConnectorId> id,
                                               ConnectorPatch patch, DriveParameters printed);

 private:
  Task<Result<ConnectorSettings>> settings_for(const ConnectorOwner& owner,
                                               std::optional<ConnectorId> id,
                                               const ConnectorPatch& patch);
  Result<PendingLogin> pending(const ConnectorOwner& owner, const FinishedLogin& finished) const;
  /// Returns the token. If the settings lack parameters, also returns those of `ask_provider`.
  Task<Result<DriveParameters>> complete(AccountId account, ConnectorSettings settings);
  /// Returns the token, and the parameters that DriveProviders::log_in adds to the settings.
  Task<Result<DriveParameters>> ask_provider(AccountId account, ConnectorSettings settings);

  AccountConnectors& connectors_;
  DriveProviders& providers_;
  const Sealer& sealer_;
  TokenServers& servers_;
};

}  // namespace coffer::core
