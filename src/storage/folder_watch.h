#pragma once

#include <cstdint>
#include <functional>

namespace coffer::storage {

/// An event of a watch.
enum class FolderNotice : std::uint8_t {
  changed,  ///< An item of the folder, or the folder itself, was made, removed or written.
  missed,   ///< Anything may have changed: the kernel's queue of events was full.
  lost,     ///< The backend's root was moved or replaced: open the backend again.
};

/// Called by any thread, possibly once more while the watch is destroyed. Must not throw, block, or
/// destroy a watch.
using FolderListener = std::function<void(FolderNotice)>;

/// A watch of one folder; it ends when this is destroyed.
class FolderWatch {
 public:
  virtual ~FolderWatch() = default;
};

}  // namespace coffer::storage
