#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/local/content_log.h"
#include "backends/local/logged_path.h"
#include "backends/local/lookup.h"
#include "storage/write_options.h"
#include "storage/writer.h"

namespace coffer::local {

class LocalWriter;

/// Showing writers under their names; see Backend::publish, and docs/publishing.md for the steps.
/// `complete` where that takes long, then `show`, until that did, then `keep`; `rollback` if
/// anything failed. All but `keep` may block.
class Publication {
 public:
  using Writers = std::span<const std::unique_ptr<storage::Writer>>;
  Publication(const Lookup& lookup, Writers writers, std::uint64_t growth_limit_bytes)
      : lookup_(lookup),
        volume_(lookup.volume()),
        staging_(*volume_.staging),
        writers_(writers),
        limit_(growth_limit_bytes),
        way_(first_way()) {}

  /// Small files that the log makes safe are completed together with being shown, at no cost.
  bool takes_long_to_complete() const { return way_ != Way::logged; }
  /// Completes the writers; nothing where that was done.
  Result<void> complete();
  /// Completes the writers, shows all of them or none, makes them safe from a crash, and calls
  /// `done`, maybe on another thread of the pool; with false where nothing was changed and it is to
  /// be done another way, from the beginning. To be called on one.
  using Done = std::move_only_function<void(Result<bool> shown)>;
  void show(Done done);
  /// Leaves nothing of what failed.
  void rollback();
  /// Lets go of the writers, and reclaims what was replaced.
  std::vector<storage::Published> keep();

 private:
  /// How files become safe from a crash.
  enum class Way : std::uint8_t {
    logged,     ///< Small ones by the log, before they show; under new names.
    synced,     ///< Each by itself; under new names.
    replacing,  ///< Each by itself, wholly before it shows.
  };
  /// What became of an attempt; nothing was changed unless it is `shown`.
  enum class Outcome : std::uint8_t { shown, is_taken, not_logged };
  struct PublishStep {
    LocalWriter* writer;
    int folder;  ///< That of one of `places_`.
    std::string name;
    storage::Published published;
    bool is_logged = false;  ///< What a crash leaves of it is written again.
    bool is_shown = false;
  };

  Way first_way() const;
  void show_once_stored();
  void go_on(const Result<Outcome>& outcome);
  void end(Result<bool> result);
  /// Finds out what would change, without changing anything.
  Result<void> plan();
  Result<void> plan_one(LocalWriter& writer);
  bool replaces_any() const;
  Result<void> check_growth() const;
  Result<std::optional<Outcome>> begin_log();
  bool claim_all(const LogTime& begun_at);
  bool are_claims_true() const;
  Result<void> drop_claims();
  Result<Outcome> try_to_show();
  Result<Outcome> show_logged();
  Result<Outcome> show_planned();
  Result<void> show_all();
  Result<void> show_one(PublishStep& step);
  static bool is_still_shown(const PublishStep& step);
  void hide_all();
  void sync();
  void sync_folders(std::vector<int> folders);
  void drop_replaced();

  /// A place in the target's folder, shared by the steps in a row that are in it: an upload may
  /// have more files than a process may have descriptors.
  Result<const EntryRef*> place_of(const Path& target);

  const Lookup& lookup_;
  Volume& volume_;
  Staging& staging_;
  const Writers writers_;
  const std::uint64_t limit_;
  Way way_;
  Done done_;
  std::vector<PublishStep> steps_;
  std::deque<EntryRef> places_;
  ContentLog::Claims claims_;
  std::vector<LoggedChange> replaced_;  ///< What the log says of files that were replaced.
};

}  // namespace coffer::local
