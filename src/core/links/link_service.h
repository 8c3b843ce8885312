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
#include "core/sessions/password_queue.h"
#include "core/sessions/sign_in_service.h"

namespace coffer::core {

struct LinkRequest {
  Path path;  ///< The item to share, from the principal's root. Must not be the root.
  catalog::LinkMode mode = catalog::LinkMode::read;
  std::optional<NewPassword> password = {};
  std::optional<Timestamp> expires_at = {};  ///< Must be in the future.
  std::optional<std::uint64_t> most_downloads = {};
};

/// A share link and its token, the secret part of the link's URL. The token is empty if it cannot
/// be decrypted any more, because the installation's encryption key was replaced, and for keys that
/// may only read.
struct SharedLink {
  catalog::Link link;
  std::string token;
};

/// A visitor who uses a share link.
struct Guest {
  /// The account that created the link, limited to the link's item, and read-only unless the link
  /// allows uploads. The caller must hide the content of an upload link's folder (see LinkMode).
  Principal principal;
  catalog::Link link;
  bool is_let_in = false;  ///< True if the link has no password, or the guest entered it.

  /// Returns the item's path from the principal's root: the file's name, or the root for a folder.
  Path item() const;
};

/// Manages share links. The catalog stores a link as a key, but its token is not accepted as an API
/// key. A link stays valid when its item is renamed or moved, and ends when its item is deleted. A
/// guest can access only what the link's account can currently access. Safe from any thread.
class LinkService {
 public:
  static constexpr std::size_t kMostLinks = 1000;  ///< The most links of one account.
  static constexpr std::size_t kVisitDigits = 32;  ///< Hexadecimal ones, of visit_of.

  LinkService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
              FolderChanges& folder_changes, Authenticator& authenticator, SignInService& sign_in,
              PasswordQueue& passwords, const Sealer& sealer)
      : links_(catalog.links()),
        namespace_(homes, mounts),
        access_recheck_(catalog, mounts),
        folder_changes_(folder_changes),
        authenticator_(authenticator),
        sign_in_(sign_in),
        passwords_(passwords),
        sealer_(sealer) {}

  /// Creates a link. Errors:
  /// - `invalid` if the path is the root, or `expires_at` is in the past
  /// - `invalid` if the password is too short or too long
  /// - `invalid` if the link is for uploads and the item is a file
  /// - `forbidden` if the link is for uploads and the item is read-only
  /// - `not_found` if the item does not exist
  /// - `rate_limited` if the account has too many links
  /// - `rate_limited` and `overloaded` as PasswordQueue::enter, if there is a password, which is
  ///   hashed after all other checks
  Task<Result<SharedLink>> create(const Principal& principal, LinkRequest request);
  /// Returns the links of the principal's account, the oldest first.
  Task<Result<std::vector<SharedLink>>> list(const Principal& principal);
  /// Returns the links that receivers made in what the account shares, the oldest first, as
  /// catalog::Links::list_in_shares_of. Their tokens are their makers'.
  Task<Result<std::vector<catalog::LinkInShare>>> list_in_shares(const Principal& principal);
  /// Ends a link of the account, or one that a receiver made in what it shares; `not_found` if
  /// there is no such link.
  Task<Result<void>> end(const Principal& principal, std::string_view id);

  /// Returns a guest for the link with this token. `pass` is what `let_in` returned, or empty if
  /// the guest entered no password. `not_found` if there is no such link, or if it has ended.
  Task<Result<Guest>> find(std::string_view token, std::string_view pass);
  /// Checks a link's password and returns a pass for `find`. The pass is valid until the link ends
  /// or its password changes. Fails as SignInService::check_guest.
  Task<Result<std::string>> let_in(std::string_view token, std::string password,
                                   std::string address);
  /// Counts a download. Call it before the download; `forbidden` if the link allows no further one.
  Task<Result<void>> count_download(const Guest& guest);
  /// Charges a link whose downloads are limited for bytes that a guest is about to get (see
  /// catalog::charge_download); `forbidden` if it gives no more.
  Task<Result<void>> charge(AccountId account, catalog::LinkCharge charge);
  /// Returns what stands for a file with this content in a charge.
  static std::string file_of(const Path& path, std::string_view etag);
  /// Returns the name of a guest's visit: the same for all from one network, and not to be guessed.
  static std::string visit_of(const catalog::Link& link, const std::string& address);
  /// Forgets what guests paid for and did not take within a day.
  Task<void> sweep_visits();

 private:
  struct Item {
    Path scope;
    bool is_folder = false;
    bool read_only = false;
  };
  Task<Result<Item>> find_item(const Principal& principal, const Path& path);
  /// `invalid` or `forbidden`, as `create`, if the item is not one for a link of this mode.
  static Result<void> check_item(catalog::LinkMode mode, const Item& item);
  Task<Result<catalog::Link>> store(const Principal& principal, const Path& path,
                                    catalog::NewLink wanted, std::optional<NewPassword> password);
  SharedLink shared(catalog::Link link) const;

  catalog::Links& links_;
  const Namespace namespace_;
  AccessRecheck access_recheck_;
  FolderChanges& folder_changes_;
  Authenticator& authenticator_;
  SignInService& sign_in_;
  PasswordQueue& passwords_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
