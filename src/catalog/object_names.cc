#include "catalog/object_names.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "catalog/database.h"
#include "catalog/ledger.h"
#include "catalog/object_changes.h"
#include "catalog/object_nodes.h"
#include "catalog/object_search.h"
#include "sql/connection.h"
#include "sql/failure.h"

namespace coffer::catalog {
namespace {

using storage::Entry;
using storage::NamedFile;
using storage::NameTreeId;
using storage::NewFile;
using storage::Published;
using storage::TreeSize;

/// Ids that a process takes at once; those that it does not use are lost.
constexpr std::size_t kIdsAtOnce = 1000;
constexpr std::size_t kObjectsAtOnce = 256;
/// Entries of a folder that are read at once, which bounds the memory of their rows.
constexpr std::size_t kEntriesAtOnce = 5000;
/// Items at the top of a removed tree that get out of the way at once for a new one.
constexpr std::size_t kDetachedAtOnce = 5000;
/// Objects that become garbage in one transaction, which takes a second at most.
constexpr std::size_t kReleasedAtOnce = 20'000;
/// For garbage that its store did not remove.
constexpr std::chrono::hours kUntilAnotherTry{1};
constexpr int kMostTries = 5;
/// For a publication whose outcome is unknown while the database is away.
constexpr std::chrono::seconds kLookFor{6};
constexpr std::chrono::milliseconds kBetweenLooks{100};
/// Few items are folders, for which the tree is locked alone at a second try.
constexpr TreeLock kLocks[] = {TreeLock::shared, TreeLock::alone};

}  // namespace

template <class F>
auto ObjectNames::read(NameTreeId tree, F job) {
  return database_.run(Lane::read, Turn::of_tree(tree.value), std::move(job));
}

template <class F>
auto ObjectNames::change(Turn turn, F job) {
  return database_.run(Lane::names, turn, std::move(job));
}

Task<Result<void>> ObjectNames::make_tree(NameTreeId tree, std::string home) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    if (detach_removed(sql, tree.value, kDetachedAtOnce)) return true;
    sql.run("INSERT INTO trees (id, home, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            tree, home, now());
    if (sql.value<std::string>("SELECT home FROM trees WHERE id = $1", tree) != home) {
      return fail(ErrorCode::failed, "The account's files would be those of another account.");
    }
    return false;
  };
  for (bool has_more = true; has_more;) {
    CO_TRY(has_more, co_await change(Turn::of_tree(tree.value), job));
  }
  co_return Result<void>();
}

Task<Result<bool>> ObjectNames::has_tree(NameTreeId tree, std::string home) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    return sql.value<std::string>("SELECT home FROM trees WHERE id = $1", tree) == home;
  };
  co_return co_await read(tree, std::move(job));
}

Task<Result<std::vector<std::string>>> ObjectNames::homes() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<std::string>> {
    std::vector<std::string> homes;
    for (const sql::Row& row : sql.query("SELECT home FROM trees ORDER BY home")) {
      homes.push_back(row.get<std::string>(0));
    }
    return homes;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<void>> ObjectNames::remove_tree(std::string home) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    const auto tree = sql.value<NameTreeId>("SELECT id FROM trees WHERE home = $1", home);
    if (!tree) return {};
    lock_tree(sql, *tree, TreeLock::alone, {});
    sql.run("DELETE FROM trees WHERE id = $1", *tree);
    doom_all(sql, tree->value);
    return {};
  };
  co_return co_await change(Turn::server(), std::move(job));
}

Task<Result<Entry>> ObjectNames::stat(NameTreeId tree, const Path& path) {
  auto job = [&](sql::Connection& sql) -> Result<Entry> {
    TRY(const auto place, walk(sql, tree, path));
    if (place.item() == nullptr) return storage::no_such_item();
    return place.item()->entry();
  };
  co_return co_await read(tree, std::move(job));
}

Task<Result<std::vector<Entry>>> ObjectNames::list(NameTreeId tree, const Path& folder,
                                                   const storage::ListingBound& bound) {
  std::vector<Entry> entries;
  for (std::size_t count = kEntriesAtOnce; count == kEntriesAtOnce;) {
    const std::string after = entries.empty() ? std::string() : entries.back().name;
    auto job = [&](sql::Connection& sql) {
      return children(sql, tree, folder, after, kEntriesAtOnce);
    };
    CO_TRY(auto more, co_await read(tree, std::move(job)));
    count = more.size();
    std::size_t bytes = 0;
    for (const Entry& entry : more) bytes += memory_of(entry);
    if (bound && bytes > 0 && !bound(bytes)) co_return storage::listing_too_large();
    std::ranges::move(more, std::back_inserter(entries));
  }
  co_return entries;
}

Task<Result<NamedFile>> ObjectNames::open(NameTreeId tree, const Path& file) {
  auto job = [&](sql::Connection& sql) { return open_file(sql, tree, file); };
  co_return co_await read(tree, std::move(job));
}

Task<Result<std::vector<NamedFile>>> ObjectNames::open_small(
    NameTreeId tree, const Path& folder, std::span<const storage::ContentId> contents) {
  auto job = [&](sql::Connection& sql) { return open_small_files(sql, tree, folder, contents); };
  co_return co_await read(tree, std::move(job));
}

Task<Result<std::unique_ptr<storage::TreeSearch>>> ObjectNames::search(NameTreeId tree,
                                                                       const Path& folder,
                                                                       storage::TreeQuery query) {
  auto job = [&](sql::Connection& sql) { return folder_to_search(sql, tree, folder); };
  CO_TRY(const auto top, co_await read(tree, std::move(job)));
  std::unique_ptr<storage::TreeSearch> search;
  if (top) search = std::make_unique<ObjectSearch>(database_, tree, *top, std::move(query));
  co_return search;
}

Task<Result<void>> ObjectNames::check(NameTreeId tree, const Path& target,
                                      const storage::WriteOptions& options) {
  const auto entry_of = [](const Node* node) {
    return node == nullptr ? std::nullopt : std::optional(node->entry());
  };
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(const auto place, walk(sql, tree, target));
    return storage::check_target(entry_of(place.folder()), entry_of(place.item()), options);
  };
  co_return co_await read(tree, std::move(job));
}

Task<Result<std::vector<Published>>> ObjectNames::publish(NameTreeId tree,
                                                          std::span<const NewFile> files,
                                                          std::uint64_t growth_limit_bytes) {
  if (files.empty()) co_return std::vector<Published>();
  CO_TRY_VOID(co_await check_room(tree, files.size()));
  CO_TRY(const auto first_id, co_await draw_ids(2 * files.size()));
  std::vector<Published> published;
  auto insert = [&](sql::Connection& sql) {
    return publish_files(sql, tree, files, growth_limit_bytes, versions_.of_file(), first_id,
                         published);
  };
  auto look = [&](sql::Connection& sql) { return were_published(sql, tree, files); };
  auto work = [&]() -> Result<void> {
    bool is_unknown = false;
    auto done = database_.run_here(Lane::names, insert, &is_unknown);
    if (!is_unknown) return done;
    const auto end = std::chrono::steady_clock::now() + kLookFor;
    auto seen = database_.run_here(Lane::names, look);
    while (!seen && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kBetweenLooks);
      seen = database_.run_here(Lane::names, look);
    }
    if (!seen) return done;
    if (*seen) return {};
    return fail(ErrorCode::unready, "The catalog cannot be used at the moment.");
  };
  auto done = co_await database_.on_thread(Lane::names, Turn::of_tree(tree.value), std::move(work));
  CO_TRY_VOID(noting_doubt(tree, std::move(done)));
  counts_.grew(tree, files.size());
  const auto replaced = std::ranges::count_if(published, &Published::replaced);
  if (versions_.are_kept() && replaced > 0) {
    published.back().replaced_bytes +=
        co_await versions_.hold_bound(tree, static_cast<std::size_t>(replaced));
  }
  co_return published;
}

Task<Result<void>> ObjectNames::make_folder(NameTreeId tree, const Path& top, const Path& folder) {
  const std::size_t most_made = folder.depth() - top.depth();
  CO_TRY_VOID(co_await check_room(tree, most_made));
  CO_TRY(const auto first_id, co_await draw_ids(most_made));
  auto job = [&](sql::Connection& sql) { return add_folders(sql, tree, top, folder, first_id); };
  CO_TRY_VOID(co_await change(Turn::of_tree(tree.value), std::move(job)));
  counts_.grew(tree, most_made);
  co_return Result<void>();
}

Task<Result<void>> ObjectNames::set_times(NameTreeId tree, const Path& folder, Timestamp created_at,
                                          Timestamp modified_at) {
  auto job = [&](sql::Connection& sql) {
    return set_folder_times(sql, tree, folder, created_at, modified_at);
  };
  co_return co_await change(Turn::of_tree(tree.value), std::move(job));
}

Task<Result<void>> ObjectNames::rename(NameTreeId tree, const Path& from, const Path& to) {
  for (const TreeLock lock : kLocks) {
    auto job = [&](sql::Connection& sql) { return rename_node(sql, tree, from, to, lock); };
    CO_TRY(const bool is_done, co_await change(Turn::of_tree(tree.value), std::move(job)));
    if (is_done) break;
  }
  co_return Result<void>();
}

Task<Result<TreeSize>> ObjectNames::remove(NameTreeId tree, const Path& path) {
  std::optional<TreeSize> removed;
  for (const TreeLock lock : kLocks) {
    auto job = [&](sql::Connection& sql) { return remove_node(sql, tree, path, lock); };
    auto done = co_await change(Turn::of_tree(tree.value), std::move(job));
    CO_TRY(removed, noting_doubt(tree, std::move(done)));
    if (removed) break;
  }
  co_return *removed;
}

Task<Result<TreeSize>> ObjectNames::copy(NameTreeId tree, const Path& from, const Path& to,
                                         std::uint64_t limit_bytes,
                                         std::function<Result<void>(const TreeSize&)> may_commit) {
  Result<TreeSize> copied;
  for (int tries = 0; tries < kMostTries; ++tries) {
    CO_TRY(const auto size, co_await measure(tree, from));
    if (size.bytes > limit_bytes) co_return fail_over_quota();
    // It may grow a little meanwhile.
    const std::uint64_t count = (size.files + size.folders) * 9 / 8 + 8;
    CO_TRY_VOID(co_await check_room(tree, size.files + size.folders));
    CO_TRY(const auto first, co_await draw_ids(count));
    const FreeIds ids{first, static_cast<std::int64_t>(count)};
    auto job = [&](sql::Connection& sql) -> Result<TreeSize> {
      try {
        return copy_nodes(sql, tree, from, to, ids, limit_bytes, may_commit);
      } catch (const sql::Failure& failure) {
        if (failure.kind() != sql::Failure::Kind::constraint) throw;
        return fail(ErrorCode::conflict, "A file was removed while it was copied.");
      }
    };
    copied = noting_doubt(tree, co_await change(Turn::of_tree(tree.value), std::move(job)));
    if (copied || copied.error().code != ErrorCode::conflict) break;
  }
  if (copied) counts_.grew(tree, copied->files + copied->folders);
  co_return copied;
}

Task<Result<TreeSize>> ObjectNames::measure(NameTreeId tree, const Path& path) {
  auto job = [&](sql::Connection& sql) -> Result<TreeSize> {
    TRY(const auto place, walk(sql, tree, path));
    if (place.item() == nullptr) return storage::no_such_item();
    return size_of(sql, *place.item());
  };
  co_return co_await read(tree, std::move(job));
}

Task<Result<void>> ObjectNames::check_room(NameTreeId tree, std::uint64_t names) {
  bool has_room = true;
  if (const auto room = counts_.room_for(tree, names); room == NodeCounts::Room::must_count) {
    auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
      return sql.only<std::uint64_t>(
          "SELECT count(*) FROM (SELECT 1 FROM nodes WHERE tree = $1 LIMIT $2) AS first", tree,
          counts_.most() + 1);
    };
    CO_TRY(const auto count, co_await read(tree, std::move(job)));
    counts_.counted(tree, count);
    has_room = count + names <= counts_.most();
  } else {
    has_room = room == NodeCounts::Room::yes;
  }
  if (has_room) co_return Result<void>();
  co_return fail(ErrorCode::rate_limited,
                 fmt::format("The account may have {} files and folders of its own, and has as "
                             "many: remove some first.",
                             counts_.most()));
}

void ObjectNames::note_doubt(NameTreeId tree) {
  const std::lock_guard lock(mutex_);
  doubtful_.insert(tree.value);
}

template <class T>
Result<T> ObjectNames::noting_doubt(NameTreeId tree, Result<T> done) {
  if (!done && done.error().code == ErrorCode::in_doubt) note_doubt(tree);
  return done;
}

Task<Result<bool>> ObjectNames::note_doubtful() {
  std::set<std::int64_t> doubtful;
  {
    const std::lock_guard lock(mutex_);
    doubtful.swap(doubtful_);
  }
  for (const std::int64_t tree : doubtful) {
    auto job = [tree](sql::Connection& sql) -> Result<void> {
      // Waits for the change, which may be under way without its client.
      lock_tree(sql, {tree}, TreeLock::alone, {});
      sql.run("UPDATE quota_usage SET is_counted = 0, version = version + 1 WHERE account_id = $1",
              tree);
      return {};
    };
    auto noted = co_await change(Turn::of_tree(tree), std::move(job));
    if (noted) continue;
    const std::lock_guard lock(mutex_);
    doubtful_.merge(doubtful);
    co_return failure_of(std::move(noted));
  }
  co_return !doubtful.empty();
}

Task<Result<std::int64_t>> ObjectNames::draw_ids(std::size_t count) {
  const auto wanted = static_cast<std::int64_t>(count);
  {
    const std::lock_guard lock(mutex_);
    if (end_of_ids_ - next_id_ >= wanted) co_return std::exchange(next_id_, next_id_ + wanted);
  }
  const auto drawn = static_cast<std::int64_t>(std::max(count, kIdsAtOnce));
  auto job = [&](sql::Connection& sql) -> Result<std::int64_t> {
    return sql.only<std::int64_t>("UPDATE node_ids SET next_id = next_id + $1 RETURNING next_id",
                                  drawn);
  };
  CO_TRY(const auto end, may_repeat(co_await change(Turn::server(), std::move(job))));
  const std::lock_guard lock(mutex_);
  next_id_ = end - drawn + wanted;
  end_of_ids_ = end;
  co_return end - drawn;
}

Task<Result<storage::ContentId>> ObjectNames::draw_content() {
  CO_TRY(const auto id, co_await draw_ids(1));
  co_return storage::ContentId{id};
}

Task<Result<void>> ObjectNames::write_discarded() {
  std::vector<std::string> discarded;
  {
    const std::lock_guard lock(mutex_);
    discarded.swap(discarded_);
  }
  if (discarded.empty()) co_return Result<void>();
  auto job = [&](sql::Connection& sql) -> Result<void> {
    discard_objects(sql, discarded);
    return {};
  };
  auto written = co_await change(Turn::server(), std::move(job));
  if (!written) discard(std::move(discarded));  // The next call writes it.
  co_return written;
}

Task<Result<void>> ObjectNames::draw_objects() {
  CO_TRY_VOID(co_await write_discarded());
  std::vector<std::string> drawn(kObjectsAtOnce);
  std::ranges::generate(drawn, [] { return random_hex(16); });
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run(fmt::format("INSERT INTO objects (id, run, state, changed_at) SELECT drawn.value, "
                        "CAST($2 AS TEXT), 0, {} FROM ({}) AS drawn",
                        database_time(sql), each_of(sql, ListOf::objects, 1)),
            list_argument(sql, drawn), ledger_.node());
    return {};
  };
  CO_TRY_VOID(may_repeat(co_await change(Turn::server(), std::move(job))));
  const std::lock_guard lock(mutex_);
  std::ranges::move(drawn, std::back_inserter(objects_));
  co_return Result<void>();
}

Task<Result<std::string>> ObjectNames::draw_object() {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (!objects_.empty()) {
        std::string object = std::move(objects_.back());
        objects_.pop_back();
        co_return object;
      }
    }
    CO_TRY_VOID(co_await draw_objects());
  }
}

void ObjectNames::discard(std::vector<std::string> objects) {
  const std::lock_guard lock(mutex_);
  std::ranges::move(objects, std::back_inserter(discarded_));
}

Task<Result<bool>> ObjectNames::take_apart_removed(std::size_t most) {
  auto job = [&](sql::Connection& sql) { return take_apart(sql, most); };
  co_return co_await change(Turn::server(), std::move(job));
}

Task<Result<bool>> ObjectNames::release_contents(std::size_t most) {
  auto job = [&](sql::Connection& sql) { return release_loose(sql, most, kReleasedAtOnce); };
  co_return co_await change(Turn::server(), std::move(job));
}

Task<Result<std::vector<std::string>>> ObjectNames::garbage(std::chrono::seconds grace,
                                                            std::size_t most) {
  CO_TRY_VOID(co_await write_discarded());
  auto job = [&](sql::Connection& sql) -> Result<std::vector<std::string>> {
    return old_garbage(sql, grace, most, ledger_.node());
  };
  co_return co_await change(Turn::server(), std::move(job));
}

Task<Result<void>> ObjectNames::forget(std::span<const std::string> objects) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM objects WHERE state = 2 AND " + is_in(sql, "id", ListOf::objects, 1),
            list_argument(sql, objects));
    return {};
  };
  co_return co_await change(Turn::server(), std::move(job));
}

Task<Result<void>> ObjectNames::put_back(std::span<const std::string> objects,
                                         std::chrono::seconds grace) {
  const auto earlier_ns = std::chrono::nanoseconds(grace - kUntilAnotherTry).count();
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run(fmt::format("UPDATE objects SET changed_at = {} - $2 WHERE state = 2 AND {}",
                        database_time(sql), is_in(sql, "id", ListOf::objects, 1)),
            list_argument(sql, objects), earlier_ns);
    return {};
  };
  co_return co_await change(Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
