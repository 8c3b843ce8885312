#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::core {

enum class ArchiveFormat : std::uint8_t { zip, tar, tar_zst };
/// The extension of such files' names, without a dot in front.
std::string_view to_string(ArchiveFormat format);

/// What an archive says of an entry in front of its content.
struct ArchiveHeader {
  std::string name;  ///< UTF-8, with slashes.
  bool is_directory = false;
  /// As many bytes are to follow.
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};
  /// Fewer may follow in a zip, which then tells the size behind them (as Zip64, since it may be
  /// any).
  bool may_end_early = false;
};

/// Makes an archive in memory, to be taken away as it grows: a zip with Zip64 where it is large, a
/// tar as POSIX has it (pax). A zip keeps some bytes for each entry until its end. Packs, so it is
/// for threads that may work for a while. Not safe for concurrent calls.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ArchiveFormat format);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// `invalid` where this format cannot hold such an entry; all other failures are `failed`, and
  /// the archive is then of no more use.
  Result<void> begin(const ArchiveHeader& header);
  Result<void> write(std::span<const std::byte> content);
  Result<void> end_entry();
  Result<void> finish();

  /// True if an entry must have all the bytes that its header says.
  bool needs_whole_entries() const { return format_ != ArchiveFormat::zip; }
  std::size_t output_bytes() const;
  /// What was made since this was last called; `into` gives its memory for what follows.
  void take_output(std::string& into);

 private:
  struct State;
  const ArchiveFormat format_;
  std::unique_ptr<State> state_;
};

}  // namespace coffer::core
