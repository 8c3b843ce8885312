#include "catalog/object_names.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "catalog/database.h"
#include "catalog/ledger.h"
#include "catalog/object_changes.h"
#include "catalog/object_nodes.h"
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
constexpr int kMostTries = 5;
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
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("INSERT INTO trees (id, home, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            tree, home, now());
    if (sql.value<std::string>("SELECT home FROM trees WHERE id = $1", tree) != home) {
      return fail(ErrorCode::failed, "The account's files would be those of another account.");
    }
    return {};
  };
  co_return co_await change(Turn::of_tree(tree.value), std::move(job));
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
  CO_TRY(const auto first_id, co_await draw_ids(files.size()));
  std::vector<Published> published;
  auto insert = [&](sql::Connection& sql) {
    return publish_files(sql, tree, files, growth_limit_bytes, first_id, published);
  };
  auto look = [&](sql::Connection& sql) { return were_published(sql, tree, files); };
  auto work = [&]() -> Result<void> {
    bool is_unknown = false;
    auto done = database_.run_here(Lane::names, insert, &is_unknown);
    if (!is_unknown) return done;
    const auto seen = database_.run_here(Lane::names, look);
    return seen && *seen ? Result<void>() : done;
  };
  CO_TRY_VOID(
      co_await database_.on_thread(Lane::names, Turn::of_tree(tree.value), std::move(work)));
  co_return published;
}

Task<Result<void>> ObjectNames::make_folder(NameTreeId tree, const Path& top, const Path& folder) {
  CO_TRY(const auto first_id, co_await draw_ids(folder.depth() - top.depth()));
  auto job = [&](sql::Connection& sql) { return add_folders(sql, tree, top, folder, first_id); };
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
    CO_TRY(removed, co_await change(Turn::of_tree(tree.value), std::move(job)));
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
    copied = co_await change(Turn::of_tree(tree.value), std::move(job));
    if (copied || copied.error().code != ErrorCode::conflict) break;
  }
  co_return copied;
}

Task<Result<TreeSize>> ObjectNames::measure(NameTreeId tree, const Path& path) {
  auto job = [&](sql::Connection& sql) -> Result<TreeSize> {
    TRY(const auto place, walk(sql, tree, path));
    if (place.item() == nullptr) return storage::no_such_item();
    return size_of(sql, *place.item(), false);
  };
  co_return co_await read(tree, std::move(job));
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
  CO_TRY(const auto end, co_await change(Turn::server(), std::move(job)));
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
  CO_TRY_VOID(co_await change(Turn::server(), std::move(job)));
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
  auto job = [&](sql::Connection& sql) { return release_loose(sql, most); };
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

}  // namespace coffer::catalog
