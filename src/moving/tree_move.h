#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "moving/file_copy.h"
#include "storage/backend.h"

namespace coffer::moving {

/// How far a move is. Safe from any thread.
struct MoveProgress {
  std::atomic<std::uint64_t> files = 0;  ///< Files that are in the target, and checked.
  std::atomic<std::uint64_t> bytes = 0;  ///< Their bytes, and those of files on their way.
};

/// Makes a tree the same as another, whatever it had before: folders, files, their names, also
/// hidden ones, contents and times of change. Leaves out the staging folder. Nobody else may change
/// the target. For one strand, as core::do_work.
///
/// A file is copied under a partial name (see copy_checked), and then renamed. So a file under its
/// own name was checked, also by an earlier run that was cut off.
///
/// Has the entries of up to kWidth folders, on both sides, in memory, and a few blocks of as many
/// files.
class TreeMove {
 public:
  static constexpr std::size_t kWidth = 3;
  /// Returns true if the files at this path have the same content. Costs less than to copy it.
  using SameContent = std::function<Task<Result<bool>>(Path file)>;

  TreeMove(CopyEnds ends, SameContent has_same_content, MoveProgress& progress)
      : ends_(std::move(ends)),
        has_same_content_(std::move(has_same_content)),
        progress_(progress) {}

  /// The files that count as moved already: those of the same size and time of change that have the
  /// same content, or all of that size and time.
  enum class Trust : std::uint8_t { content, time };
  /// Walks through both trees once. Returns true if the target was the same as the source. If not,
  /// it is now, unless the source changed meanwhile: call it again. Only a call with Trust::content
  /// counts progress. Fails if something cannot be moved, or with `conflict` when it must stop; the
  /// message names the item.
  Task<Result<bool>> pass(Trust trust);

 private:
  class Work;
  struct Folder {
    Path path;
    storage::Entry entry;
    std::optional<storage::Entry> old = {};  ///< What has its name in the target.
    /// Both sorted by name; empty when the last file was taken.
    std::vector<storage::Entry> files = {};    ///< In the source.
    std::vector<storage::Entry> targets = {};  ///< All items in the target.
    std::size_t next_file = 0;                 ///< Of `files`, the first that was not taken.
    std::size_t files_left = 0;                ///< Those that are not moved yet.
    bool has_changed = false;                  ///< Items directly in it, in the target.
  };
  using FolderPtr = std::shared_ptr<Folder>;
  struct File {
    FolderPtr folder;
    storage::Entry entry;
    std::optional<storage::Entry> old;  ///< What has its name in the target.

    Path path() const { return folder->path / Path::parse(entry.name).value(); }
  };

  std::optional<Task<void>> take();
  File take_file();
  Task<void> work_on_folder(FolderPtr folder);
  Task<void> work_on_file(File file);
  Task<Result<void>> expand(FolderPtr folder);
  Task<Result<void>> make_folder(const Path& path, const std::optional<storage::Entry>& old);
  Task<Result<void>> remove_others(Folder& folder, const std::vector<storage::Entry>& sources);
  void note_change(Folder& folder);
  Task<Result<void>> end(const Folder& folder);
  Task<Result<void>> move(const File& file);
  Task<bool> has_gone(const Path& path);
  Task<Result<void>> move_anew(const File& file, const Path& path);
  Task<Result<bool>> is_there(const File& file, const Path& path);
  void count(std::int64_t bytes);
  void note(const Path& path, const Result<void>& done);

  const CopyEnds ends_;
  const SameContent has_same_content_;
  MoveProgress& progress_;
  Trust trust_ = Trust::content;
  bool is_same_ = true;
  Result<void> state_;  ///< The first failure.
  std::vector<FolderPtr> folders_;
  std::vector<FolderPtr> filling_;  ///< Folders with files that were not taken.
  /// A time of change of a file in the source, and what the target made of it.
  struct InexactTime {
    Timestamp of_source{};
    Timestamp of_copy{};
  };
  std::map<std::string, InexactTime> inexact_;
};

}  // namespace coffer::moving
