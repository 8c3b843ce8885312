#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/entry.h"

namespace coffer::storage {

/// The action of publishing when a file has the name. A folder is never replaced.
enum class IfTaken : std::uint8_t {
  replace,  ///< The new content takes the place of the old in one step.
  refuse,   ///< `exists`.
};

struct WriteOptions {
  IfTaken if_taken = IfTaken::replace;
  /// The state that the replaced file must have: `changed` if it has another one or is missing. On
  /// servers that cannot check and replace in one step, it is checked right before.
  std::optional<FileVersion> replaces = {};
  std::optional<Timestamp> modified_at = {};  ///< Set on the new file where the backend can.
  /// The content's exact size if it is known: some servers want it first, and the backend then
  /// need not collect the content.
  std::optional<std::uint64_t> size_bytes = {};
  /// The target's folder is in a hidden tree that only the caller writes to, each name once. The
  /// content may then be collected under the target's own name, publishing asks the server nothing,
  /// the caller checks the result, and removes unpublished content with the tree.
  bool out_of_sight = false;
};

/// Checks the file that has the name, if any, against the options: `exists` or `changed` if it may
/// not be replaced.
Result<void> check_taken(const WriteOptions& options, const std::optional<FileVersion>& old);

/// New content for one file, collected out of sight until Backend::publish shows it. A writer that
/// is destroyed before leaves nothing behind. Not safe for concurrent calls.
class Writer {
 public:
  virtual ~Writer() = default;

  /// Appends all of `data`. `disk_full` if there is no room, `failed` if the disk is broken.
  virtual Task<Result<void>> write(std::span<const std::byte> data) = 0;
  virtual std::uint64_t written_bytes() const = 0;
  /// Takes an open file of this machine as the whole content, instead of `write`, by giving it
  /// another name. After publishing, the file must not be written to. False if nothing was done,
  /// since the file is on another disk or the backend cannot do this; most cannot.
  virtual Task<Result<bool>> adopt(int /*descriptor*/, std::uint64_t /*size_bytes*/) {
    co_return false;
  }
  /// The partial name beside the target under which content is collected; empty for a backend with
  /// a staging folder.
  virtual std::string_view staged_name() const { return {}; }

  /// Ends the content, and makes it safe from a crash if the backend is durable. Frees descriptors,
  /// connections and memory, so that many finished writers can wait to be published together.
  /// Publishing calls it for writers that are not finished.
  virtual Task<Result<void>> finish() = 0;

  /// Gives the content up. When it returns, nothing more of it is sent to the server, so that the
  /// caller can remove the folder. No other call may follow.
  virtual Task<void> abandon() { co_return; }

  /// After publishing: the state in which the file was shown; nullopt if the backend is not
  /// certain.
  virtual Task<std::optional<FileVersion>> shown_version() { co_return std::nullopt; }
};

/// The change that publishing one writer made.
struct Published {
  std::uint64_t size_bytes = 0;      ///< Of the new file.
  std::uint64_t replaced_bytes = 0;  ///< Of the file whose place it took; 0 if there was none.
  bool replaced = false;
};

/// The growth of a tree by several publications.
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
