#pragma once

#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::core {

/// The folders of this server beneath which administrators may share others by the API. Links that
/// lead out of them are not followed. Safe from any thread. Calls wait for disks and fail with
/// `forbidden` where there are none, for what does not lie beneath one of them and for the server's
/// own data, `not_found` for what is not there, and `invalid` for a file.
class ShareRoots {
 public:
  virtual ~ShareRoots() = default;
  /// The roots by their absolute paths, those that are not there too.
  virtual Result<std::vector<std::string>> roots() const = 0;
  /// The names of the folders in a folder that is named by its absolute path, sorted by bytes.
  virtual Task<Result<std::vector<std::string>>> folders_in(std::string folder) = 0;
  /// Where the folder is, without links.
  virtual Task<Result<std::string>> locate(std::string folder) = 0;
};

}  // namespace coffer::core
