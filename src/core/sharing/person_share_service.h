#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

struct PersonShareRequest {
  Path path;  ///< The item to share, from the principal's root.
  catalog::ShareAccess access = catalog::ShareAccess::read;
  std::vector<catalog::Receiver> receivers;
};

/// What an account receives.
struct ReceivedShare {
  std::shared_ptr<const catalog::PersonShare> share;  ///< With the widest access.
  /// How the account has this access: itself, or groups that it is in.
  std::vector<catalog::Receiver> through;
};

/// Manages what accounts share with each other (docs/adr/0069): files and folders of their own. A
/// share follows its item when it is renamed or moved within the own files, and ends when it is
/// deleted or leaves them. For receivers it is a mount. Safe from any thread.
class PersonShareService {
 public:
  static constexpr std::size_t kMostFound = 20;     ///< Of one search for people.
  static constexpr std::size_t kLeastSearched = 2;  ///< Characters.

  PersonShareService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                     FolderChanges& folder_changes, catalog::Acquaintance among)
      : shares_(catalog.people_shares()),
        mounts_(mounts),
        namespace_(homes, mounts),
        access_recheck_(catalog, mounts),
        folder_changes_(folder_changes),
        among_(among) {}

  /// Changes whom accounts may share with and find, from now on.
  void let_share_with(catalog::Acquaintance among) { among_ = among; }

  /// Shares an item. Errors, besides those of catalog::PeopleShares::create:
  /// - `forbidden` if the item is not one of the account's own files
  /// - `invalid` if it is the root, or a file that things are to be added to
  /// - `not_found` if there is no such item
  Task<Result<catalog::GivenShare>> create(const Principal& principal, PersonShareRequest request);
  /// Returns what the account shares, the oldest first.
  Task<Result<std::vector<catalog::GivenShare>>> list_given(const Principal& principal);
  /// Returns what the account receives, by name, each item once.
  Task<Result<std::vector<ReceivedShare>>> list_received(const Principal& principal);
  /// Returns the share with this id as the account receives its item; `not_found` if it does not.
  Task<Result<ReceivedShare>> find_received(const Principal& principal, std::string id);
  /// Returns a share of the account; `not_found` if it has given none with this id.
  Task<Result<catalog::GivenShare>> find_given(const Principal& principal, std::string id);
  /// Changes a share of the account. Fails as `find_given` and `create` do.
  Task<Result<catalog::GivenShare>> change(const Principal& principal, std::string id,
                                           std::optional<catalog::ShareAccess> access,
                                           std::optional<std::vector<catalog::Receiver>> receivers);
  /// Ends a share of the account for all, or one that it receives for it alone; `not_found` if
  /// there is neither.
  Task<Result<void>> end(const Principal& principal, std::string id);
  /// Returns the accounts and groups that the text finds (catalog::PeopleShares::search), at most
  /// kMostFound; `invalid` if it has fewer than kLeastSearched characters.
  Task<Result<std::vector<catalog::Receiver>>> search(const Principal& principal, std::string text);

 private:
  struct Item {
    Path scope;
    bool is_folder = false;
  };
  Task<Result<Item>> find_item(const Principal& principal, const Path& path);

  catalog::PeopleShares& shares_;
  Mounts& mounts_;
  const Namespace namespace_;
  AccessRecheck access_recheck_;
  FolderChanges& folder_changes_;
  std::atomic<catalog::Acquaintance> among_;
};

}  // namespace coffer::core
