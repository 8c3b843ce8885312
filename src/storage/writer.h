#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "storage/file_version.h"

namespace coffer::storage {

/// New content for one file, collected out of sight. Nothing shows under the target's name before
/// Backend::publish; a writer destroyed before that leaves nothing behind. Not safe for concurrent
/// calls.
class Writer {
 public:
  virtual ~Writer() = default;

  /// Appends; all of `data` is taken before it returns. `disk_full` when there is no room, `failed`
  /// when the disk is broken.
  virtual Task<Result<void>> write(std::span<const std::byte> data) = 0;
  virtual std::uint64_t written_bytes() const = 0;
  /// Takes an open file of this machine as the whole content, in the place of any `write`. It gets
  /// one more name, and must not be written to any more if it was published. False, and nothing
  /// was done, where that cannot be: from another disk, and for most backends.
  virtual Task<Result<bool>> adopt(int /*descriptor*/, std::uint64_t /*size_bytes*/) {
    co_return false;
  }
  /// The partial name beside the target under which content is collected; empty for a backend that
  /// has a place out of sight.
  virtual std::string_view staged_name() const { return {}; }

  /// Ends the content: it is complete and, if the backend is durable, safe from a crash. It frees
  /// what only writing needs (a descriptor, a connection, memory), so that many finished writers
  /// may wait to be published together. Publishing does it for writers that are not finished yet.
  virtual Task<Result<void>> finish() = 0;

  /// To be awaited by a caller that gives the content up and then removes its folder: when this
  /// returns, the server gets nothing more of it. Nothing else is called then.
  virtual Task<void> abandon() { co_return; }

  /// Once published: the state in which the file was shown, where the backend knows it for certain.
  virtual Task<std::optional<FileVersion>> shown_version() { co_return std::nullopt; }
};

/// What publishing one writer changed.
struct Published {
  std::uint64_t size_bytes = 0;      ///< Of the new file.
  std::uint64_t replaced_bytes = 0;  ///< Of the file whose place it took; 0 if there was none.
  bool replaced = false;
};

/// By how much publications let a tree grow.
class Growth {
 public:
  void add(const Published& one) {
    added_bytes_ += one.size_bytes;
    freed_bytes_ += one.replaced_bytes;
  }
  bool is_within(std::uint64_t limit_bytes) const {
    return added_bytes_ <= freed_bytes_ || added_bytes_ - freed_bytes_ <= limit_bytes;
  }

 private:
  std::uint64_t added_bytes_ = 0;
  std::uint64_t freed_bytes_ = 0;
};

}  // namespace coffer::storage
