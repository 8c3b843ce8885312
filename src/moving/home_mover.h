#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "catalog/row_limits.h"
#include "core/tasks/background.h"
#include "core/tasks/work_pools.h"
#include "mounts/account_homes.h"
#include "moving/tree_move.h"

namespace coffer::moving {

enum class MovePhase : std::uint8_t {
  looking,    ///< The files are looked through and counted.
  waiting,    ///< Writes that are under way may end.
  copying,    ///< The files are copied, read back and compared.
  switching,  ///< The copies become the account's files, in one step.
  clearing,   ///< The files in the old place are removed.
};
constexpr auto words_of(MovePhase) {
  return enum_words<MovePhase>({{MovePhase::looking, "looking"},
                                {MovePhase::waiting, "waiting"},
                                {MovePhase::copying, "copying"},
                                {MovePhase::switching, "switching"},
                                {MovePhase::clearing, "clearing"}});
}

/// What becomes of the account's versions (storage::Versions), which plain files have not.
enum class OldVersions : std::uint8_t {
  keep,    ///< Nothing is moved to plain files if there are any.
  remove,  ///< They are removed for good, just before the switch.
};

/// How far the last move of this server is.
struct MoveState {
  std::string account;  ///< The account's name.
  catalog::HomeStore to = catalog::HomeStore::files;
  MovePhase phase = MovePhase::looking;
  std::uint64_t files_done = 0;
  std::uint64_t files_total = 0;  ///< As counted before.
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
  std::uint64_t removed_version_bytes = 0;
  bool has_ended = false;
  bool was_there = false;      ///< The files were in the wanted store already.
  std::optional<Error> error;  ///< Why it ended early. What was copied is kept for the next call.
};

/// Moves accounts' own files between plain files and the store of objects, an account at a time.
///
/// Until the switch, which is one transaction of the catalog, the files in the old place are served
/// and not changed. Reads go on all the time. Writes to the account's files are refused from the
/// phase `waiting` on until the switch: those under way may end within kPatience, or fail when they
/// would be published. A step of theirs that takes longer, such as the copy of a large folder, has
/// as long again, and then the move ends with `conflict`, and writes go on. A move that was
/// stopped, or cut off by the end of the server, goes on with the next call of `begin`; a call for
/// the other direction undoes it.
///
/// Only for a server that is alone on its catalog. Safe from any thread.
class HomeMover {
 public:
  static constexpr std::chrono::seconds kPatience{15};
  /// How long who reads in the old place may go on there, before the files are removed.
  static constexpr std::chrono::minutes kReadersPatience{1};
  /// How long each kind of work is waited for.
  struct Patience {
    std::chrono::steady_clock::duration operations = kPatience;
    std::chrono::steady_clock::duration steps = kPatience;  ///< After that.
  };
  struct Services {
    catalog::Catalog& catalog;
    mounts::AccountHomes& homes;
    core::WorkPools& pools;
    core::Background& background;
    /// Makes the folder of all plain homes, or checks that it is there. Blocks.
    std::function<Result<void>()> prepare_files;
    Patience patience = {};
    /// The most files and folders that an account may have in the store of objects.
    std::uint64_t most_names = catalog::kMostNames;
  };
  explicit HomeMover(Services services) : services_(std::move(services)) {}

  /// Begins to move an account's files in the background. `exists` if a move is under way.
  Result<void> begin(std::string account, catalog::HomeStore to,
                     OldVersions versions = OldVersions::keep);
  /// Returns nullopt if there was none since the start.
  std::optional<MoveState> state() const;
  /// Asks the move to end soon. It cannot be stopped once the copies are the account's files.
  void stop() { must_stop_ = true; }
  /// Begins to remove what ended moves have left in the old place, and what moves have left of
  /// accounts that are gone. Call it once after the start, before `begin`.
  void clear_left();

 private:
  class ClosedGate;

  Task<void> run(std::string name, catalog::HomeStore to, OldVersions versions);
  Task<Result<void>> move(std::string name, catalog::HomeStore to, OldVersions versions);
  Task<Result<void>> end_earlier(const catalog::Account& account, catalog::HomeStore to);
  Task<Result<void>> look_through(const catalog::Account& account, catalog::HomeStore to,
                                  OldVersions versions);
  Task<Result<void>> count_objects(const catalog::Account& account);
  Task<Result<void>> check_versions(const catalog::Account& account, OldVersions versions);
  Task<Result<void>> remove_versions(const catalog::Account& account);
  Task<Result<void>> survey(const catalog::Account& account);
  Task<Result<void>> check_room(const catalog::Account& account);
  Task<Result<void>> prepare_target(const catalog::Account& account, catalog::HomeStore to);
  Task<Result<void>> check_is_free(const catalog::Account& account, catalog::HomeStore to);
  Task<Result<ClosedGate>> close(const catalog::Account& account);
  Task<Result<void>> wait_while(std::function<bool()> lasts,
                                std::chrono::steady_clock::duration most);
  Task<Result<void>> copy(const catalog::Account& account, catalog::HomeStore to);
  Task<Result<void>> sync(const catalog::Account& account, catalog::HomeStore to);
  Task<Result<void>> switch_over(const catalog::Account& account, catalog::HomeStore to,
                                 ClosedGate& closed);
  Task<Result<void>> leave(const catalog::Account& account, std::weak_ptr<storage::Backend> before);
  Task<Result<void>> clear(AccountId account);
  Task<void> give_up(AccountId account);
  Task<void> clear_all();

  core::HomeDirectories& in(catalog::HomeStore store) const;
  void set_phase(MovePhase phase);
  void set_total(std::uint64_t files, std::uint64_t bytes);
  bool is_asked_to_stop() const { return must_stop_ || services_.background.is_ending(); }

  const Services services_;
  mutable std::mutex mutex_;
  std::optional<MoveState> state_;
  MoveProgress progress_;
  std::atomic<bool> must_stop_ = false;
  std::atomic<bool> is_clearing_ = false;
};

}  // namespace coffer::moving
