#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::core {

/// The metadata of an entry, before its content.
struct ArchiveHeader {
  std::string name;  ///< UTF-8, with slashes.
  bool is_directory = false;
  std::uint64_t size_bytes = 0;  ///< The size of the content.
  Timestamp modified_at{};
};

/// Creates an archive in memory. The caller must fetch the output from time to time with
/// take_output. Calls may take long, because they compress. After the error `failed` the archive is
/// unusable. Not safe for concurrent calls.
class ArchiveWriter {
 public:
  ArchiveWriter() = default;
  virtual ~ArchiveWriter() = default;
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// Adds an entry with its whole content, which must have `header.size_bytes` bytes, fewer than
  /// 4 GiB. `invalid` if the format cannot store this entry; the archive stays usable.
  virtual Result<void> add(const ArchiveHeader& header, std::span<const std::byte> content) = 0;

  /// Begins an entry whose content follows in pieces. `invalid` as for `add`.
  virtual Result<void> begin(const ArchiveHeader& header) = 0;
  /// Adds a piece. All of them must not be more than `header.size_bytes`.
  virtual Result<void> write(std::span<const std::byte> content) = 0;
  virtual Result<void> end_entry() = 0;
  virtual Result<void> finish() = 0;

  /// Returns true if the content of an entry may not end before `header.size_bytes`.
  virtual bool needs_whole_entries() const = 0;
  /// Returns how much memory an entry takes until the end of the archive, at most.
  virtual std::uint64_t kept_bytes_of(const ArchiveHeader& header) const = 0;

  virtual std::size_t output_bytes() const = 0;
  /// Replaces the content of `into` by the next output, and reuses the memory of `into`. Gives all
  /// that is ready; after `finish` it may have to be called until it gives nothing.
  virtual void take_output(std::string& into) = 0;
};

}  // namespace coffer::core
