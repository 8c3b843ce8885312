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

/// What a new link is to be.
struct LinkRequest {
  Path path;  ///< From the principal's root, which itself cannot be shared.
  catalog::LinkMode mode = catalog::LinkMode::read;
  std::optional<std::string> password = {};
  std::optional<Timestamp> expires_at = {};  ///< In the future.
  std::optional<std::uint64_t> most_downloads = {};
};

/// A link, and what guests show to use it. Empty where the token cannot be read any more, since the
/// installation's key is another.
struct SharedLink {
  catalog::Link link;
  std::string token;
};

/// One who came by a link.
struct Guest {
  /// The account that made the link, limited to what the link opens. Of the link's mode it knows
  /// only whether it may write: the rest is for the caller to look at.
  Principal principal;
  catalog::Link link;
  bool is_let_in = false;  ///< The link takes no password, or the guest has shown it.

  /// The item from the principal's root: the root itself for a folder.
  Path item() const;
};

/// Share links. Each is a key that only this service lets in: it follows its item when that gets
/// another name or place, dies with it, and opens what its account may reach at that moment. Safe
/// from any thread.
class LinkService {
 public:
  static constexpr std::size_t kMostLinks = 1000;  ///< Of an account.

  LinkService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
              FolderChanges& folder_changes, Authenticator& authenticator, SignInService& sign_in,
              const Sealer& sealer)
      : links_(catalog.links()),
        homes_(homes),
        mounts_(mounts),
        access_recheck_(catalog, mounts),
        folder_changes_(folder_changes),
        authenticator_(authenticator),
        sign_in_(sign_in),
        sealer_(sealer) {}

  /// `invalid` for the root, a time that is over, a password that is too short or long, or uploads
  /// into a file; `not_found` where nothing is; `forbidden` for uploads where nothing may be
  /// written; `rate_limited` where there are too many.
  Task<Result<SharedLink>> create(const Principal& principal, LinkRequest request);
  /// By time of creation.
  Task<Result<std::vector<SharedLink>>> list(const Principal& principal);
  /// `not_found` for what is none of the principal's.
  Task<Result<void>> end(const Principal& principal, std::string_view id);

  /// Who comes with that token, and with what `let_in` gave, if it did. `not_found` for a link that
  /// has ended.
  Task<Result<Guest>> find(std::string_view token, std::string_view pass);
  /// What a guest who knows the password shows from then on; it stands as long as the link and its
  /// password. `unauthenticated` for another password, `rate_limited` after too many.
  Task<Result<std::string>> let_in(std::string_view token, std::string password,
                                   SignInClient client);
  /// Before a download begins: `forbidden` if there were as many as may be.
  Task<Result<void>> count_download(const Guest& guest);

 private:
  struct Item {
    Path scope;
    bool is_folder = false;
    bool read_only = false;
  };
  Task<Result<Item>> look_at(const Principal& principal, const Path& path);
  Task<Result<catalog::Link>> store(const Principal& principal, const Path& path,
                                    catalog::NewLink wanted);
  SharedLink shared(catalog::Link link) const;

  catalog::Links& links_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  AccessRecheck access_recheck_;
  FolderChanges& folder_changes_;
  Authenticator& authenticator_;
  SignInService& sign_in_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
