#include "catalog/object_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/folding.h"
#include "catalog/uploads.h"
#include "catalog/version_rows.h"
#include "sql/failure.h"
#include "storage/partial_name.h"

namespace coffer::catalog {
namespace {

using storage::NameTreeId;
using storage::NewFile;
using storage::Published;
using storage::TreeSize;

std::string folded(std::string_view name) {
  std::string text;
  fold(name, text);
  return text;
}

std::optional<storage::Entry> entry_of(const Node* node) {
  return node == nullptr ? std::nullopt : std::optional(node->entry());
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

/// Gives a file its new content; `stays` if it has its old one as a version.
void swap_content(sql::Connection& sql, const Node& old, const NewFile& file, bool stays) {
  sql.run(
      "UPDATE nodes SET content = $2, size_bytes = $3, created_at = $4, modified_at = $5, "
      "versions = versions + $6, version_bytes = version_bytes + $7 WHERE id = $1",
      old.id, file.content->id, file.content->size_bytes, file.created_at, file.modified_at,
      stays ? 1 : 0, stays ? old.size_bytes : 0);
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

/// A file that is published, and what has its name before.
struct Publication {
  const NewFile* file;
  const Node* folder;
  std::optional<Node> old;
  bool is_of_others = false;  ///< `old` was there before all these files.
};

Result<std::vector<Publication>> plan(std::span<const Walk> places,
                                      std::span<const NewFile> files) {
  std::vector<Publication> all;
  std::map<Path, Node> shown;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const NewFile& file = files[i];
    const auto before = shown.find(file.target);
    const bool is_of_others = before == shown.end();
    const Node* const old = is_of_others ? places[i].item() : &before->second;
    const Node* const folder = places[i].folder();
    TRY_VOID(storage::check_target(entry_of(folder), entry_of(old), file.options));
    all.push_back(
        {&file, folder, old == nullptr ? std::nullopt : std::optional(*old), is_of_others});
    shown[file.target] = node_of(old == nullptr ? 0 : old->id, file);
  }
  return all;
}

/// Returns true if the content becomes a version when it is replaced.
bool may_stay(const Publication& one) {
  if (one.file->options.by.account.empty()) return false;
  return one.old && one.is_of_others && one.old->size_bytes > 0;
}

std::vector<Published> result_of(std::span<const Publication> all, bool keeps) {
  std::vector<Published> published;
  for (const Publication& one : all) {
    const bool stays = keeps && may_stay(one);
    published.push_back({.size_bytes = one.file->content->size_bytes,
                         .replaced_bytes = one.old && !stays ? one.old->size_bytes : 0,
                         .replaced = one.old.has_value()});
  }
  return published;
}

bool fits(std::span<const Published> published, std::uint64_t growth_limit_bytes) {
  storage::Growth growth;
  for (const Published& one : published) growth.add(one);
  return growth.is_within(growth_limit_bytes);
}

/// Adds to `published` what becomes free.
void drop_excess(sql::Connection& sql, std::span<const Publication> all, std::size_t versions,
                 std::span<Published> published) {
  std::map<std::int64_t, std::size_t> full;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (may_stay(all[i]) && all[i].old->versions >= versions) full[all[i].old->id] = i;
  }
  std::vector<std::int64_t> files;
  for (const auto& [file, i] : full) files.push_back(file);
  const auto freed = drop_oldest(sql, files, versions);
  for (std::size_t i = 0; i < files.size(); ++i) {
    published[full[files[i]]].replaced_bytes += freed[i];
  }
}

}  // namespace

Result<void> publish_files(sql::Connection& sql, NameTreeId tree, std::span<const NewFile> files,
                           std::uint64_t growth_limit_bytes, std::size_t versions,
                           std::int64_t first_id, std::vector<Published>& published) {
  const auto targets = targets_of(files);
  lock_tree(sql, tree, TreeLock::shared, targets);
  TRY(const auto places, walk(sql, tree, targets));
  TRY(auto all, plan(places, files));
  published = result_of(all, versions > 0);
  const bool keeps = versions > 0 && fits(published, growth_limit_bytes);
  if (!keeps) published = result_of(all, false);
  if (!keeps && !fits(published, growth_limit_bytes)) return fail_over_quota();
  std::vector<std::int64_t> replaced;
  std::map<Path, std::int64_t> added;
  for (const Publication& one : all) {
    const std::int64_t id = first_id++;
    const storage::VersionId version{first_id++};
    insert_content(sql, *one.file->content);
    if (!one.old) {
      insert_node(sql, id, tree, one.folder->id, one.file->target.name(), one.file);
      added[one.file->target] = id;
      continue;
    }
    Node old = *one.old;
    if (old.id == 0) old.id = added.at(one.file->target);
    const bool stays = keeps && may_stay(one);
    if (stays) add_version(sql, tree, old, version, one.file->options.by);
    if (!stays) replaced.push_back(*old.content);
    swap_content(sql, old, *one.file, stays);
  }
  loosen(sql, replaced);
  if (keeps) drop_excess(sql, all, versions, published);
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

Result<void> set_folder_times(sql::Connection& sql, NameTreeId tree, const Path& folder,
                              Timestamp created_at, Timestamp modified_at) {
  lock_tree(sql, tree, TreeLock::shared, {folder});
  TRY(const auto place, walk(sql, tree, folder));
  const Node* const item = place.item();
  if (item == nullptr) return storage::no_such_item();
  if (!item->is_folder()) return storage::not_a_folder();
  sql.run("UPDATE nodes SET created_at = $2, modified_at = $3 WHERE id = $1", item->id, created_at,
          modified_at);
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
    if (item->versions > 0) drop_versions_of(sql, item->id);
    sql.run("DELETE FROM nodes WHERE id = $1", item->id);
    loosen(sql, std::vector{*item->content});
    return TreeSize{item->size_bytes, 1, 0, item->version_bytes};
  }
  if (lock == TreeLock::shared) return std::nullopt;
  doom(sql, "id = $1", item->id);
  const WholeTree whole = whole_tree(sql, *item);
  if (whole.size.version_bytes > 0) drop_versions_of_all(sql, whole.with_versions);
  return whole.size;
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
                          "SELECT CAST(sum(size_bytes) AS BIGINT), count(content), "
                          "(SELECT count(*) FROM loose l JOIN nodes n ON n.content = -l.content "
                          "WHERE l.content < 0 AND n.id >= $1 AND n.id < $2) FROM nodes "
                          "WHERE id >= $1 AND id < $2",
                          ids.first, ids.first + copied)
                       .value();
  if (row.get<int>(2) > 0) return fail(ErrorCode::conflict, "A file was removed meanwhile.");
  const auto files = row.get<std::uint64_t>(1);
  const TreeSize size{row.get<std::uint64_t>(0), files, static_cast<std::uint64_t>(copied) - files};
  if (size.bytes > limit_bytes) return fail_over_quota();
  if (may_commit) TRY_VOID(may_commit(size));
  return size;
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

void doom_all(sql::Connection& sql, std::int64_t tree) {
  drop_versions_in(sql, tree);
  sql.run("INSERT INTO doomed (node) VALUES ($1)", -tree);
}

bool detach_removed(sql::Connection& sql, std::int64_t tree, std::size_t most) {
  // Who takes the tree apart holds this row.
  const auto removed = sql.first(
      fmt::format("SELECT node FROM doomed WHERE node = $1{}", for_update(sql, false)), -tree);
  if (!removed) return false;
  const auto items =
      numbers(sql.query("SELECT id FROM nodes WHERE parent = $1 LIMIT $2", -tree, most));
  if (!items.empty()) {
    doom(sql, is_in(sql, "id", ListOf::numbers, 1), list_argument(sql, items));
  }
  if (items.size() < most) sql.run("DELETE FROM doomed WHERE node = $1", -tree);
  return items.size() == most;
}

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

namespace {

/// Returns those of the contents that no file and no version has. Their rows are locked.
std::vector<std::int64_t> unused_of(sql::Connection& sql, const std::vector<std::int64_t>& locked) {
  return numbers(sql.query(fmt::format("SELECT id FROM contents WHERE {} AND NOT EXISTS "
                                       "(SELECT 1 FROM nodes n WHERE n.content = contents.id) AND "
                                       "NOT EXISTS (SELECT 1 FROM versions v "
                                       "WHERE v.content = contents.id)",
                                       is_in(sql, "id", ListOf::numbers, 1)),
                           list_argument(sql, locked)));
}

/// Makes up to `most` objects of the contents garbage. Deletes the contents that have no others,
/// and returns the rest.
std::vector<std::int64_t> release_some(sql::Connection& sql, std::vector<std::int64_t> unused,
                                       std::size_t most) {
  const std::string list = list_argument(sql, unused);
  release_objects(sql, sql.query(fmt::format("DELETE FROM segments WHERE (content, seq) IN "
                                             "(SELECT content, seq FROM segments WHERE {} "
                                             "LIMIT {}) RETURNING object",
                                             is_in(sql, "content", ListOf::numbers, 1), most),
                                 list));
  const auto released =
      numbers(sql.query(fmt::format("DELETE FROM contents WHERE {} AND NOT EXISTS (SELECT 1 FROM "
                                    "segments s WHERE s.content = contents.id) RETURNING id",
                                    is_in(sql, "id", ListOf::numbers, 1)),
                        list));
  const std::set<std::int64_t> gone(released.begin(), released.end());
  std::erase_if(unused, [&](std::int64_t content) { return gone.contains(content); });
  return unused;
}

/// Ends the rows of the contents `done` in `loose`. Those of `left`, which are gone but for some of
/// their objects, get their negative ids.
void end_loose(sql::Connection& sql, const std::vector<std::int64_t>& done,
               const std::vector<std::int64_t>& left) {
  std::set<std::int64_t> ended;
  for (const std::int64_t content : done) ended.insert({content, -content});
  for (const std::int64_t content : left) ended.erase(-content);
  sql.run("DELETE FROM loose WHERE " + is_in(sql, "content", ListOf::numbers, 1),
          list_argument(sql, ended));
  if (left.empty()) return;
  sql.run(fmt::format("INSERT INTO loose (content) SELECT -one.value FROM ({}) AS one "
                      "WHERE one.value > 0 ON CONFLICT DO NOTHING",
                      each_of(sql, ListOf::numbers, 1)),
          list_argument(sql, left));
}

}  // namespace

Result<bool> release_loose(sql::Connection& sql, std::size_t most, std::size_t most_objects) {
  // Contents that are gone in part come first.
  const auto loose = numbers(sql.query(
      fmt::format("SELECT content FROM loose ORDER BY content LIMIT $1{}", for_update(sql, true)),
      most));
  if (loose.empty()) return false;
  std::set<std::int64_t> contents;
  for (const std::int64_t content : loose) contents.insert(std::abs(content));
  // A copy that is under way may refer to those that it has locked. One that comes later to those
  // that are locked here waits, and then fails or finds them; it looks for those gone in part.
  const auto locked =
      numbers(sql.query(fmt::format("SELECT id FROM contents WHERE {} ORDER BY id{}",
                                    is_in(sql, "id", ListOf::numbers, 1), for_update(sql, true)),
                        list_argument(sql, contents)));
  const auto left = release_some(sql, unused_of(sql, locked), most_objects);
  end_loose(sql, locked, left);
  return !left.empty() || locked.size() == most;
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
