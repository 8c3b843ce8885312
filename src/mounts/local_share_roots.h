#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/local/handle.h"
#include "core/connectors/share_service.h"

namespace coffer::mounts {

/// ShareRoots as the settings name them.
class LocalShareRoots final : public core::ShareRoots {
 public:
  /// No folder in `data` is shown. The pool must outlive it.
  LocalShareRoots(std::vector<std::string> roots, std::filesystem::path data, Pool& pool);

  Result<std::vector<std::string>> roots() const override;
  Task<Result<std::vector<std::string>>> folders_in(std::string folder) override;
  Task<Result<std::string>> locate(std::string folder) override;

 private:
  struct Found {
    local::Handle handle;
    std::filesystem::path folder;  ///< Without links.
  };
  // These wait for the disk.
  Result<Found> open(const std::string& folder) const;
  Result<std::vector<std::string>> list(const std::string& folder) const;
  /// True if the target of an entry of that name may be picked.
  bool is_shown(const Found& found, const std::string& whole, unsigned char type) const;
  bool is_own_data(const std::filesystem::path& folder) const;

  std::vector<std::string> roots_;  ///< Without a slash at the end.
  const std::filesystem::path data_;
  Pool& pool_;
};

}  // namespace coffer::mounts
