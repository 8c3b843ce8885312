#include "moving/home_mover.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "backends/local/handle.h"
#include "base/log.h"
#include "base/size_format.h"
#include "catalog/object_names.h"
#include "moving/file_copy.h"
#include "moving/home_survey.h"
#include "storage/partial_name.h"

namespace coffer::moving {
namespace {

using catalog::Account;
using catalog::HomeStore;
using State = mounts::WriteGate::State;

constexpr std::chrono::milliseconds kPause{20};
/// Where somebody changes files on the disk all the time.
constexpr int kMostPasses = 20;

Task<void> pause_for(std::chrono::steady_clock::duration time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

HomeStore other_than(HomeStore store) {
  return store == HomeStore::files ? HomeStore::objects : HomeStore::files;
}

storage::NameTreeId tree_of(const Account& account) {
  return {account.id.value};
}

/// The files, and those in the bin.
Task<Result<storage::TreeSize>> size_of(storage::Backend& home) {
  const Path top;
  CO_TRY(auto size, co_await home.measure(top));
  const Path bin = Path::parse(storage::kBinFolder).value();
  const auto binned = co_await home.measure(bin);
  if (!binned && binned.error().code != ErrorCode::not_found) co_return failure_of(binned);
  if (binned) size.bytes += binned->bytes;
  if (binned) size.files += binned->files;
  co_return size;
}

std::unexpected<Error> cannot_be_moved(const Survey& survey) {
  std::string text = fmt::format(
      "Nothing was moved, since {} item{} cannot be in a store of objects: {}",
      survey.problem_count, survey.problem_count == 1 ? "" : "s", fmt::join(survey.problems, "; "));
  const std::size_t more = survey.problem_count - survey.problems.size();
  if (more > 0) text += fmt::format("; and {} more", more);
  return fail(ErrorCode::invalid, text + '.');
}

/// Files have one name more while each of them replaces what an earlier call has left.
Result<void> check_names(std::uint64_t names, std::uint64_t most) {
  if (names + TreeMove::kWidth <= most) return {};
  return fail(ErrorCode::invalid,
              fmt::format("Nothing was moved: the account has {} files and folders, also in its "
                          "bin, and a store of objects can have {} of an account. Remove some, or "
                          "pack folders into archives.",
                          names, most - TreeMove::kWidth));
}

std::unexpected<Error> is_in_the_way(mounts::WriteStep step) {
  return fail(
      ErrorCode::conflict,
      fmt::format("The files were not moved, since {} that began before is still under way: "
                  "call the command again when it has ended, or end it among the account's "
                  "tasks first.",
                  word_of(step)));
}

/// All that was written to the disk of a folder.
Result<void> sync_disk_of(const std::filesystem::path& folder) {
  const local::Handle opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened && ::syncfs(opened.get()) == 0) return {};
  return fail(ErrorCode::failed,
              fmt::format("The disk of {} cannot be synced: {}.", folder.string(),
                          std::generic_category().message(errno)));
}

}  // namespace

/// Opens the gate again when it is destroyed, unless the files behind it are in use no more.
class HomeMover::ClosedGate {
 public:
  explicit ClosedGate(std::shared_ptr<mounts::WriteGate> gate) : gate_(std::move(gate)) {}
  ~ClosedGate() {
    if (gate_) gate_->set(State::open);
  }
  ClosedGate(ClosedGate&&) noexcept = default;
  ClosedGate& operator=(ClosedGate&&) = delete;

  void stay_closed() { gate_ = nullptr; }

 private:
  std::shared_ptr<mounts::WriteGate> gate_;
};

Result<void> HomeMover::begin(std::string account, HomeStore to, OldVersions versions) {
  const std::lock_guard lock(mutex_);
  if (state_ && !state_->has_ended) {
    return fail(ErrorCode::exists,
                fmt::format("The files of the account {} are being moved now, and one account's "
                            "are at a time.",
                            state_->account));
  }
  state_.emplace();
  state_->account = account;
  state_->to = to;
  progress_.files = 0;
  progress_.bytes = 0;
  must_stop_ = false;
  services_.background.spawn(run(std::move(account), to, versions));
  return {};
}

std::optional<MoveState> HomeMover::state() const {
  const std::lock_guard lock(mutex_);
  if (!state_) return std::nullopt;
  MoveState state = *state_;
  state.files_done = progress_.files;
  state.bytes_done = progress_.bytes;
  return state;
}

void HomeMover::set_phase(MovePhase phase) {
  const std::lock_guard lock(mutex_);
  state_->phase = phase;
}

void HomeMover::set_total(std::uint64_t files, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  state_->files_total = files;
  state_->bytes_total = bytes;
}

core::HomeDirectories& HomeMover::in(HomeStore store) const {
  return *services_.homes.in(store);
}

Task<void> HomeMover::run(std::string name, HomeStore to, OldVersions versions) {
  while (is_clearing_) co_await pause_for(kPause);
  const auto moved = co_await move(name, to, versions);
  if (!moved) spdlog::warn("moving the files of {}: {}", name, moved.error().message);
  const std::lock_guard lock(mutex_);
  state_->has_ended = true;
  if (!moved) state_->error = moved.error();
}

Task<Result<void>> HomeMover::move(std::string name, HomeStore to, OldVersions versions) {
  CO_TRY(const Account account, co_await services_.catalog.accounts().find(
                                    catalog::Turn::administration(), std::move(name)));
  if (services_.homes.in(to) == nullptr || services_.homes.in(other_than(to)) == nullptr) {
    co_return fail(ErrorCode::invalid,
                   "There is no store of objects: set objects_endpoint and objects_bucket.");
  }
  CO_TRY_VOID(co_await end_earlier(account, to));
  if (services_.homes.store_of(account) == to) {
    const std::lock_guard lock(mutex_);
    state_->was_there = true;
    co_return Result<void>();
  }
  CO_TRY_VOID(co_await look_through(account, to, versions));
  CO_TRY_VOID(co_await prepare_target(account, to));
  set_phase(MovePhase::waiting);
  CO_TRY(std::optional<ClosedGate> closed, co_await close(account));
  set_phase(MovePhase::copying);
  // Some may have come before the gate was closed.
  Result<void> copied;
  if (to == HomeStore::files) copied = co_await check_versions(account, versions);
  if (copied) copied = co_await copy(account, to);
  if (copied) copied = co_await sync(account, to);
  if (!copied) {
    closed.reset();
    const bool is_full = copied.error().code == ErrorCode::disk_full;
    if (is_full && to == HomeStore::files) co_await give_up(account.id);
    co_return copied;
  }
  set_phase(MovePhase::switching);
  const bool removes = to == HomeStore::files && versions == OldVersions::remove;
  if (removes) {
    CO_TRY_VOID(co_await remove_versions(account));
  }
  CO_TRY_VOID(co_await switch_over(account, to, *closed));
  closed->stay_closed();
  const auto before = services_.homes.switch_to(account.id, to);
  spdlog::info("the files of the account {} are in the store \"{}\" now", account.name,
               word_of(to));
  set_phase(MovePhase::clearing);
  co_return co_await leave(account, before);
}

/// Removes the files in the old place when nobody reads there any more, such as a long download of
/// a folder.
Task<Result<void>> HomeMover::leave(const Account& account,
                                    std::weak_ptr<storage::Backend> before) {
  const auto is_read = [&before] { return !before.expired(); };
  const auto waited = co_await wait_while(is_read, kReadersPatience);
  if (waited) co_return co_await clear(account.id);
  co_return fail(ErrorCode::conflict,
                 "The files were moved. What is left in the old place goes with the next start of "
                 "the server, or the next call.");
}

/// Ends what an earlier move has left, unless this one goes on with it.
Task<Result<void>> HomeMover::end_earlier(const Account& account, HomeStore to) {
  CO_TRY(const auto earlier, co_await services_.catalog.home_moves().find_settled(account.id));
  if (!earlier) co_return Result<void>();
  const bool is_copying = earlier->phase == catalog::HomeMovePhase::copying;
  if (is_copying && earlier->target == to) co_return Result<void>();
  if (earlier->unused() == services_.homes.store_of(account)) {
    co_return fail(ErrorCode::conflict,
                   "The account's files were moved, and this server does not know it yet: start it "
                   "again.");
  }
  co_return co_await clear(account.id);
}

Task<Result<void>> HomeMover::look_through(const Account& account, HomeStore to,
                                           OldVersions versions) {
  if (to == HomeStore::objects) {
    CO_TRY_VOID(co_await survey(account));
  } else {
    CO_TRY_VOID(co_await check_versions(account, versions));
    CO_TRY_VOID(co_await count_objects(account));
    CO_TRY_VOID(co_await check_room(account));
  }
  if (is_asked_to_stop()) co_return move_stopped();
  co_return Result<void>();
}

Task<Result<void>> HomeMover::survey(const Account& account) {
  const auto folder = services_.homes.files().folder_of(account);
  auto look = [&folder] { return survey_files(folder); };
  CO_TRY(const Survey found, co_await services_.pools.of(account.id).lengthy.run(std::move(look)));
  if (found.problem_count > 0) co_return cannot_be_moved(found);
  CO_TRY_VOID(check_names(found.files + found.folders, services_.most_names));
  CO_TRY(const auto usage, co_await services_.catalog.ledger().usage(account.id));
  if (found.files == 0 && usage.used_bytes > 0) {
    co_return fail(
        ErrorCode::invalid,
        fmt::format("Nothing was moved: the account uses {}, and its folder has no files. "
                    "Is a disk not mounted? If not, `coffer check` counts anew.",
                    format_size(usage.used_bytes)));
  }
  set_total(found.files, found.bytes);
  co_return Result<void>();
}

Task<Result<void>> HomeMover::count_objects(const Account& account) {
  CO_TRY(const auto home, co_await in(HomeStore::objects).find(account));
  CO_TRY(const auto size, co_await size_of(*home));
  set_total(size.files, size.bytes);
  co_return Result<void>();
}

Task<Result<void>> HomeMover::check_versions(const Account& account, OldVersions versions) {
  if (versions == OldVersions::remove) co_return Result<void>();
  CO_TRY(const auto home, co_await in(HomeStore::objects).find(account));
  CO_TRY(const auto of_versions, co_await home->versions()->total_bytes());
  if (of_versions > 0) {
    co_return fail(ErrorCode::invalid,
                   fmt::format("Nothing was moved: earlier versions of files have {}, and plain "
                               "files have no versions. With --drop-versions all versions of the "
                               "account are removed for good.",
                               format_size(of_versions)));
  }
  co_return Result<void>();
}

/// Counts what each step frees. A server that is killed in between has the account counted again
/// by the next (see catalog::Ledger::uncounted).
Task<Result<void>> HomeMover::remove_versions(const Account& account) {
  CO_TRY(const auto home, co_await in(HomeStore::objects).find(account));
  catalog::Ledger& ledger = services_.catalog.ledger();
  for (bool is_more = true; is_more;) {
    if (is_asked_to_stop()) co_return move_stopped();
    CO_TRY_VOID(co_await ledger.reserve_to_free(account.id));
    const auto expired = co_await home->versions()->expire(Timestamp::max());
    const std::uint64_t freed = expired ? expired->freed_bytes : 0;
    CO_TRY_VOID(co_await ledger.record(account.id, catalog::Ledger::kFreeingBytes,
                                       -static_cast<std::int64_t>(freed)));
    if (!expired) co_return failure_of(expired);
    is_more = expired->is_more;
    const std::lock_guard lock(mutex_);
    state_->removed_version_bytes += freed;
  }
  co_return Result<void>();
}

/// `disk_full` if the disk has too little room for what is not copied yet.
Task<Result<void>> HomeMover::check_room(const Account& account) {
  const auto files = services_.homes.files().folder_of(account).parent_path();
  auto look = [this, &files]() -> Result<std::uint64_t> {
    TRY_VOID(services_.prepare_files());
    std::error_code error;
    const auto space = std::filesystem::space(files, error);
    if (!error) return static_cast<std::uint64_t>(space.available);
    return fail(ErrorCode::failed, fmt::format("The disk of {} cannot be asked: {}.",
                                               files.string(), error.message()));
  };
  CO_TRY(std::uint64_t room, co_await services_.pools.common().run(std::move(look)));
  const std::uint64_t wanted = state()->bytes_total;
  if (services_.homes.files().has_folder(account)) {
    CO_TRY(const auto home, in(HomeStore::files).of(account));
    CO_TRY(const auto size, co_await size_of(*home));
    room += size.bytes;
  }
  if (room >= wanted) co_return Result<void>();
  co_return fail(ErrorCode::disk_full,
                 fmt::format("Nothing was moved: the disk of {} has room for {}, and the files "
                             "have {}.",
                             files.string(), format_size(room), format_size(wanted)));
}

Task<Result<void>> HomeMover::prepare_target(const Account& account, HomeStore to) {
  CO_TRY(const auto earlier, co_await services_.catalog.home_moves().find(account.id));
  if (!earlier) {
    CO_TRY_VOID(co_await check_is_free(account, to));
    CO_TRY_VOID(co_await services_.catalog.home_moves().begin(account.id, to));
  }
  co_return co_await in(to).make(account);
}

/// What lies there and no move has made is not touched.
Task<Result<void>> HomeMover::check_is_free(const Account& account, HomeStore to) {
  auto home = co_await in(to).find(account);
  if (!home && home.error().code == ErrorCode::not_found) co_return Result<void>();
  if (!home) co_return failure_of(std::move(home));
  const Path top;
  CO_TRY(const auto items, co_await (*home)->list(top));
  if (items.empty()) co_return Result<void>();
  const std::string place = to == HomeStore::files ? in(to).location_of(account) : "the catalog";
  co_return fail(ErrorCode::invalid,
                 fmt::format("Nothing was moved: there are files in {} already, which are not "
                             "those of a move. Take them away first.",
                             place));
}

/// Returns when it does not last any more, or after `most`.
Task<Result<void>> HomeMover::wait_while(std::function<bool()> lasts,
                                         std::chrono::steady_clock::duration most) {
  const auto limit = std::chrono::steady_clock::now() + most;
  while (lasts() && std::chrono::steady_clock::now() < limit) {
    if (is_asked_to_stop()) co_return move_stopped();
    co_await pause_for(kPause);
  }
  co_return Result<void>();
}

Task<Result<HomeMover::ClosedGate>> HomeMover::close(const Account& account) {
  const auto gate = services_.homes.gate_of(account);
  ClosedGate closed(gate);
  gate->set(State::closing);
  const auto operations = [&gate] { return gate->operations() > 0; };
  CO_TRY_VOID(co_await wait_while(operations, services_.patience.operations));
  gate->set(State::closed);
  const auto steps = [&gate] { return gate->step_under_way().has_value(); };
  CO_TRY_VOID(co_await wait_while(steps, services_.patience.steps));
  if (const auto step = gate->step_under_way()) co_return is_in_the_way(*step);
  // It may have been removed meanwhile.
  CO_TRY([[maybe_unused]] const auto again, co_await services_.catalog.accounts().get(account.id));
  co_return closed;
}

Task<Result<void>> HomeMover::copy(const Account& account, HomeStore to) {
  CO_TRY(const auto source, co_await in(other_than(to)).find(account));
  CO_TRY(const auto target, co_await in(to).find(account));
  const auto disk = to == HomeStore::files ? target : source;
  const auto must_stop = [this] { return is_asked_to_stop(); };
  const auto has_same_content = [this, disk, tree = tree_of(account), must_stop](Path file) {
    return has_content(*disk, services_.catalog.object_names(), tree, std::move(file), must_stop);
  };
  TreeMove tree({*source, *target, must_stop}, has_same_content, progress_);
  auto trust = TreeMove::Trust::content;
  for (int i = 0; i < kMostPasses; ++i) {
    CO_TRY(const bool is_same, co_await tree.pass(trust));
    if (is_same) co_return Result<void>();
    trust = TreeMove::Trust::time;
  }
  co_return fail(ErrorCode::conflict, "The files on the disk are being changed without end.");
}

Task<Result<void>> HomeMover::sync(const Account& account, HomeStore to) {
  if (to != HomeStore::files) co_return Result<void>();
  const auto folder = services_.homes.files().folder_of(account);
  auto work = [&folder] { return sync_disk_of(folder); };
  co_return co_await services_.pools.of(account.id).lengthy.run(std::move(work));
}

/// After a failure, looks whether it took effect: its answer may have been lost. As long as that is
/// not known, nobody may write in either place.
Task<Result<void>> HomeMover::switch_over(const Account& account, HomeStore to,
                                          ClosedGate& closed) {
  const auto switched = co_await services_.catalog.home_moves().switch_over(account.id, to);
  if (switched) co_return Result<void>();
  for (;;) {
    const auto now = co_await services_.catalog.home_moves().find_settled(account.id);
    const bool is_done =
        now && *now && (*now)->target == to && (*now)->phase == catalog::HomeMovePhase::clearing;
    if (is_done) co_return Result<void>();
    if (now) co_return switched;
    if (services_.background.is_ending()) {
      closed.stay_closed();
      co_return switched;
    }
    co_await pause_for(std::chrono::seconds(1));
  }
}

/// Removes what is not in use of the account's home, and then the record.
Task<Result<void>> HomeMover::clear(AccountId account) {
  CO_TRY(const auto move, co_await services_.catalog.home_moves().find(account));
  if (!move) co_return Result<void>();
  core::HomeDirectories* const homes = services_.homes.in(move->unused());
  if (homes == nullptr) {
    co_return fail(ErrorCode::invalid,
                   "There is no store of objects: set objects_endpoint and objects_bucket.");
  }
  Account unused;
  unused.id = account;
  unused.home = move->home;
  auto purge = [homes, &unused] { return homes->purge(unused); };
  const auto purged = co_await services_.pools.of(account).lengthy.run(std::move(purge));
  if (!purged) {
    co_return fail(purged.error().code,
                   fmt::format("What a move has left could not all be removed; call it again: {}",
                               purged.error().message));
  }
  co_return co_await services_.catalog.home_moves().end(account);
}

/// A disk must not stay full of what is not in use.
Task<void> HomeMover::give_up(AccountId account) {
  const auto cleared = co_await clear(account);
  if (!cleared) spdlog::error("{}", cleared.error().message);
}

void HomeMover::clear_left() {
  is_clearing_ = true;
  services_.background.spawn(clear_all());
}

Task<void> HomeMover::clear_all() {
  const auto moves = co_await services_.catalog.home_moves().list();
  if (!moves) spdlog::error("what moves have left is not removed: {}", moves.error().message);
  if (moves) {
    for (const catalog::HomeMove& move : *moves) {
      if (is_asked_to_stop()) break;
      const auto owner = co_await services_.catalog.accounts().get(move.account);
      const bool is_gone = !owner && owner.error().code == ErrorCode::not_found;
      const bool is_left = move.phase == catalog::HomeMovePhase::clearing || is_gone;
      if (is_left) co_await give_up(move.account);
    }
  }
  is_clearing_ = false;
}

}  // namespace coffer::moving
