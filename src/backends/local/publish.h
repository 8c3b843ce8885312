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

/// Shows writers under their names; see Backend::publish, and docs/publishing.md for the steps.
/// Call `show` until it reports true, then `keep`; call `rollback` if it failed. All but `keep`
/// block.
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

  /// Brings the writers' contents to the disk; does nothing if that was done. Part of `show`.
  Result<void> complete();
  /// Completes the writers, shows all of them or none, makes them safe from a crash, and calls
  /// `done`, maybe on another thread of the pool. Reports false if nothing was changed, since a
  /// name turned out to be taken: call it again. To be called on a thread of the pool.
  using Done = std::move_only_function<void(Result<bool> shown)>;
  void show(Done done);
  /// Removes the files that show.
  void rollback();
  /// Ends the writers, and reclaims the replaced files.
  std::vector<storage::Published> keep();

 private:
  struct PublishStep {
    LocalWriter* writer;
    int folder;  ///< The handle of one of `places_`.
    std::string name;
    storage::Published published;
    bool is_shown = false;
  };

  bool expects_to_replace() const;
  void end(Result<bool> result);
  /// Finds out what would change, without changing anything.
  Result<void> plan();
  Result<void> plan_one(LocalWriter& writer);
  bool replaces_any() const;
  Result<void> check_growth() const;
  /// False if a name turned out to be taken by a file, and nothing was changed.
  Result<bool> try_to_show();
  Result<void> show_all();
  Result<void> show_one(PublishStep& step);
  static bool is_still_shown(const PublishStep& step);
  void hide_all();
  void sync();
  void sync_folders(std::vector<int> folders);

  /// A place in the target's folder, shared by successive steps in one folder: an upload may have
  /// more files than a process may have descriptors.
  Result<const EntryRef*> place_of(const Path& target);

  const Lookup& lookup_;
  Volume& volume_;
  Staging& staging_;
  const Writers writers_;
  const std::uint64_t limit_;
  /// Each file is wholly on the disk before any shows; otherwise all get new names.
  bool is_replacing_;
  Done done_;
  std::vector<PublishStep> steps_;
  std::deque<EntryRef> places_;
};

}  // namespace coffer::local
