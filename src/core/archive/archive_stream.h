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
#include "core/archive/archive_tree.h"
#include "core/archive/archive_writer.h"
#include "storage/reader.h"

namespace coffer::core {

/// A request for an archive.
struct ArchiveOrder {
  ArchiveFormat format = ArchiveFormat::zip;
  std::vector<ArchiveItem> items = {};  ///< No two of them with one name.
  std::string report_name = {};         ///< The name of the last entry, which no item has.
  ArchiveReport report = {};            ///< Items that are left out from the start.
  /// Called before each item; a failure ends the archive.
  std::function<Task<Result<void>>()> may_go_on = {};
};

/// An archive that is made while it is read, in constant memory except for a zip's list of entries.
/// An entry holds the file as it was when it was reached. A last entry lists items that could not
/// be read, or not to their end, which a tar fills with zeros. Reading waits on the caller's
/// executor; compression runs on the pool's threads. For one coroutine at a time.
class ArchiveStream {
 public:
  /// The pool must outlive it.
  ArchiveStream(ArchiveOrder order, Pool& pool);

  /// Returns the next bytes, valid until the next call; empty if reading takes long, nullopt at the
  /// end.
  Task<Result<std::optional<std::string_view>>> next();

 private:
  struct OpenItem {
    ArchiveHeader header;
    std::unique_ptr<storage::Reader> reader;  ///< Null: zeros.
    std::uint64_t offset = 0;
    bool has_begun = false;
  };
  using Packing = std::function<Result<void>()>;
  /// Runs on a thread of the pool if it compresses.
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
