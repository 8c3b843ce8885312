#include "core/transfer/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "base/error.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "core/transfer/transfer_check.h"
#include "core/transfer/transfer_file.h"
#include "core/transfer/transfer_run.h"
#include "core/transfer/transfer_tree.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

/// One transfer. `run` is called once, and only TransferProgress::cancel ends it from outside.
class TransferJob {
 public:
  TransferJob(TransferEnd from, TransferEnd to, TransferOptions options, TransferProgress& progress,
              bool moves);

  Task<Result<storage::TreeSize>> run();

 private:
  Task<Result<void>> check_target();
  Task<Result<storage::TreeSize>> run_file();
  Task<Result<storage::TreeSize>> store_file();
  Task<Result<storage::TreeSize>> show_file(FileTransfer& file);
  std::unexpected<Error> not_kept() const;
  Task<bool> stands_as(std::vector<storage::Entry> collected);
  Task<Result<void>> tell_staging(const Path& staging);
  bool notes_copy() const { return run_.moves() && options_.on_copied; }
  /// `copy` is unknown if it is not needed, or the destination does not tell it.
  Task<Result<void>> may_show(storage::ItemIdentity copy);
  Task<storage::ItemIdentity> identity_of(const Path& staging);
  /// `conflict` unless the source, which is at that path, is unchanged since it was copied.
  Task<Result<void>> check_source(TransferRun& run, const Path& at);
  Task<Result<void>> check_source_file(const Path& at);
  Task<Result<void>> check_source_tree(TransferRun& run, const Path& at);
  Task<Result<storage::TreeSize>> run_tree();
  Task<Result<storage::TreeSize>> store_tree(const Path& staging);
  /// True if the tree has its name although the rename failed, for example in syncing the disk.
  Task<bool> shows_although(const Error& error, const Path& staging);
  Task<Result<storage::TreeSize>> delete_source(storage::TreeSize size);
  Task<Result<void>> tell_leaving();
  Task<Result<storage::Removed>> remove_under_its_name();
  /// The last check_source.
  Task<Result<void>> look_again(const Path& at);
  Task<Result<storage::Removed>> rename_and_remove();
  Task<void> recover_source(const Path& beside, const Error& failure);
  /// Gives the source its name back, if that was not taken meanwhile.
  Task<Result<void>> put_back(const Path& beside);
  /// Best effort, in few tries; the rest at the recorded staging path is swept later.
  Task<void> clean_up(const Path& path);

  TransferEnd from_;
  TransferEnd to_;
  TransferOptions options_;
  TransferRun run_;
  storage::Entry source_;                                    ///< As it was before the copy.
  TreeFingerprint fingerprint_{TreeFingerprint::new_key()};  ///< Of the copied content of a folder.
};

using storage::Removed;
using storage::TreeSize;

constexpr std::size_t kMaxFilesInFlight = 12;
/// The second goes over a new connection, if the first was broken.
constexpr int kRemoveTries = 2;

/// `not_found` if it was not there to begin with.
Task<Result<Removed>> remove_persistently(storage::Backend& backend, const Path& path) {
  Result<Removed> removed;
  for (int i = 0; i < kRemoveTries; ++i) {
    removed = co_await backend.remove(path);
    if (removed) co_return removed;
    if (removed.error().code == ErrorCode::not_found) {
      co_return i == 0 ? removed : Removed();
    }
  }
  co_return removed;
}

/// The answer to a rename may be lost, not always the request: the item is only where it was or
/// there.
Task<Result<void>> rename_surely(storage::Backend& backend, const Path& from, const Path& to) {
  auto renamed = co_await backend.rename(from, to);
  if (renamed || !is_passing(renamed.error())) co_return renamed;
  const auto before = co_await backend.stat(from);
  if (before || before.error().code != ErrorCode::not_found) co_return renamed;
  const auto after = co_await backend.stat(to);
  if (!after) co_return renamed;
  co_return Result<void>();
}

/// The second try goes over a new connection, if the first was broken.
Task<Result<void>> rename_persistently(storage::Backend& backend, const Path& from,
                                       const Path& to) {
  auto renamed = co_await rename_surely(backend, from, to);
  if (renamed || !is_passing(renamed.error())) co_return renamed;
  const auto there = co_await backend.stat(from);
  if (!there) co_return renamed;
  co_return co_await rename_surely(backend, from, to);
}

/// Runs `work` without cancellation: it is cancelled by TransferProgress instead, so that it can
/// still remove what it created.
Task<Result<storage::TreeSize>> shielded(Task<Result<storage::TreeSize>> work,
                                         TransferProgress& progress) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
  std::exception_ptr error;
  Result<storage::TreeSize> result;
  auto start = [&](Resume resume) {
    auto end = [&error, &result, resume = std::move(resume)](
                   std::exception_ptr thrown, Result<storage::TreeSize> returned) mutable {
      error = std::move(thrown);
      result = std::move(returned);
      resume();
    };
    auto slot = state.slot();
    if (slot.is_connected()) slot.assign([&progress](auto /*type*/) { progress.cancel(); });
    asio::co_spawn(executor, std::move(work), std::move(end));
  };
  co_await suspend(std::move(start));
  if (error) std::rethrow_exception(error);
  co_return result;
}

TransferJob::TransferJob(TransferEnd from, TransferEnd to, TransferOptions options,
                         TransferProgress& progress, bool moves)
    : from_(std::move(from)),
      to_(std::move(to)),
      options_(std::move(options)),
      run_(progress, options_.limit_bytes, moves, options_.recheck) {
  options_.files_in_flight =
      std::clamp<std::size_t>(options_.files_in_flight, 1, kMaxFilesInFlight);
}

Task<Result<TreeSize>> TransferJob::run() {
  if (run_.moves() && from_.path.is_root()) {
    co_return fail(ErrorCode::forbidden, "The root itself cannot be moved.");
  }
  CO_TRY(const auto source, co_await from_.backend.stat(from_.path));
  CO_TRY_VOID(co_await check_target());
  source_ = source;
  auto work = source_.is_directory ? run_tree() : run_file();
  auto stored = co_await std::move(work);
  if (!stored || !run_.moves()) co_return stored;
  co_return co_await delete_source(*stored);
}

Task<Result<void>> TransferJob::check_target() {
  if (&from_.backend == &to_.backend && to_.path.is_within(from_.path)) {
    co_return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
  }
  const auto taken = co_await to_.backend.stat(to_.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is taken.");
  if (taken.error().code != ErrorCode::not_found) co_return failure_of(taken);
  // Making a folder would make its parents too.
  const Path parent = to_.path.parent();
  const auto folder = co_await to_.backend.stat(parent);
  if (!folder) co_return failure_of(folder);
  if (!folder->is_directory) co_return fail(ErrorCode::invalid, "The destination is not a folder.");
  co_return Result<void>();
}

Task<Result<TreeSize>> TransferJob::run_file() {
  run_.progress().found(1, source_.size_bytes);
  auto stored = co_await store_file();
  if (stored) run_.progress().completed_item();
  co_return stored;
}

Task<Result<TreeSize>> TransferJob::store_file() {
  FileTransfer file(from_, to_, run_);
  CO_TRY(const auto opened, co_await file.open());
  if (!opened) co_return fail(ErrorCode::not_found, "There is no such file or folder.");
  if (const auto staging = file.staged_at()) {
    CO_TRY_VOID(co_await tell_staging(*staging));
  }
  const std::uint64_t size_bytes = file.entry().size_bytes;
  run_.progress().resized(source_.size_bytes, size_bytes);
  CO_TRY_VOID(co_await file.copy());
  if (run_.moves()) {
    CO_TRY_VOID(co_await check_source(run_, from_.path));
  }
  storage::ItemIdentity copy;
  if (notes_copy()) copy = co_await file.identity();
  CO_TRY_VOID(co_await may_show(copy));
  co_return co_await show_file(file);
}

/// Its writer has checked the size. Once it shows, the name may be another's at any moment, so that
/// what is different there is reported and never removed.
Task<Result<TreeSize>> TransferJob::show_file(FileTransfer& file) {
  CO_TRY_VOID(co_await file.publish());
  const TreeSize size{.bytes = file.entry().size_bytes, .files = 1};
  const auto whole = co_await stands_whole(to_.backend, to_.path, file.entry());
  if (whole && *whole) co_return size;
  run_.progress().keep(size);
  if (!whole) co_return failure_of(whole);
  co_return not_kept();
}

std::unexpected<Error> TransferJob::not_kept() const {
  return fail(
      ErrorCode::conflict,
      fmt::format("\"{}\" was replaced or deleted just after it was published.", to_.path.name()));
}

/// Some servers say that they have renamed a folder, and have not, or not with all that is in it. A
/// listing may be late, so a second one decides.
Task<bool> TransferJob::stands_as(std::vector<storage::Entry> collected) {
  const auto key = [](const storage::Entry& entry) {
    return std::tuple(entry.name, entry.is_directory, entry.is_directory ? 0 : entry.size_bytes);
  };
  std::ranges::sort(collected, {}, key);
  for (int look = 0; look < 2; ++look) {
    auto shown = co_await to_.backend.list(to_.path);
    if (!shown) continue;
    std::ranges::sort(*shown, {}, key);
    if (std::ranges::equal(*shown, collected, {}, key, key)) co_return true;
  }
  co_return false;
}

Task<Result<void>> TransferJob::tell_staging(const Path& staging) {
  if (!options_.on_staging) co_return Result<void>();
  co_return co_await options_.on_staging(staging);
}

Task<storage::ItemIdentity> TransferJob::identity_of(const Path& staging) {
  const auto entry = co_await to_.backend.stat(staging);
  co_return entry ? entry->identity() : storage::ItemIdentity();
}

Task<Result<void>> TransferJob::may_show(storage::ItemIdentity copy) {
  CO_TRY_VOID(run_.outcome());
  if (notes_copy()) {
    const CopiedSource copied{source_, fingerprint_, copy};
    CO_TRY_VOID(co_await options_.on_copied(copied));
  }
  if (!options_.may_show) co_return Result<void>();
  co_return co_await options_.may_show();
}

Task<Result<void>> TransferJob::check_source(TransferRun& run, const Path& at) {
  if (!source_.is_directory) co_return co_await check_source_file(at);
  co_return co_await check_source_tree(run, at);
}

Task<Result<void>> TransferJob::check_source_file(const Path& at) {
  const auto now = co_await from_.backend.stat(at);
  if (!now && now.error().code != ErrorCode::not_found) co_return failure_of(now);
  if (!now || !is_unchanged(source_, *now)) co_return std::unexpected(source_changed(run_));
  co_return Result<void>();
}

Task<Result<TreeSize>> TransferJob::run_tree() {
  const Name name = Name::parse(storage::partial_name()).value();
  run_.collect_at(name.str());
  const Path staging = to_.path.parent() / name;
  CO_TRY_VOID(co_await tell_staging(staging));
  std::exception_ptr broken;
  Result<TreeSize> stored;
  try {
    stored = co_await store_tree(staging);
  } catch (...) {
    broken = std::current_exception();
  }
  if ((broken || !stored) && options_.on_not_shown) co_await options_.on_not_shown();
  if (broken || !stored) co_await clean_up(staging);
  if (broken) std::rethrow_exception(broken);
  co_return stored;
}

Task<Result<TreeSize>> TransferJob::store_tree(const Path& staging) {
  TreeTransfer tree(from_, source_, {to_.backend, staging}, run_, fingerprint_);
  co_await do_work(tree, options_.files_in_flight);
  CO_TRY_VOID(co_await tree.check_target(run_.outcome()));
  auto check = run_.moves() ? check_source(run_, from_.path) : tree.check_top();
  CO_TRY_VOID(co_await std::move(check));
  storage::ItemIdentity copy;
  // Servers tell none, and take their time.
  if (notes_copy() && !to_.backend.is_remote()) copy = co_await identity_of(staging);
  std::optional<std::vector<storage::Entry>> collected;
  if (run_.moves() && to_.backend.is_remote()) {
    CO_TRY(collected, co_await to_.backend.list(staging));
  }
  CO_TRY_VOID(co_await may_show(copy));
  auto shown = co_await rename_surely(to_.backend, staging, to_.path);
  if (shown && collected && !co_await stands_as(*std::move(collected))) {
    run_.progress().keep(tree.size());
    co_return not_kept();
  }
  if (shown) co_return tree.size();
  const bool stands = co_await shows_although(shown.error(), staging);
  if (stands) {
    run_.progress().keep(tree.size());
  } else {
    shown = co_await tree.check_target(std::move(shown));
  }
  co_return failure_of(std::move(shown));
}

Task<bool> TransferJob::shows_although(const Error& error, const Path& staging) {
  if (!is_own_failure(error.code)) co_return false;
  const auto collected = co_await to_.backend.stat(staging);
  if (collected || collected.error().code != ErrorCode::not_found) co_return false;
  co_return (co_await to_.backend.stat(to_.path)).has_value();
}

Task<Result<void>> TransferJob::check_source_tree(TransferRun& run, const Path& at) {
  TreeScan look({from_.backend, at}, run, fingerprint_);
  co_await do_work(look, options_.files_in_flight);
  auto looked = run.outcome();
  if (!looked && looked.error().code == ErrorCode::not_found)
    co_return std::unexpected(source_changed(run_));
  if (!looked) co_return looked;
  if (look.fingerprint() != fingerprint_) co_return std::unexpected(source_changed(run_));
  co_return Result<void>();
}

Task<Result<TreeSize>> TransferJob::delete_source(TreeSize size) {
  const bool renames = from_.backend.renames_in_one_step();
  auto removal = renames ? rename_and_remove() : remove_under_its_name();
  auto removed = co_await std::move(removal);
  if (removed) run_.progress().remove(*removed);
  if (removed && !removed->unsafe) co_return size;
  run_.progress().keep(size);
  if (removed) co_return std::unexpected(*std::move(removed->unsafe));
  Error error = std::move(removed).error();
  // Both were there: another client took one of them away.
  if (error.code == ErrorCode::not_found) error.code = ErrorCode::conflict;
  error.message =
      "It was copied to its new place, but could not all be deleted from the old one: " +
      error.message;
  co_return std::unexpected(std::move(error));
}

Task<Result<void>> TransferJob::tell_leaving() {
  if (!options_.on_leaving) co_return Result<void>();
  co_return co_await options_.on_leaving();
}

Task<Result<Removed>> TransferJob::remove_under_its_name() {
  CO_TRY_VOID(co_await look_again(from_.path));
  CO_TRY_VOID(co_await tell_leaving());
  co_return co_await remove_persistently(from_.backend, from_.path);
}

Task<Result<void>> TransferJob::look_again(const Path& at) {
  // The new item may stand in the source, where two mounts lead to one disk.
  TransferRun look(run_.progress(), 0, true, options_.recheck);
  co_return co_await check_source(look, at);
}

Task<Result<Removed>> TransferJob::rename_and_remove() {
  const Name aside = options_.aside ? *options_.aside : name_not_moved(from_.path.name());
  const Path beside = from_.path.parent() / aside;
  auto renamed = co_await rename_persistently(from_.backend, from_.path, beside);
  if (!renamed) {
    co_await recover_source(beside, renamed.error());
    co_return failure_of(std::move(renamed));
  }
  Result<Removed> removed;
  auto same = co_await look_again(beside);
  if (same) same = co_await tell_leaving();
  if (same) removed = co_await remove_persistently(from_.backend, beside);
  if (same && removed) co_return removed;
  const auto back = co_await put_back(beside);
  if (!back) run_.progress().lose_source();
  CO_TRY_VOID(back);
  if (!same) co_return failure_of(std::move(same));
  co_return removed;
}

/// It may have the other name although the rename failed, as where the disk failed afterwards.
Task<void> TransferJob::recover_source(const Path& beside, const Error& failure) {
  const auto renamed = co_await from_.backend.stat(beside);
  const bool is_back = renamed && co_await put_back(beside);
  const bool has_stayed = !renamed && renamed.error().code == ErrorCode::not_found &&
                          failure.code != ErrorCode::not_found;
  if (!is_back && !has_stayed) run_.progress().lose_source();
}

Task<Result<void>> TransferJob::put_back(const Path& beside) {
  auto renamed = co_await rename_persistently(from_.backend, beside, from_.path);
  if (renamed && source_.is_directory) {
    // Everyone saw the other name, and may have given it to another folder.
    const auto back = co_await from_.backend.stat(from_.path);
    if (!back || back->identity() != source_.identity()) run_.progress().lose_source();
  }
  if (renamed || renamed.error().code != ErrorCode::exists) co_return renamed;
  co_return fail(ErrorCode::conflict,
                 "The source changed, and its name was taken meanwhile. What is left of it is \"" +
                     std::string(beside.name()) + "\".");
}

Task<void> TransferJob::clean_up(const Path& path) {
  const auto removed = co_await remove_persistently(to_.backend, path);
  if (removed || removed.error().code == ErrorCode::not_found) co_return;
  spdlog::warn("the remains of a failed transfer could not be removed: {}",
               removed.error().message);
}

}  // namespace

Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress) {
  TransferJob running(std::move(from), std::move(to), std::move(options), progress, false);
  co_return co_await shielded(running.run(), progress);
}

Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress) {
  TransferJob running(std::move(from), std::move(to), std::move(options), progress, true);
  co_return co_await shielded(running.run(), progress);
}

Name name_not_moved(std::string_view name) {
  constexpr std::size_t kMostBytes = 143;
  const std::string behind = " (not moved " + random_hex(4) + ")";
  const auto kept = cut_utf8(name, kMostBytes - behind.size());
  return Name::parse(std::string(kept) + behind).value();
}

}  // namespace coffer::core
