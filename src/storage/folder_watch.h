#pragma once

#include <cstdint>
#include <functional>

namespace coffer::storage {

/// An event that a watch reports.
enum class FolderNotice : std::uint8_t {
  changed,  ///< An item in the folder, or the folder itself, was created, removed or written.
  missed,   ///< Events were missed, since the kernel's queue was full: anything may have changed.
  lost,     ///< The backend's root was moved or replaced: the backend must be opened again.
};

/// Any thread may call a listener. A call may still happen while the watch is being destroyed. A
/// listener must not throw, block or destroy a watch.
using FolderListener = std::function<void(FolderNotice)>;

/// A watch of one folder. Destroying the object ends the watch.
class FolderWatch {
 public:
  virtual ~FolderWatch() = default;
};

}  // namespace coffer::storage
