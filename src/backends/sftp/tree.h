#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backends/sftp/sftp_remote.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::sftp {

/// All items of a tree as they were when it was read; links in it are not followed.
class Tree {
 public:
  struct TreeItem {
    std::size_t folder;  ///< Its index; the top's is its own.
    std::string name;    ///< The top's is its whole place.
    Attributes attributes;
  };

  /// `refused` if the tree is larger than is kept in memory.
  static Result<Tree> read(const SftpRemote& remote, const std::string& top,
                           const Attributes& attributes,
                           const storage::CopyWatch& watch = storage::nobody());

  /// Folders stand before what is in them.
  const std::vector<TreeItem>& items() const { return items_; }
  /// The item's place if the tree stood at `top`.
  std::string place_of(std::size_t index, const std::string& top) const;
  /// Of files and folders; what is not complete does not count.
  storage::TreeSize size() const;

 private:
  std::vector<TreeItem> items_;
};

}  // namespace coffer::sftp
