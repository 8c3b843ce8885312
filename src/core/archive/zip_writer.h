#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/archive/archive_writer.h"

namespace coffer::core {

/// Creates a zip that can also be read as a stream, from its first byte to its last:
///
/// - An entry that is added whole tells its size and checksum in front of its content.
/// - An entry that is added in pieces tells them behind its content. So it is always deflated, with
///   blocks that are not compressed if the file is compressed already: only then a reader finds its
///   end. Java's ZipInputStream refuses stored entries of this kind.
///
/// Numbers that do not fit are stored as Zip64. Names are UTF-8.
class ZipWriter final : public ArchiveWriter {
 public:
  ZipWriter();
  ~ZipWriter() override;

  /// `invalid` if the name is longer than 65,535 bytes.
  Result<void> add(const ArchiveHeader& header, std::span<const std::byte> content) override;
  Result<void> begin(const ArchiveHeader& header) override;
  Result<void> write(std::span<const std::byte> content) override;
  Result<void> end_entry() override;
  Result<void> finish() override;
  bool needs_whole_entries() const override { return false; }
  std::uint64_t kept_bytes_of(const ArchiveHeader& header) const override;
  std::size_t output_bytes() const override { return output_.size(); }
  void take_output(std::string& into) override;

 private:
  struct Entry;
  class Deflater;

  std::uint64_t position() const { return taken_bytes_ + output_.size(); }
  Result<Entry> entry_of(const ArchiveHeader& header) const;
  /// Adds the entry to the list at the end of the archive.
  void note(const Entry& entry);
  void add_to_list(std::string_view bytes);
  std::string end_records() const;

  const std::unique_ptr<Deflater> deflater_;
  std::unique_ptr<Entry> open_;  ///< The entry that was begun; otherwise null.
  std::string output_;
  std::uint64_t taken_bytes_ = 0;  ///< The bytes that take_output has returned.
  std::deque<std::string> list_;   ///< The records of the entries, in pieces.
  std::uint64_t list_bytes_ = 0;
  std::uint64_t entries_ = 0;
  bool is_finished_ = false;
};

}  // namespace coffer::core
