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

/// The format of an archive. Its word (see words_of) is also the file extension of such archives.
enum class ArchiveFormat : std::uint8_t { zip, tar, tar_zst };
constexpr auto words_of(ArchiveFormat) {
  using enum ArchiveFormat;
  return enum_words<ArchiveFormat>({{zip, "zip"}, {tar, "tar"}, {tar_zst, "tar.zst"}});
}

/// The metadata of an entry, before its content.
struct ArchiveHeader {
  std::string name;  ///< UTF-8, with slashes.
  bool is_directory = false;
  std::uint64_t size_bytes = 0;  ///< The size of the content.
  Timestamp modified_at{};
  /// True if the content may turn out shorter than `size_bytes`. A zip allows this: it stores the
  /// actual size after the content (as Zip64). Other formats ignore this field: their content must
  /// have `size_bytes` bytes.
  bool may_end_early = false;
};

/// Creates an archive in memory: a zip (Zip64 if it is large) or a POSIX tar (pax). The caller must
/// fetch the output from time to time with take_output. For each entry, a zip keeps some bytes in
/// memory until the end of the archive. Calls may take long, because they compress. After the
/// error `failed` the archive is unusable. Not safe for concurrent calls.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ArchiveFormat format);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// Begins an entry. `invalid` if the format cannot store this entry; the archive stays usable.
  Result<void> begin(const ArchiveHeader& header);
  Result<void> write(std::span<const std::byte> content);
  Result<void> end_entry();
  Result<void> finish();

  /// Returns true if the format ignores ArchiveHeader::may_end_early.
  bool needs_whole_entries() const { return format_ != ArchiveFormat::zip; }
  std::size_t output_bytes() const;
  /// Replaces the content of `into` by the output since the last call. Reuses the memory of `into`.
  void take_output(std::string& into);

 private:
  struct State;
  const ArchiveFormat format_;
  std::unique_ptr<State> state_;
};

}  // namespace coffer::core
