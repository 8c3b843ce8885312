#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/local/handle.h"
#include "core/connectors/share_service.h"

namespace coffer::mounts {

/// The folders that can be shared: those beneath the folders of the setting `share_roots`.
class LocalShareRoots final : public core::ShareRoots {
 public:
  /// No folder in the server's data folder, `data`, can be shared. The pool must outlive it.
  LocalShareRoots(std::vector<std::string> roots, std::filesystem::path data, Pool& pool);

  Result<std::vector<std::string>> roots() const override;
  Task<Result<std::vector<std::string>>> folders_in(std::string folder) override;
  Task<Result<std::string>> locate(std::string folder) override;

 private:
  struct Found {
    local::Handle handle;
    std::filesystem::path folder;  ///< Without symbolic links.
  };
  // These functions block until the disk answers.
  Result<Found> open(const std::string& folder) const;
  Result<std::vector<std::string>> list(const std::string& folder) const;
  /// True if the directory entry with the path `whole` and the type `type` (`d_type` in readdir(3))
  /// is a folder that can be shared, or a symbolic link to one. `found` is its folder.
  bool is_shown(const Found& found, const std::string& whole, unsigned char type) const;
  bool is_own_data(const std::filesystem::path& folder) const;

  std::vector<std::string> roots_;  ///< Normalized and sorted, without a slash at the end.
  const std::filesystem::path data_;
  Pool& pool_;
};

}  // namespace coffer::mounts
