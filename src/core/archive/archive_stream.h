#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/memory_room.h"
#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "core/archive/archive_formats.h"
#include "core/archive/archive_tree.h"
#include "core/archive/archive_writer.h"
#include "storage/reader.h"

namespace coffer::core {

/// A request for an archive.
struct ArchiveOrder {
  ArchiveFormat format = ArchiveFormat::zip;
  std::vector<ArchiveItem> items = {};  ///< Their names must differ.
  MoreItems more_items = {};            ///< Gives the items behind these; may be null.
  /// Returns the report's name in the archive, which no item has. Called at the end.
  std::function<std::string()> report_name = {};
  ArchiveReport report = {};  ///< The items that the caller has left out already.
  /// Must be set. Called before each item, and within a large one every two seconds; if it fails,
  /// ArchiveStream::next returns its error.
  std::function<Task<Result<void>>()> may_go_on = {};
  /// Must have fixed_bytes_of(format) already. Grows with a zip's list of entries.
  MemoryRoom::Hold hold = {};
  storage::ListFolder list = storage::list_without_limit();
};

/// Returns the most memory that an ArchiveStream takes, except for a zip's list of entries and the
/// listings of the folders on the way to the current item.
std::uint64_t fixed_bytes_of(ArchiveFormat format);

/// An archive that is created while it is read. Takes constant memory (fixed_bytes_of), except for
/// a zip's list of entries; `next` fails as `MemoryRoom::Hold::grow` if that does not fit. While
/// the returned bytes are being sent it holds no block of a file. An entry has its file's content
/// at the time when the stream reaches it. Files are read on the caller's executor; compression
/// runs on the threads of `packing`. Not safe for concurrent calls.
///
/// If items are missing or incomplete, the last entry of the archive is a report that lists them.
/// If a file cannot be read to its end, a tar fills the rest of the file's entry with zeros.
class ArchiveStream {
 public:
  /// Folders' items are sorted on threads of `arranging`. The pools must outlive the stream.
  ArchiveStream(ArchiveOrder order, Pool& arranging, Pool& packing);

  /// Returns the next bytes, valid until the next call. Returns an empty text if no bytes are ready
  /// within a moment. Returns nullopt at the end.
  Task<Result<std::optional<std::string_view>>> next();

 private:
  struct OpenItem {
    ArchiveHeader header;
    std::unique_ptr<storage::Reader> reader;  ///< Null: zeros are written.
    std::uint64_t offset = 0;
    bool has_begun = false;
  };
  using Packing = std::function<Result<void>()>;
  /// Runs `work`: on a thread of `packing` if the format compresses, otherwise on this thread.
  Task<Result<void>> run_packing(const Packing& work);
  Task<Result<void>> step();
  Task<Result<void>> check_again();
  Task<Result<void>> begin_item(ArchiveItem item);
  Task<Result<void>> copy_block();
  Task<Result<void>> pack(std::size_t bytes);
  Result<void> pack_now(std::size_t bytes);
  Result<void> keep(const ArchiveHeader& header);
  Task<Result<void>> break_off(std::string_view reason);
  Task<Result<void>> add_whole(ArchiveHeader header, std::string_view content);
  Result<void> add_now(const ArchiveHeader& header, std::string_view content);
  Task<Result<void>> finish();
  std::span<std::byte> block(std::uint64_t wanted);

  const std::function<Task<Result<void>>()> may_go_on_;
  std::chrono::steady_clock::time_point checked_at_;  ///< The last call of `may_go_on_`.
  const std::function<std::string()> report_name_;
  Pool& packing_;
  const ArchiveFormat format_;
  MemoryRoom::Hold hold_;
  ArchiveReport report_;
  ArchiveTree tree_;
  const std::unique_ptr<ArchiveWriter> writer_;
  std::optional<OpenItem> open_;
  std::unique_ptr<std::byte[]> block_;
  std::string piece_;
  bool finished_ = false;
};

}  // namespace coffer::core
