#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/local/handle.h"
#include "core/connectors/share_service.h"

namespace coffer::mounts {

/// The folders that can be shared: those of the setting `share_roots`, and all folders in them.
class LocalShareRoots final : public core::ShareRoots {
 public:
  /// `data` is Coffer's data folder. This folder and the folders in it cannot be shared. The pool
  /// must outlive this object.
  LocalShareRoots(std::vector<std::string> roots, std::filesystem::path data, Pool& pool);

  /// Replaces the roots. Safe from any thread.
  void set(std::vector<std::string> roots);

  Result<std::vector<std::string>> roots() const override;
  Task<Result<std::vector<std::string>>> folders_in(std::string folder) override;
  Task<Result<std::string>> locate(std::string folder) override;
  Task<Result<std::string>> locate_any(std::string folder) override;

 private:
  struct Found {
    local::Handle handle;
    std::filesystem::path folder;  ///< Its path without symbolic links.
  };
  // These functions block until the disk answers.
  Result<Found> open(const std::string& folder) const;
  Result<std::vector<std::string>> list(const std::string& folder) const;
  /// True if a directory entry is a folder that can be shared, or a symbolic link to such a folder.
  /// `found` is the folder that contains the entry, `whole` is the path of the entry, and `type` is
  /// its `d_type` (readdir(3)).
  bool is_shown(const Found& found, const std::string& whole, unsigned char type) const;
  bool is_own_data(const std::filesystem::path& folder) const;

  mutable std::mutex mutex_;
  std::vector<std::string> roots_;  ///< Normalized and sorted; only `/` ends with a slash.
  const std::filesystem::path data_;
  Pool& pool_;
};

}  // namespace coffer::mounts
