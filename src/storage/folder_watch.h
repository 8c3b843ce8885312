#pragma once

#include <cstdint>
#include <functional>

namespace coffer::storage {

/// What a watch tells.
enum class FolderNotice : std::uint8_t {
  changed,  ///< An item of the folder came, went or was written, or the folder itself did.
  missed,   ///< Something may have changed, here or elsewhere: the kernel could not keep up.
  lost,     ///< The backend's root is not where it was: the backend is to be opened anew.
};

/// Called by any thread, maybe once more while the watch ends. It must not throw, wait, or end a
/// watch.
using FolderListener = std::function<void(FolderNotice)>;

/// One folder that is watched, as long as this lives.
class FolderWatch {
 public:
  virtual ~FolderWatch() = default;
};

}  // namespace coffer::storage
