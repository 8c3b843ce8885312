#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "core/archive/archive_item.h"
#include "core/archive/archive_report.h"
#include "core/archive/archive_tree.h"
#include "core/archive/archive_writer.h"
#include "storage/reader.h"

namespace coffer::core {

/// What an archive is made of.
struct ArchiveOrder {
  ArchiveFormat format = ArchiveFormat::zip;
  std::vector<ArchiveItem> items = {};  ///< No two of them with one name.
  std::string report_name = {};         ///< Of the last entry; like none of theirs.
  ArchiveReport report = {};            ///< What is left out from the begin.
  /// Asked before each item; its failure ends the archive.
  std::function<Task<Result<void>>()> may_go_on = {};
  std::shared_ptr<void> keeps = {};  ///< Keeps the items' backends.
};

/// An archive that is made as it is asked for, in as much memory whatever its size; a zip alone
/// keeps its list of entries. An entry holds the file as it was when its turn came. What cannot be
/// read, or not to its end, stands in a last entry: in a tar, zeros fill what is missing.
/// Reading waits on the caller's executor, packing takes the pool's threads; a tar's blocks are
/// only copied, which takes less time than to change the thread. One coroutine at a time.
class ArchiveStream {
 public:
  /// The pool outlives it.
  ArchiveStream(ArchiveOrder order, Pool& pool);

  /// The next bytes, valid until the next call; nothing at the end. Empty where reading takes long.
  Task<Result<std::optional<std::string_view>>> next();

 private:
  struct OpenItem {
    ArchiveHeader header;
    std::unique_ptr<storage::Reader> reader;  ///< Null: zeros.
    std::uint64_t offset = 0;
    bool has_begun = false;
  };
  using Packing = std::function<Result<void>()>;
  /// On a thread of the pool, where it compresses.
  Task<Result<void>> run_packing(const Packing& work);
  Task<Result<void>> step();
  Task<Result<void>> begin_item(ArchiveItem item);
  Task<Result<void>> copy_block();
  Task<Result<void>> pack(std::size_t bytes);
  Result<void> pack_now(std::size_t bytes);
  Task<Result<void>> break_off(std::string_view reason);
  Task<Result<void>> add_whole(ArchiveHeader header, std::string_view content);
  Result<void> add_now(const ArchiveHeader& header, std::string_view content);
  Task<Result<void>> finish();
  std::span<std::byte> block(std::uint64_t wanted);

  std::shared_ptr<void> keeps_;
  const std::function<Task<Result<void>>()> may_go_on_;
  const std::string report_name_;
  Pool& pool_;
  const bool compresses_;
  ArchiveReport report_;
  ArchiveTree tree_;
  ArchiveWriter writer_;
  std::optional<OpenItem> open_;
  std::unique_ptr<std::byte[]> block_;
  std::string piece_;
  bool finished_ = false;
};

}  // namespace coffer::core
