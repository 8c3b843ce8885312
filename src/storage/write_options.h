#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/error.h"
#include "storage/file_version.h"

namespace coffer::storage {

/// What publishing does when the name is taken by a file. A folder's name is never taken over.
enum class IfTaken : std::uint8_t {
  replace,  ///< The new content takes the place of the old in one step.
  refuse,   ///< `exists`.
};

struct WriteOptions {
  IfTaken if_taken = IfTaken::replace;
  /// The only state of the file at that name that may be replaced: `changed` for another one, and
  /// where there is none. A server that cannot look and replace in one step is asked right before.
  std::optional<FileVersion> replaces = {};
  std::optional<Timestamp> modified_at = {};  ///< To keep a copied file's time where possible.
  /// Where it is known, so that a backend whose server wants it first need not collect the content.
  /// The content must be as long.
  std::optional<std::uint64_t> size_bytes = {};
  /// The target's folder lies in a tree that is out of sight and that only the caller writes to,
  /// each name once. Then content may be collected under the target's own name, publishing need not
  /// look at the server, and the caller checks what arrived. What is not published goes with that
  /// tree.
  bool out_of_sight = false;
};

/// Whether what has the name may be replaced: `old` is the file there, or nothing. `exists` or
/// `changed` as the options have it.
Result<void> check_taken(const WriteOptions& options, const std::optional<FileVersion>& old);

}  // namespace coffer::storage
