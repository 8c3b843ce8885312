#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/backend.h"
#include "storage/entry.h"
#include "storage/listed.h"

namespace coffer::core {

/// A file or folder that goes into an archive.
struct ArchiveItem {
  std::shared_ptr<storage::Backend> backend;
  Path path;         ///< The path in the backend.
  std::string name;  ///< The path in the archive, with slashes.
  storage::Entry entry;
  /// Returns true for names that are reserved for mounts. If this item is a folder, items with such
  /// names directly in it are left out. May be null: no names are reserved.
  bool (*is_reserved)(std::string_view name) = nullptr;
};

/// Makes unique names for the items at the top level of an archive.
class ArchiveNames {
 public:
  /// Returns `name` and marks it as taken. If it was taken before, adds a number: `photo (2).jpg`.
  std::string take_file(std::string_view name);
  /// Returns `name` and marks it as taken. If it was taken before, adds a number at the end.
  std::string take_folder(std::string_view name);

 private:
  std::string take(std::string_view stem, std::string_view extension);

  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_numbers_;  ///< For names that are taken.
};

/// The text of an archive's last entry, which lists the items that are missing or incomplete in the
/// archive. Once the text is long, it only counts further items.
class ArchiveReport {
 public:
  /// `name` is the item's name in the archive, `reason` a sentence.
  void add(std::string_view name, std::string_view reason);
  bool is_empty() const { return lines_.empty(); }
  std::string text() const;

 private:
  std::string lines_;
  std::size_t untold_ = 0;
};

/// Returns a further item for the top level of an archive; nullopt at the end. Adds those that
/// cannot be read to the report.
using MoreItems = std::function<Task<std::optional<ArchiveItem>>(ArchiveReport&)>;

/// Walks files and folders; a folder comes before its content. Keeps in memory only the listings of
/// the folders above the current item. Adds missing and incomplete items to the report.
class ArchiveTree {
 public:
  /// The pool and the report must outlive the tree.
  ArchiveTree(std::vector<ArchiveItem> tops, MoreItems more, storage::ListFolder list, Pool& pool,
              ArchiveReport& report);

  /// Returns the next item; nullopt at the end. Fails if there is no memory for a listing. A
  /// symbolic link to a file is returned as a file. A symbolic link to a folder is left out,
  /// because it may form a cycle, and added to the report.
  Task<Result<std::optional<ArchiveItem>>> next();

 private:
  struct Level {
    ArchiveItem folder;
    storage::Listed listed;
    std::size_t next = 0;
  };
  Task<Result<void>> enter(const ArchiveItem& folder);
  void tell_what_is_not_listed(const ArchiveItem& folder, const storage::FolderListing& listing);
  void arrange(Level& level);
  bool takes(const ArchiveItem& folder, const storage::Entry& entry);
  static ArchiveItem item_of(const ArchiveItem& folder, storage::Entry entry);

  std::deque<ArchiveItem> tops_;
  const MoreItems more_;
  const storage::ListFolder list_;
  Pool& pool_;
  ArchiveReport& report_;
  std::vector<Level> levels_;
};

}  // namespace coffer::core
