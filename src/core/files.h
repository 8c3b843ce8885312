#pragma once

#include <memory>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/background.h"
#include "core/homes.h"
#include "core/long_work.h"
#include "core/mounts.h"
#include "core/principal.h"
#include "core/relocation.h"
#include "core/space.h"
#include "core/upload.h"
#include "storage/backend.h"

namespace coffer::core {

/// An item as its principal sees it.
struct Item {
  storage::Entry entry;
  Path folder;  ///< Where it is, from the principal's root; the root itself is in the root.
  bool read_only = false;
  std::optional<Mount> mount;  ///< If the item is the top of one.
};

struct OpenFile {
  Space space;  ///< Keeps the reader's backend alive, so it goes last.
  std::unique_ptr<storage::Reader> reader;
};

/// What people do with files, under the rules of the namespace, the quota and the keys' scopes.
/// Safe from any thread. Errors are told in the order of the contract: form, rights, existence,
/// conflict, quota.
class Files {
 public:
  Files(catalog::Catalog& catalog, Homes& homes, Mounts& mounts, Background& background,
        LongWork& long_work)
      : catalog_(catalog),
        homes_(homes),
        mounts_(mounts),
        background_(background),
        relocation_(catalog, mounts, background, long_work) {}

  Task<Result<std::vector<Location>>> locations(const Principal& principal);
  /// The items of a folder in the order of a listing; `invalid` for a file.
  Task<Result<std::vector<Item>>> list(const Principal& principal, const Path& folder);
  Task<Result<Item>> info(const Principal& principal, const Path& path);
  /// `invalid` for a folder.
  Task<Result<OpenFile>> open(const Principal& principal, const Path& path);

  /// Begins an upload into an existing folder. `content_length` is the request's, if it has one;
  /// `over_quota` if that cannot fit.
  Task<Result<std::unique_ptr<Upload>>> upload(const Principal& principal, const Path& folder,
                                               std::optional<std::uint64_t> content_length);

  /// Missing parents are made too; `exists` if the name is taken.
  Task<Result<void>> make_folder(const Principal& principal, const Path& parent, const Name& name);
  /// An empty file. False if the name was taken, and nothing changed.
  Task<Result<bool>> make_file(const Principal& principal, const Path& parent, const Name& name);
  /// Gives an item another name where it is.
  Task<Result<void>> rename(const Principal& principal, const Path& path, const Name& new_name);
  /// Puts an item, under its own name, into the folder `to`, of another place too; what takes long
  /// is a task that goes on when the caller goes away.
  Task<Result<void>> move(const Principal& principal, const Path& from, const Path& to);
  Task<Result<void>> copy(const Principal& principal, const Path& from, const Path& to);
  /// Deletes an item with all in it and revokes the keys scoped there.
  Task<Result<void>> remove(const Principal& principal, const Path& path);

 private:
  catalog::Catalog& catalog_;
  Homes& homes_;
  Mounts& mounts_;
  Background& background_;
  Relocation relocation_;
};

}  // namespace coffer::core
