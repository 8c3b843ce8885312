#include "catalog/object_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/clock.h"
#include "base/folding.h"
#include "catalog/uploads.h"
#include "sql/failure.h"
#include "storage/partial_name.h"

namespace coffer::catalog {
namespace {

using storage::NameTreeId;
using storage::NewFile;
using storage::Published;
using storage::TreeSize;

/// The locks of all connections have one table.
constexpr std::size_t kMostPathLocks = 64;

std::string folded(std::string_view name) {
  std::string text;
  fold(name, text);
  return text;
}

std::optional<storage::Entry> entry_of(const Node* node) {
  return node == nullptr ? std::nullopt : std::optional(node->entry());
}

/// Notes contents that may have lost their last name. Takes them in order of their ids, like all
/// that lock these rows. An update of a row that is being released waits, and then inserts it anew.
void loosen(sql::Connection& sql, std::string_view contents, sql::Value argument) {
  sql.run_values(
      fmt::format("INSERT INTO loose (content) SELECT DISTINCT content FROM ({}) AS gone "
                  "WHERE content IS NOT NULL ORDER BY content "
                  "ON CONFLICT (content) DO UPDATE SET content = excluded.content",
                  contents),
      {std::move(argument)});
}

void loosen(sql::Connection& sql, const std::vector<std::int64_t>& contents) {
  if (contents.empty()) return;
  loosen(sql, "SELECT id AS content FROM contents WHERE " + is_in(sql, "id", ListOf::numbers, 1),
         list_argument(sql, contents));
}

void insert_content(sql::Connection& sql, const storage::StoredContent& content) {
  std::optional<std::string> bytes;
  if (!content.is_in_segments()) bytes = hex_value(content.bytes);
  sql.run("INSERT INTO contents (id, size_bytes, bytes) VALUES ($1, $2, $3)", content.id,
          content.size_bytes, bytes);
  std::size_t number = 0;
  for (const auto& segment : content.segments) {
    sql.run(
        "INSERT INTO segments (content, seq, object, at_byte, size_bytes, sha256) "
        "VALUES ($1, $2, $3, 0, $4, $5)",
        content.id, number++, segment.object, segment.size_bytes, segment_hash(segment));
  }
}

void insert_node(sql::Connection& sql, std::int64_t id, NameTreeId tree, std::int64_t parent,
                 std::string_view name, const NewFile* file) {
  const Timestamp time = now();
  std::optional<storage::ContentId> content;
  if (file) content = file->content->id;
  sql.run(
      "INSERT INTO nodes (id, tree, parent, name, folded, is_hidden, content, size_bytes, "
      "created_at, modified_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
      id, tree, parent, name, folded(name), storage::is_hidden_name(name), content,
      file ? file->content->size_bytes : 0, file ? file->created_at : time,
      file ? file->modified_at : time);
}

void swap_content(sql::Connection& sql, std::int64_t node, const NewFile& file) {
  sql.run(
      "UPDATE nodes SET content = $2, size_bytes = $3, created_at = $4, modified_at = $5 "
      "WHERE id = $1",
      node, file.content->id, file.content->size_bytes, file.created_at, file.modified_at);
}

Node node_of(std::int64_t id, const NewFile& file) {
  return {.id = id,
          .name = std::string(file.target.name()),
          .content = file.content->id.value,
          .size_bytes = file.content->size_bytes,
          .created_at = file.created_at,
          .modified_at = file.modified_at};
}

/// Makes an upload's segments those of the content, as NewFile says.
Result<void> publish_segments(sql::Connection& sql, const storage::UploadTurn& turn,
                              const storage::StoredContent& content) {
  TRY([[maybe_unused]] const auto state, lock_upload(sql, turn));
  const auto bytes = sql.only<std::uint64_t>(
      "SELECT CAST(coalesce(sum(size_bytes), 0) AS BIGINT) FROM upload_segments WHERE upload = $1",
      turn.upload);
  if (bytes != content.size_bytes) {
    return fail(ErrorCode::conflict, "The bytes of the upload were changed meanwhile.");
  }
  if (content.is_in_segments()) {
    sql.run(
        "INSERT INTO segments (content, seq, object, at_byte, size_bytes, sha256) "
        "SELECT CAST($2 AS BIGINT), row_number() OVER (ORDER BY at_byte) - 1, object, 0, "
        "size_bytes, sha256 FROM upload_segments WHERE upload = $1",
        turn.upload, content.id);
    sql.run("DELETE FROM upload_segments WHERE upload = $1", turn.upload);
  } else {
    release_objects(sql, sql.query("DELETE FROM upload_segments WHERE upload = $1 RETURNING object",
                                   turn.upload));
  }
  sql.run("UPDATE uploads SET content = $2 WHERE id = $1", turn.upload, content.id);
  return {};
}

/// Makes the objects of the contents part of them, if they all may be.
Result<void> claim_contents(sql::Connection& sql, std::span<const NewFile> files) {
  std::vector<std::string> objects;
  for (const NewFile& file : files) {
    if (file.upload) TRY_VOID(publish_segments(sql, *file.upload, *file.content));
    for (const auto& segment : file.content->segments) objects.push_back(segment.object);
  }
  return claim_objects(sql, objects);
}

std::vector<Path> targets_of(std::span<const NewFile> files) {
  std::vector<Path> targets;
  for (const NewFile& file : files) targets.push_back(file.target);
  return targets;
}

/// Moves the node out of the tree.
void doom(sql::Connection& sql, std::string_view which, sql::Value argument) {
  sql.run_values(fmt::format("INSERT INTO doomed (node) SELECT id FROM nodes WHERE {}", which),
                 {argument});
  sql.run_values(
      fmt::format("UPDATE nodes SET parent = 0, name = CAST(id AS TEXT) WHERE {}", which),
      {argument});
}

}  // namespace

void lock_tree(sql::Connection& sql, NameTreeId tree, TreeLock lock, std::vector<Path> paths) {
  if (sql.is_sqlite()) return;
  const std::string name = fmt::format("coffer tree {}", tree.value);
  if (lock == TreeLock::alone || paths.size() > kMostPathLocks) {
    sql.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name);
    return;
  }
  sql.run("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))", name);
  std::ranges::sort(paths);
  for (const Path& path : paths) {
    sql.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name + '/' + path.str());
  }
}

Result<void> publish_files(sql::Connection& sql, NameTreeId tree, std::span<const NewFile> files,
                           std::uint64_t growth_limit_bytes, std::int64_t first_id,
                           std::vector<Published>& published) {
  const auto targets = targets_of(files);
  lock_tree(sql, tree, TreeLock::shared, targets);
  TRY(const auto places, walk(sql, tree, targets));
  storage::Growth growth;
  published.clear();
  std::map<Path, Node> shown;
  std::vector<std::int64_t> replaced;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const NewFile& file = files[i];
    const auto before = shown.find(file.target);
    const Node* const old = before == shown.end() ? places[i].item() : &before->second;
    const Node* const folder = places[i].folder();
    TRY_VOID(storage::check_target(entry_of(folder), entry_of(old), file.options));
    published.push_back({.size_bytes = file.content->size_bytes,
                         .replaced_bytes = old != nullptr ? old->size_bytes : 0,
                         .replaced = old != nullptr});
    growth.add(published.back());
    insert_content(sql, *file.content);
    const std::int64_t id = old != nullptr ? old->id : first_id + static_cast<std::int64_t>(i);
    if (old != nullptr) {
      swap_content(sql, id, file);
      replaced.push_back(*old->content);
    } else {
      insert_node(sql, id, tree, folder->id, file.target.name(), &file);
    }
    shown[file.target] = node_of(id, file);
  }
  if (!growth.is_within(growth_limit_bytes)) return fail_over_quota();
  loosen(sql, replaced);
  return claim_contents(sql, files);
}

Result<bool> were_published(sql::Connection& sql, NameTreeId tree, std::span<const NewFile> files) {
  lock_tree(sql, tree, TreeLock::shared, targets_of(files));
  return sql.only<int>("SELECT count(*) FROM contents WHERE id = $1", files[0].content->id) > 0;
}

Result<void> add_folders(sql::Connection& sql, NameTreeId tree, const Path& top, const Path& folder,
                         std::int64_t first_id) {
  std::vector<Path> paths;
  for (Path path = folder; path != top; path = path.parent()) paths.push_back(path);
  lock_tree(sql, tree, TreeLock::shared, paths);
  TRY(const auto place, walk(sql, tree, folder));
  if (place.item() != nullptr) return storage::name_taken();
  if (place.at(top.depth()) == nullptr) return storage::no_such_item();
  if (!place.nodes.back().is_folder()) return storage::not_a_folder();
  std::int64_t parent = place.nodes.back().id;
  // `paths` begins with the deepest.
  for (std::size_t left = place.depth - (place.nodes.size() - 1); left > 0; --left) {
    insert_node(sql, first_id, tree, parent, paths[left - 1].name(), nullptr);
    parent = first_id++;
  }
  return {};
}

Result<bool> rename_node(sql::Connection& sql, NameTreeId tree, const Path& from, const Path& to,
                         TreeLock lock) {
  const std::vector<Path> paths{from, to};
  lock_tree(sql, tree, lock, paths);
  TRY(const auto walks, walk(sql, tree, paths));
  const Node* const item = walks[0].item();
  if (item == nullptr) return storage::no_such_item();
  if (from == to) return true;
  if (to.is_within(from)) return storage::within_itself();
  TRY_VOID(storage::check_target(entry_of(walks[1].folder()), std::nullopt, {}));
  if (walks[1].item() != nullptr) return storage::name_taken();
  if (item->is_folder() && lock == TreeLock::shared) return false;
  sql.run("UPDATE nodes SET parent = $2, name = $3, folded = $4, is_hidden = $5 WHERE id = $1",
          item->id, walks[1].folder()->id, to.name(), folded(to.name()),
          storage::is_hidden_name(to.name()));
  return true;
}

Result<std::optional<TreeSize>> remove_node(sql::Connection& sql, NameTreeId tree, const Path& path,
                                            TreeLock lock) {
  lock_tree(sql, tree, lock, {path});
  TRY(const auto place, walk(sql, tree, path));
  const Node* const item = place.item();
  if (item == nullptr) return storage::no_such_item();
  if (!item->is_folder()) {
    sql.run("DELETE FROM nodes WHERE id = $1", item->id);
    loosen(sql, std::vector{*item->content});
    return TreeSize{item->size_bytes, 1, 0};
  }
  if (lock == TreeLock::shared) return std::nullopt;
  doom(sql, "id = $1", item->id);
  return size_of(sql, *item, true);
}

Result<TreeSize> copy_nodes(sql::Connection& sql, NameTreeId tree, const Path& from, const Path& to,
                            FreeIds ids, std::uint64_t limit_bytes,
                            const std::function<Result<void>(const TreeSize&)>& may_commit) {
  lock_tree(sql, tree, TreeLock::shared, {to});
  const std::vector<Path> paths{from, to};
  TRY(const auto walks, walk(sql, tree, paths));
  const Node* const item = walks[0].item();
  if (item == nullptr) return storage::no_such_item();
  if (to.is_within(from)) return storage::within_itself();
  TRY_VOID(storage::check_target(entry_of(walks[1].folder()), std::nullopt, {}));
  if (walks[1].item() != nullptr) return storage::name_taken();
  const std::string text = fmt::format(
      "WITH RECURSIVE below (id, parent, name, folded, is_hidden, content, size_bytes, "
      "modified_at) "
      "AS (SELECT id, parent, name, folded, is_hidden, content, size_bytes, modified_at FROM nodes "
      "WHERE id = $1 UNION ALL SELECT n.id, n.parent, n.name, n.folded, n.is_hidden, n.content, "
      "n.size_bytes, n.modified_at FROM below b {} "
      "WHERE n.is_hidden = 0), numbered AS (SELECT b.*, "
      "CAST($2 AS BIGINT) - 1 + row_number() OVER (ORDER BY b.id) AS new_id FROM below b) "
      "INSERT INTO nodes (id, tree, parent, name, folded, is_hidden, content, size_bytes, "
      "created_at, modified_at) SELECT c.new_id, CAST($3 AS BIGINT), "
      "coalesce(p.new_id, CAST($4 AS BIGINT)), CASE WHEN c.id = $1 THEN $5 ELSE c.name END, "
      "CASE WHEN c.id = $1 THEN $6 ELSE c.folded END, "
      "CASE WHEN c.id = $1 THEN $7 ELSE c.is_hidden END, c.content, c.size_bytes, "
      "CAST($8 AS BIGINT), c.modified_at FROM numbered c LEFT JOIN numbered p ON p.id = c.parent",
      join_children(sql));
  const std::int64_t copied =
      sql.change(text, item->id, ids.first, tree, walks[1].folder()->id, to.name(),
                 folded(to.name()), storage::is_hidden_name(to.name()), now());
  if (copied == 0 || copied > ids.count) {
    return fail(ErrorCode::conflict, "The folder is being changed.");
  }
  const auto row = sql.first(
                          "SELECT CAST(sum(size_bytes) AS BIGINT), count(content) FROM nodes "
                          "WHERE id >= $1 AND id < $2",
                          ids.first, ids.first + copied)
                       .value();
  const auto files = row.get<std::uint64_t>(1);
  const TreeSize size{row.get<std::uint64_t>(0), files, static_cast<std::uint64_t>(copied) - files};
  if (size.bytes > limit_bytes) return fail_over_quota();
  if (may_commit) TRY_VOID(may_commit(size));
  return size;
}

void doom_all(sql::Connection& sql, std::int64_t tree) {
  doom(sql, "parent = -CAST($1 AS BIGINT)", tree);
}

namespace {

std::vector<std::int64_t> numbers(const std::vector<sql::Row>& rows) {
  std::vector<std::int64_t> all;
  for (const sql::Row& row : rows) all.push_back(row.get<std::int64_t>(0));
  return all;
}

void delete_nodes(sql::Connection& sql, const std::string& list) {
  const std::string which = is_in(sql, "id", ListOf::numbers, 1);
  loosen(sql, "SELECT content FROM nodes WHERE " + which, list);
  sql.run("DELETE FROM nodes WHERE " + which, list);
}

}  // namespace

Result<bool> take_apart(sql::Connection& sql, std::size_t most) {
  constexpr std::size_t kMostRoots = 100;
  const auto roots = numbers(sql.query(
      fmt::format("SELECT node FROM doomed ORDER BY node LIMIT $1{}", for_update(sql, true)),
      kMostRoots));
  if (roots.empty()) return false;
  const std::string root_list = list_argument(sql, roots);
  const auto below = sql.query(fmt::format("SELECT id, content FROM nodes WHERE {} LIMIT $2",
                                           is_in(sql, "parent", ListOf::numbers, 1)),
                               root_list, most);
  std::vector<std::int64_t> files;
  std::vector<std::int64_t> folders;
  for (const sql::Row& row : below) {
    const bool is_file = row.get<std::optional<std::int64_t>>(1).has_value();
    (is_file ? files : folders).push_back(row.get<std::int64_t>(0));
  }
  if (!folders.empty()) {
    doom(sql, is_in(sql, "id", ListOf::numbers, 1), list_argument(sql, folders));
  }
  if (below.size() == most) {
    delete_nodes(sql, list_argument(sql, files));
    return true;
  }
  files.insert(files.end(), roots.begin(), roots.end());
  delete_nodes(sql, list_argument(sql, files));
  sql.run("DELETE FROM doomed WHERE " + is_in(sql, "node", ListOf::numbers, 1), root_list);
  return true;
}

Result<bool> release_loose(sql::Connection& sql, std::size_t most) {
  const auto loose = numbers(sql.query(
      fmt::format("SELECT content FROM loose ORDER BY content LIMIT $1{}", for_update(sql, true)),
      most));
  if (loose.empty()) return false;
  const std::string loose_list = list_argument(sql, loose);
  const std::string is_loose = is_in(sql, "id", ListOf::numbers, 1);
  // A copy that is under way may refer to those that it has locked. One that comes later to those
  // that are locked here waits, and then fails or finds them.
  const auto locked =
      numbers(sql.query(fmt::format("SELECT id FROM contents WHERE {} ORDER BY id{}",
                                    is_in(sql, "id", ListOf::numbers, 1), for_update(sql, true)),
                        list_argument(sql, loose)));
  const std::string locked_list = list_argument(sql, locked);
  const std::string is_listed = is_in(sql, "id", ListOf::numbers, 1);
  const auto unused =
      numbers(sql.query(fmt::format("SELECT id FROM contents WHERE {} AND NOT EXISTS "
                                    "(SELECT 1 FROM nodes n WHERE n.content = contents.id)",
                                    is_listed),
                        locked_list));
  const std::string unused_list = list_argument(sql, unused);
  const std::string is_unused = is_in(sql, "content", ListOf::numbers, 1);
  sql.run(fmt::format("UPDATE objects SET state = 2, changed_at = {} WHERE id IN "
                      "(SELECT object FROM segments WHERE {})",
                      database_time(sql), is_unused),
          unused_list);
  sql.run("DELETE FROM segments WHERE " + is_unused, unused_list);
  sql.run("DELETE FROM contents WHERE " + is_listed, unused_list);
  sql.run("DELETE FROM loose WHERE " + is_unused, locked_list);
  return locked.size() == most;
}

std::vector<std::string> old_garbage(sql::Connection& sql, std::chrono::seconds grace,
                                     std::size_t most, const std::string& run) {
  const std::string is_old = fmt::format("changed_at <= {} - $1", database_time(sql));
  const auto grace_ns = std::chrono::nanoseconds(grace).count();
  // A run that has ended publishes nothing any more (see Database::guard_writes).
  sql.run(fmt::format("UPDATE objects SET state = 2, changed_at = {} WHERE state = 0 AND {} AND "
                      "run <> $2 AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.node = objects.run)",
                      database_time(sql), is_old),
          grace_ns, run);
  const auto rows = sql.query(
      fmt::format("SELECT id FROM objects WHERE state = 2 AND {} ORDER BY changed_at LIMIT $2",
                  is_old),
      grace_ns, most);
  std::vector<std::string> found;
  for (const sql::Row& row : rows) {
    std::erase(found.emplace_back(row.get<std::string>(0)), '-');
  }
  return found;
}

Result<void> claim_objects(sql::Connection& sql, std::span<const std::string> objects) {
  if (objects.empty()) return {};
  const auto claimed =
      sql.change(fmt::format("UPDATE objects SET state = 1, changed_at = {} WHERE state = 0 AND {}",
                             database_time(sql), is_in(sql, "id", ListOf::objects, 1)),
                 list_argument(sql, objects));
  if (std::cmp_equal(claimed, objects.size())) return {};
  return fail(ErrorCode::failed, "The content of the file was taken for garbage.");
}

std::size_t release_objects(sql::Connection& sql, const std::vector<sql::Row>& deleted) {
  std::vector<std::string> objects;
  objects.reserve(deleted.size());
  for (const sql::Row& row : deleted) objects.push_back(row.get<std::string>(0));
  if (objects.empty()) return 0;
  sql.run(fmt::format("UPDATE objects SET state = 2, changed_at = {} WHERE state = 1 AND {}",
                      database_time(sql), is_in(sql, "id", ListOf::objects, 1)),
          list_argument(sql, objects));
  return objects.size();
}

void discard_objects(sql::Connection& sql, std::span<const std::string> objects) {
  sql.run(fmt::format("UPDATE objects SET state = 2, changed_at = {} WHERE state = 0 AND {}",
                      database_time(sql), is_in(sql, "id", ListOf::objects, 1)),
          list_argument(sql, objects));
}

}  // namespace coffer::catalog
