#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/path.h"
#include "core/transfer/bounded_workers.h"
#include "core/transfer/transfer_run.h"
#include "storage/entry.h"

namespace coffer::core {

/// A fingerprint of a tree, which needs only constant memory. It covers the path, size,
/// modification time and file id of each file, and the path of each folder. Two fingerprints with
/// the same key are equal if the same items were added to them, in any order. Otherwise they
/// differ, except with a probability of 2^-64.
class TreeFingerprint {
 public:
  using Key = std::array<unsigned char, 16>;
  static Key new_key();

  explicit TreeFingerprint(const Key& key) : key_(key) {}
  void add(const Path& path, const storage::Entry& entry);
  /// Reverts the `add` of an item.
  void remove(const Path& path, const storage::Entry& entry);

  bool operator==(const TreeFingerprint&) const = default;
  const Key& key() const { return key_; }
  std::uint64_t items() const { return items_; }

  /// A text from which `parse` makes the same fingerprint again.
  std::string text() const;
  static std::optional<TreeFingerprint> parse(std::string_view text);

 private:
  using Sum = std::array<std::uint64_t, 2>;
  Sum hash(const Path& path, const storage::Entry& entry) const;

  Key key_;
  Sum sum_{};
  std::uint64_t items_ = 0;
};

/// What a move has copied, to find out later whether the source still is that.
struct CopiedSource {
  storage::Entry top;
  TreeFingerprint tree;             ///< Of what is in the folder, if `top` is one.
  storage::ItemIdentity copy = {};  ///< Of the copy at its new place; see ItemIdentity::is_known.

  /// A text from which `parse` makes this again, but for the name of `top`.
  std::string text() const;
  static std::optional<CopiedSource> parse(std::string_view text);
};

/// Returns true if the move of `from` to `to` was cut off when only the deletion of the source was
/// left: everything in the source is what was copied (`copied`), and all of it is at `to`, by its
/// names and sizes. What is there must be the copy, and not an item that another program made
/// there: it has the copy's identity or, if that is not known, files with the times of the
/// source's. If `is_leaving`, the deletion may have begun, so the source may be less by now, and
/// the copy's times do not matter.
Task<Result<bool>> is_copied(TransferEnd from, TransferEnd to, const CopiedSource& copied,
                             bool is_leaving, TransferProgress& progress);

/// Lists the items in a folder of the source, except symbolic links and hidden names, which a
/// transfer does not copy. Fails with `invalid` in these cases:
/// - The name of an item is not a valid component of a Path.
/// - Two items have the same name, so the copy of one would replace the copy of the other.
/// - The transfer is a move, and the folder contains items that are not copied, so would be lost.
/// - The folder contains the transfer's staging folder, so the destination is inside the source.
Task<Result<std::vector<storage::Entry>>> list_for_transfer(const TransferRun& run,
                                                            storage::Backend& backend,
                                                            const Path& folder);

/// Returns the path of an item that list_for_transfer returned for `folder`.
Path item_path(const Path& folder, const storage::Entry& entry);

/// By what a copy of a file is known.
enum class KnownBy : std::uint8_t {
  size,
  size_and_time,  ///< The modification time, in whole seconds. Unknown times are never the same.
};

/// Returns true if the path is a file that is known as the copy of `file`.
Task<Result<bool>> stands_whole(storage::Backend& backend, const Path& path,
                                const storage::Entry& file, KnownBy known_by = KnownBy::size);

/// `failed`, or `refused` on a server, unless copies of all of `files` are in the folder. Ignores
/// entries with an empty name (files that the transfer left out). For several files, lists the
/// folder once.
Task<Result<void>> check_files(storage::Backend& backend, const Path& folder,
                               std::span<const storage::Entry> files,
                               KnownBy known_by = KnownBy::size);

/// Computes the fingerprint of everything below a folder, to compare it with that of the `copied`
/// items. Run the scan with do_work; if `run.outcome()` is a success afterwards, `fingerprint()` is
/// valid. Fails with `conflict` if there are more items than were copied, because a server could
/// list ever more of them.
class TreeScan final : public WorkSource {
 public:
  TreeScan(TransferEnd top, TransferRun& run, const TreeFingerprint& copied);

  std::optional<Task<void>> take() override;
  const TreeFingerprint& fingerprint() const { return fingerprint_; }

 private:
  Task<void> look(Path folder);

  TransferEnd top_;
  TransferRun& run_;
  TreeFingerprint fingerprint_;
  const std::uint64_t most_items_;
  std::vector<Path> folders_;
};

}  // namespace coffer::core
