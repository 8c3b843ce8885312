#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "core/connectors/account_connectors.h"
#include "core/connectors/drive_authorization.h"
#include "core/connectors/oauth_server.h"
#include "core/connectors/pending_login.h"
#include "core/connectors/sealer.h"

namespace coffer::core {

/// How a person may log in to a drive.
struct BegunLogin {
  std::string command;          ///< To be run where a browser is. Has no secret.
  std::string secret_variable;  ///< In which that finds the client_secret; empty where none is.
  /// The provider's page of consent (RFC 6749, section 4.1.1); empty for a login by the command
  /// alone, and then so is the rest.
  std::string address;
  std::string login;  ///< To be shown with the code.
  Timestamp expires_at;
};

/// What a person came back with.
struct FinishedLogin {
  std::string login;
  std::string state;
  std::string code;
};

/// Logins to drives by the provider's own page, with a client of the person's own: the
/// authorization code grant (RFC 6749, section 4.1) with PKCE (RFC 7636). Nothing is stored, so
/// that any server of the catalog ends what another one began. Safe from any thread.
class DriveLogins {
 public:
  /// How long a person may take.
  static constexpr std::chrono::minutes kLife{10};

  DriveLogins(AccountConnectors& connectors, DriveProviders& providers, const Sealer& sealer,
              TokenServers& servers)
      : connectors_(connectors), providers_(providers), sealer_(sealer), servers_(servers) {}

  /// For a new drive, or for one of the account that there is. There is an address where the
  /// parameters name a client and the provider sends people back; `redirect` is where. Contacts
  /// no server. Fails as `DriveAuthorization::before_login` does; `not_found` for no such
  /// connector.
  Task<Result<BegunLogin>> begin(ConnectorOwner owner, std::optional<ConnectorId> id,
                                 ConnectorPatch patch, std::string redirect);

  /// The parameters that the login gives: the token, and what the provider needs besides where the
  /// drive cannot do without. `invalid` for a login of another account, of one who was an
  /// administrator, that ended or was altered, and for the state of another one. Else as
  /// `TokenServers::exchange` says. A code is good once, so that what fails begins again.
  Task<Result<DriveParameters>> end(ConnectorOwner owner, FinishedLogin finished);

 private:
  Task<Result<ConnectorSettings>> settings_for(const ConnectorOwner& owner,
                                               std::optional<ConnectorId> id,
                                               const ConnectorPatch& patch);
  Result<PendingLogin> pending(const ConnectorOwner& owner, const FinishedLogin& finished) const;
  /// Of settings that have a token.
  Task<Result<DriveParameters>> complete(ConnectorSettings settings);

  AccountConnectors& connectors_;
  DriveProviders& providers_;
  const Sealer& sealer_;
  TokenServers& servers_;
};

}  // namespace coffer::core
