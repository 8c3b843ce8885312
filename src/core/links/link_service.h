#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/connectors/sealer.h"
#include "core/keys/authenticator.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"
#include "core/sessions/sign_in_service.h"

namespace coffer::core {

/// A request for a new link.
struct LinkRequest {
  Path path;  ///< From the principal's root, which itself cannot be shared.
  catalog::LinkMode mode = catalog::LinkMode::read;
  std::optional<std::string> password = {};
  std::optional<Timestamp> expires_at = {};  ///< In the future.
  std::optional<std::uint64_t> most_downloads = {};
};

/// A link and the token that guests use it with. The token is empty if it cannot be decrypted,
/// since the installation's key was replaced.
struct SharedLink {
  catalog::Link link;
  std::string token;
};

/// A visitor who came by a link.
struct Guest {
  /// The account that made the link, limited to the link's item. It covers whether the guest may
  /// write; the caller checks the rest of the link's mode.
  Principal principal;
  catalog::Link link;
  bool is_let_in = false;  ///< The link has no password, or the guest has entered it.

  /// The item from the principal's root: the root itself for a folder.
  Path item() const;
};

/// Share links. Each is a key that only this service accepts: it follows its item when that is
/// renamed or moved, ends with it, and gives access to what its account may reach at that moment.
/// Safe from any thread.
class LinkService {
 public:
  static constexpr std::size_t kMostLinks = 1000;  ///< Of an account.

  LinkService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
              FolderChanges& folder_changes, Authenticator& authenticator, SignInService& sign_in,
              const Sealer& sealer)
      : links_(catalog.links()),
        namespace_(homes, mounts),
        access_recheck_(catalog, mounts),
        folder_changes_(folder_changes),
        authenticator_(authenticator),
        sign_in_(sign_in),
        sealer_(sealer) {}

  /// Creates a link. `invalid` for the root, a time in the past, a password that is too short or
  /// long, or uploads into a file; `not_found` for a missing item; `forbidden` for uploads to a
  /// read-only place; `rate_limited` if the account has too many links.
  Task<Result<SharedLink>> create(const Principal& principal, LinkRequest request);
  /// Returns the principal's links by time of creation.
  Task<Result<std::vector<SharedLink>>> list(const Principal& principal);
  /// Ends a link; `not_found` if the principal has no such link.
  Task<Result<void>> end(const Principal& principal, std::string_view id);

  /// Identifies a guest by the link's token and by the pass from `let_in`, which may be empty.
  /// `not_found` for a link that has ended.
  Task<Result<Guest>> find(std::string_view token, std::string_view pass);
  /// Checks a password and returns a pass for `find`, valid as long as the link and its password.
  /// `unauthenticated` for a wrong password, `rate_limited` after too many.
  Task<Result<std::string>> let_in(std::string_view token, std::string password,
                                   SignInClient client);
  /// Counts a download before it begins; `forbidden` if the link has no downloads left.
  Task<Result<void>> count_download(const Guest& guest);

 private:
  struct Item {
    Path scope;
    bool is_folder = false;
    bool read_only = false;
  };
  Task<Result<Item>> find_item(const Principal& principal, const Path& path);
  Task<Result<catalog::Link>> store(const Principal& principal, const Path& path,
                                    catalog::NewLink wanted);
  SharedLink shared(catalog::Link link) const;

  catalog::Links& links_;
  const Namespace namespace_;
  AccessRecheck access_recheck_;
  FolderChanges& folder_changes_;
  Authenticator& authenticator_;
  SignInService& sign_in_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
