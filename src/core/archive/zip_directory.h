#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/character_set.h"
#include "base/error.h"
#include "core/archive/archive_host.h"
#include "core/archive/packed_item.h"
#include "core/archive/zip_methods.h"

namespace coffer::core {

/// An item in the list at the end of a zip.
struct ZipItem {
  PackedItem item;
  ZipMethod method = ZipMethod::stored;
  std::uint32_t checksum = 0;       ///< CRC-32 of the content.
  std::uint64_t packed_bytes = 0;   ///< The size of the compressed content.
  std::uint64_t content_bytes = 0;  ///< The size of the content.
  std::uint64_t offset = 0;         ///< Of the item's head in the archive.
};

/// The list of the items at the end of a zip. It is read as it lies, and no part of it is kept.
class ZipDirectory {
 public:
  /// Looks for the list in an archive whose names may be in the character set (see name_of_zip).
  /// Returns nullopt if there is none, and fails with `invalid` if the archive cannot be read, or
  /// is a part of one that consists of several files.
  static Result<std::optional<ZipDirectory>> find(ArchiveHost& host, CharacterSet names);

  /// Returns the next item; nullopt after the last one. Fails with `invalid` if the list is
  /// damaged.
  Result<std::optional<ZipItem>> next();
  /// True if numbers above 4 GiB were cut off, as Finder of macOS does in large archives. The sizes
  /// and offsets of the items then lack a multiple of 4 GiB.
  bool is_cut() const { return is_cut_; }
  std::uint64_t begin() const { return begin_; }  ///< Where the list begins in the archive.

 private:
  ZipDirectory(ArchiveHost& host, CharacterSet names) : host_(&host), names_(names) {}
  bool take_end(std::span<const std::byte> end, std::uint64_t end_at);
  bool take_long_end(std::uint64_t end_at);
  Result<bool> has_more();
  Result<void> fill(std::size_t bytes);
  std::string_view ahead() const { return std::string_view(ahead_).substr(used_); }
  Result<std::string_view> take(std::size_t bytes);

  ArchiveHost* host_;
  CharacterSet names_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t shift_ = 0;  ///< What stands in front of the zip, such as a program.
  std::uint64_t count_ = 0;
  std::uint64_t count_mask_ = 0xFFFF;
  bool is_cut_ = false;
  bool is_split_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t at_ = 0;
  std::string ahead_;     ///< Bytes of the list that were read,
  std::size_t used_ = 0;  ///< of which these lie before `at_`.
};

/// Reads so many bytes; fewer at the end of the archive, nullopt after a failure.
std::optional<std::size_t> read_whole(ArchiveHost& host, std::uint64_t offset,
                                      std::span<std::byte> out);

}  // namespace coffer::core
