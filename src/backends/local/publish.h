#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/local/lookup.h"
#include "storage/writer.h"

namespace coffer::local {

class LocalWriter;

/// Publishes finished writers under their names; see storage::Backend::publish for the contract and
/// docs/publishing.md for the steps. Repeat `show` while it reports false. If it reports true, call
/// `keep`; if it fails, call `rollback`. `complete`, `show` and `rollback` block.
class Publication {
 public:
  using Writers = std::span<const std::unique_ptr<storage::Writer>>;
  Publication(const Lookup& lookup, Writers writers, std::uint64_t growth_limit_bytes)
      : lookup_(lookup),
        volume_(lookup.volume()),
        staging_(*volume_.staging),
        writers_(writers),
        limit_(growth_limit_bytes),
        is_replacing_(expects_to_replace()) {}

  /// Completes all writers (LocalWriter::complete). If the volume is durable, their contents are
  /// then on the disk. `show` does this too, but an earlier call leaves less work for `show`.
  Result<void> complete();
  /// Receives the result of `show`, possibly on another thread of the pool.
  using Done = std::move_only_function<void(Result<bool> shown)>;
  /// Completes the writers and publishes them. If the volume is durable, also syncs the changes.
  /// Must be called on a thread of the pool. `done` is called during this call or after it has
  /// returned. `done` gets:
  /// - true if all writers are published;
  /// - false if none is published because a name was taken that was expected to be free. Call
  ///   `show` again in this case;
  /// - an error otherwise. Call `rollback` in this case.
  void show(Done done);
  /// Removes the files that were published, and restores the files that were replaced. Tells the
  /// writers whose files stay (LocalWriter::stay).
  void rollback();
  /// Makes the publication final, and deletes the replaced files in the background. Returns the
  /// changes in the order of the writers.
  std::vector<storage::Published> keep();

 private:
  struct PublishStep {
    LocalWriter* writer;
    int folder;  ///< The descriptor of a folder in `places_`.
    std::string name;
    storage::Published published;
    bool is_shown = false;
  };

  bool expects_to_replace() const;
  void end(Result<bool> result);
  Result<void> plan();
  Result<void> plan_one(LocalWriter& writer);
  bool replaces_any() const;
  Result<void> check_growth() const;
  Result<bool> try_to_show();
  Result<void> show_all();
  Result<void> show_one(PublishStep& step);
  static Result<void> check_replaced(PublishStep& step, const Status& old);
  static void hide(PublishStep& step);
  void look_at_shown();
  static bool is_still_shown(const PublishStep& step);
  void hide_all();
  void sync();
  void sync_folders(std::vector<int> folders);

  /// Returns an EntryRef whose `folder` is the target's folder. Its `name` may be another target's:
  /// successive targets in one folder share one EntryRef, to save descriptors.
  Result<const EntryRef*> place_of(const Path& target);

  const Lookup& lookup_;
  Volume& volume_;
  Staging& staging_;
  const Writers writers_;
  const std::uint64_t limit_;
  /// True if a file may replace another one. On a durable volume, each file is then written to the
  /// disk with its metadata before any file is published. False if all names are expected to be
  /// free: a taken name makes `show` report false.
  bool is_replacing_;
  Done done_;
  std::vector<PublishStep> steps_;
  std::deque<EntryRef> places_;
};

}  // namespace coffer::local
