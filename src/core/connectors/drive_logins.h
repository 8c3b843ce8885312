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

/// A login to a drive that a person is about to agree to at its provider. It is not stored, but
/// goes to the person and comes back, sealed.
struct PendingLogin {
  AccountId account;
  bool by_administrator = false;
  Timestamp expires_at;        ///< To the second.
  std::string redirect;        ///< The address that the provider sends the person back to.
  std::string verifier;        ///< RFC 7636, section 4.1.
  ConnectorSettings settings;  ///< Without root, revision and login.
};

/// The text that goes to the person, with the secrets of the login.
std::string seal_login(const PendingLogin& login, const Sealer& sealer);
/// `invalid` for a text that was not sealed here, or was altered.
Result<PendingLogin> open_login(std::string_view sealed, const Sealer& sealer);

/// The `state` of the request to the provider (RFC 6749, section 10.12) in base64url: a digest, so
/// that no part of a sealed login is in an address.
std::string state_of(std::string_view sealed);
/// The `code_challenge` of the method S256 (RFC 7636, section 4.2).
std::string challenge_of(std::string_view verifier);

/// The command that a person runs where a browser is: `rclone authorize` with these settings,
/// without their secrets.
std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers);

/// The environment variable from which that command reads the `client_secret`; empty if there is
/// none.
std::string authorize_environment(const ConnectorSettings& settings);

/// The ways in which a person may log in to a drive.
struct BegunLogin {
  std::string command;  ///< To run where a browser is. Has no secret.
  std::string
      secret_variable;  ///< From which that reads the client_secret; empty if there is none.
  /// The provider's page of consent (RFC 6749, section 4.1.1). This and the rest are empty if only
  /// the command can log in.
  std::string address;
  std::string login;  ///< To send back with the code.
  Timestamp expires_at;
};

/// The answer that a person came back with.
struct FinishedLogin {
  std::string login;
  std::string state;
  std::string code;
};

/// Logins to drives by the provider's own page, with a client of the person's own: the
/// authorization code grant (RFC 6749, section 4.1) with PKCE (RFC 7636); or by a command that the
/// person runs elsewhere. Stores nothing, so that a server can end a login that began before its
/// restart. Safe from any thread.
class DriveLogins {
 public:
  /// The time that a person may take.
  static constexpr std::chrono::minutes kLife{10};

  DriveLogins(AccountConnectors& connectors, DriveProviders& providers, const Sealer& sealer,
              TokenServers& servers)
      : connectors_(connectors), providers_(providers), sealer_(sealer), servers_(servers) {}

  /// Begins a login for a new drive, or for the account's drive `id`. It has an address if the
  /// parameters name a client and the provider sends people back, to `redirect`. Contacts no
  /// server. `invalid` for settings that are not allowed and for a drive without a login by token;
  /// `not_found` if there is no such connector.
  Task<Result<BegunLogin>> begin(ConnectorOwner owner, std::optional<ConnectorId> id,
                                 ConnectorPatch patch, std::string redirect);

  /// Returns the parameters that the login gives: the token, and those that the drive needs
  /// besides. `invalid` for a login of another account, one that an administrator began and another
  /// person ends, one that expired or was altered, and for the state of another login; otherwise as
  /// `TokenServers::exchange`. A code works once, so that a login that failed has to begin again.
  Task<Result<DriveParameters>> end(ConnectorOwner owner, FinishedLogin finished);

  /// Ends a login by the command. `printed` has the parameters that it printed, at least the token.
  /// Fails as `begin` does; `invalid` for a bad token.
  Task<Result<DriveParameters>> end_by_command(ConnectorOwner owner, std::optional<ConnectorId> id,
                                               ConnectorPatch patch, DriveParameters printed);

 private:
  Task<Result<ConnectorSettings>> settings_for(const ConnectorOwner& owner,
                                               std::optional<ConnectorId> id,
                                               const ConnectorPatch& patch);
  Result<PendingLogin> pending(const ConnectorOwner& owner, const FinishedLogin& finished) const;
  /// Asks the provider for the parameters that are missing besides the token.
  Task<Result<DriveParameters>> complete(ConnectorSettings settings);
  /// Returns the token and the parameters that the provider's own questions add.
  Task<Result<DriveParameters>> ask_provider(ConnectorSettings settings);

  AccountConnectors& connectors_;
  DriveProviders& providers_;
  const Sealer& sealer_;
  TokenServers& servers_;
};

}  // namespace coffer::core
