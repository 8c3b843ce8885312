#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/accounts/account_slots.h"
#include "core/files/files.h"
#include "core/namespace/principal.h"
#include "core/tasks/work_pools.h"
#include "thumbnails/image_program.h"
#include "thumbnails/thumbnail_cache.h"

namespace coffer::core {

/// A small image of the current content of a file.
struct Thumbnail {
  std::string key;  ///< A hash of the account, path, version of the file and image size.
  std::optional<std::string> image;  ///< WebP; nullopt if no thumbnail can be made of the file.
};

/// Makes thumbnails of images. Safe from any thread.
class ThumbnailService {
 public:
  /// The size of the largest file that gets a thumbnail.
  static constexpr std::uint64_t kLargestFileBytes = std::uint64_t{32} * 1024 * 1024;

  /// `folder` is the folder on disk where thumbnails are cached.
  ThumbnailService(Files& files, WorkPools& pools, std::filesystem::path folder);

  /// Returns a thumbnail of the file at `path`, at most `pixels` wide and high. Fails as
  /// Files::open does. Also fails with `overloaded` if there is too little memory, or if the
  /// account already has too many requests in progress, and with `timed_out` if the server of the
  /// image is too slow. Images on slow servers delay no others than those on servers.
  /// `is_unwanted` is asked when its turn has come; if it returns true nothing is made, and the
  /// call fails with `conflict`.
  Task<Result<Thumbnail>> of(const Principal& principal, const Path& path, unsigned pixels,
                             const std::function<bool()>& is_unwanted);

 private:
  class Turn;
  Task<Result<void>> make(AccountId account, OpenFile& file, unsigned pixels,
                          const std::function<bool()>& is_unwanted, Thumbnail& thumbnail);

  Files& files_;
  WorkPools& pools_;
  const std::optional<thumbnails::ImageProgram> program_;
  thumbnails::ThumbnailCache cache_;
  std::mutex mutex_;
  std::map<AccountId, int> waiting_;  ///< The number of an account's requests in progress.
  AccountSlots reading_;              ///< For images on servers, which may be slow.
  AccountSlots slots_;
  Pool pool_;  ///< For the program; the cache is looked at on the account's threads.
};

}  // namespace coffer::core
