#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"

namespace coffer::core {

/// The word is the extension of such files' names, without a dot in front.
enum class ArchiveFormat : std::uint8_t { zip, tar, tar_zst };
constexpr auto words_of(ArchiveFormat) {
  using enum ArchiveFormat;
  return enum_words<ArchiveFormat>({{zip, "zip"}, {tar, "tar"}, {tar_zst, "tar.zst"}});
}

/// The metadata of an entry, before its content.
struct ArchiveHeader {
  std::string name;  ///< UTF-8, with slashes.
  bool is_directory = false;
  /// The number of bytes that follow.
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};
  /// Fewer bytes may follow in a zip, which then has the size behind them (as Zip64).
  bool may_end_early = false;
};

/// Makes an archive in memory, from which the caller takes the output: a zip, with Zip64 if it is
/// large, or a POSIX tar (pax). A zip keeps some bytes for each entry until its end. Compresses, so
/// calls may take long. Not safe for concurrent calls.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ArchiveFormat format);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// `invalid` if the format cannot hold such an entry; after any other failure, which is `failed`,
  /// the archive is unusable.
  Result<void> begin(const ArchiveHeader& header);
  Result<void> write(std::span<const std::byte> content);
  Result<void> end_entry();
  Result<void> finish();

  /// True if an entry must have all the bytes that its header says.
  bool needs_whole_entries() const { return format_ != ArchiveFormat::zip; }
  std::size_t output_bytes() const;
  /// Returns the output since the last call in `into`, whose memory is used again.
  void take_output(std::string& into);

 private:
  struct State;
  const ArchiveFormat format_;
  std::unique_ptr<State> state_;
};

}  // namespace coffer::core
