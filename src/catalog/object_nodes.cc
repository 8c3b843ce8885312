#include "catalog/object_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sql/failure.h"

namespace coffer::catalog {
namespace {

using storage::Entry;
using storage::NamedFile;
using storage::NameTreeId;

/// The columns of a Node, with the prefix `n.`.
constexpr std::string_view kColumns =
    "n.id, n.name, n.content, n.size_bytes, n.created_at, n.modified_at, n.versions, "
    "n.version_bytes";
constexpr std::size_t kColumnCount = 8;

/// The components of paths in JSON: `[["a","b"],["c"]]`.
std::string to_json(std::span<const Path> paths) {
  std::string text = "[";
  for (const Path& path : paths) {
    if (text.size() > 1) text += ',';
    text += '[';
    for (const auto name : path.components()) {
      if (text.back() != '[') text += ',';
      text += '"';
      for (const char letter : name) {
        if (letter == '"' || letter == '\\') text += '\\';
        text += letter;
      }
      text += '"';
    }
    text += ']';
  }
  return text + ']';
}

/// A WITH clause: `reached` has the root, with the number of path -1 and the depth 0, and the nodes
/// on the paths. $1 is the root's id, and $2 the paths in JSON.
std::string walk_clause(const sql::Connection& sql) {
  constexpr std::string_view kSqliteParts =
      "SELECT p.key AS path, n.key + 1 AS depth, n.value AS name "
      "FROM json_each($2) AS p, json_each(p.value) AS n";
  constexpr std::string_view kPostgresParts =
      "SELECT p.number - 1 AS path, n.number AS depth, n.name AS name "
      "FROM json_array_elements(CAST($2 AS JSON)) WITH ORDINALITY AS p (names, number), "
      "json_array_elements_text(p.names) WITH ORDINALITY AS n (name, number)";
  return fmt::format(
      "WITH RECURSIVE parts (path, depth, name) AS ({0}), "
      "walk (path, depth, id, name, content, size_bytes, created_at, modified_at, versions, "
      "version_bytes) AS ("
      "SELECT p.path, p.depth, {1} FROM parts p JOIN nodes n ON n.parent = CAST($1 AS BIGINT) "
      "AND n.name = p.name WHERE p.depth = 1 UNION ALL "
      "SELECT p.path, p.depth, {1} FROM walk w JOIN parts p ON p.path = w.path AND "
      "p.depth = w.depth + 1 JOIN nodes n ON n.parent = w.id AND n.name = p.name), "
      "reached (path, depth, id, name, content, size_bytes, created_at, modified_at, versions, "
      "version_bytes) AS ("
      "SELECT -1, 0, CAST($1 AS BIGINT), '', CAST(NULL AS BIGINT), 0, created_at, created_at, 0, 0 "
      "FROM trees WHERE id = -CAST($1 AS BIGINT) UNION ALL SELECT * FROM walk) ",
      sql.is_sqlite() ? kSqliteParts : kPostgresParts, kColumns);
}

/// The id of the folder at the depth $3; none if it is missing.
constexpr std::string_view kFolder =
    "CASE WHEN $3 = 0 THEN CAST($1 AS BIGINT) ELSE (SELECT id FROM walk WHERE depth = $3) END";

}  // namespace

Node read_node(const sql::Row& row, std::size_t first) {
  return {.id = row.get<std::int64_t>(first),
          .name = row.get<std::string>(first + 1),
          .content = row.get<std::optional<std::int64_t>>(first + 2),
          .size_bytes = row.get<std::uint64_t>(first + 3),
          .created_at = row.get<Timestamp>(first + 4),
          .modified_at = row.get<Timestamp>(first + 5),
          .versions = row.get<std::uint64_t>(first + 6),
          .version_bytes = row.get<std::uint64_t>(first + 7)};
}

Entry Node::entry() const {
  Entry entry;
  entry.name = name;
  entry.is_directory = is_folder();
  entry.knows_birth = true;
  entry.size_bytes = size_bytes;
  entry.created_at = created_at;
  entry.modified_at = modified_at;
  if (id > 0) entry.file_id = static_cast<std::uint64_t>(content.value_or(id));
  return entry;
}

Result<std::vector<Walk>> walk(sql::Connection& sql, NameTreeId tree, std::span<const Path> paths) {
  const auto rows = sql.query(walk_clause(sql) + "SELECT * FROM reached ORDER BY path, depth",
                              root_of(tree), to_json(paths));
  if (rows.empty()) return storage::no_such_item();
  std::vector<Walk> walks;
  for (const Path& path : paths) {
    walks.push_back({.nodes = {read_node(rows[0], 2)}, .depth = path.depth()});
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    walks.at(rows[i].get<std::size_t>(0)).nodes.push_back(read_node(rows[i], 2));
  }
  return walks;
}

Result<Walk> walk(sql::Connection& sql, NameTreeId tree, const Path& path) {
  TRY(auto walks, walk(sql, tree, std::span(&path, 1)));
  return std::move(walks[0]);
}

Result<std::vector<Entry>> children(sql::Connection& sql, NameTreeId tree, const Path& folder,
                                    const std::string& after, std::size_t most) {
  const std::string text = fmt::format(
      "{}SELECT * FROM reached UNION ALL SELECT * FROM (SELECT -2, 0, {} FROM nodes n "
      "WHERE n.parent = {} AND n.name > $4 ORDER BY n.name LIMIT $5) AS items",
      walk_clause(sql), kColumns, kFolder);
  const auto rows =
      sql.query(text, root_of(tree), to_json(std::span(&folder, 1)), folder.depth(), after, most);
  std::vector<Entry> entries;
  bool is_there = false;
  for (const sql::Row& row : rows) {
    const Node node = read_node(row, 2);
    if (row.get<int>(0) == -2) {
      entries.push_back(node.entry());
    } else if (row.get<std::size_t>(1) == folder.depth()) {
      if (!node.is_folder()) return storage::not_a_folder();
      is_there = true;
    }
  }
  if (!is_there) return storage::no_such_item();
  return entries;
}

NamedFile named_file(const Node& node, storage::StoredContent content) {
  content.size_bytes = content.bytes.size();
  for (const auto& segment : content.segments) content.size_bytes += segment.size_bytes;
  if (content.size_bytes != node.size_bytes) sql::fail_at("a size that is not that of the content");
  return {node.entry(), std::make_shared<const storage::StoredContent>(std::move(content))};
}

Result<NamedFile> open_file(sql::Connection& sql, NameTreeId tree, const Path& file) {
  const std::string text = walk_clause(sql) +
                           "SELECT n.*, c.bytes, s.object, s.size_bytes, s.sha256 "
                           "FROM reached n LEFT JOIN contents c ON c.id = n.content "
                           "LEFT JOIN segments s ON s.content = c.id WHERE n.depth = $3 "
                           "ORDER BY s.seq";
  constexpr std::size_t kBytes = 2 + kColumnCount;
  const auto rows = sql.query(text, root_of(tree), to_json(std::span(&file, 1)), file.depth());
  if (rows.empty()) return storage::no_such_item();
  const Node node = read_node(rows[0], 2);
  if (node.is_folder()) return fail(ErrorCode::invalid, "This is a folder.");
  storage::StoredContent content{.id = {*node.content}};
  const auto bytes = rows[0].get<std::optional<std::string>>(kBytes);
  if (bytes) content.bytes = from_hex(*bytes);
  for (const sql::Row& row : rows) {
    if (!bytes) content.segments.push_back(read_segment(row, kBytes + 1));
  }
  return named_file(node, std::move(content));
}

Result<std::vector<NamedFile>> open_small_files(sql::Connection& sql, NameTreeId tree,
                                                const Path& folder,
                                                std::span<const storage::ContentId> contents) {
  std::vector<std::int64_t> ids;
  for (const auto id : contents) ids.push_back(id.value);
  const std::string text = fmt::format(
      "{}SELECT {}, c.bytes FROM nodes n JOIN contents c ON c.id = n.content "
      "WHERE n.parent = {} AND {} AND c.bytes IS NOT NULL",
      walk_clause(sql), kColumns, kFolder, is_in(sql, "n.content", ListOf::numbers, 4));
  const auto rows = sql.query(text, root_of(tree), to_json(std::span(&folder, 1)), folder.depth(),
                              list_argument(sql, ids));
  std::vector<NamedFile> files;
  for (const sql::Row& row : rows) {
    const Node node = read_node(row, 0);
    storage::StoredContent content{.id = {*node.content},
                                   .bytes = from_hex(row.get<std::string>(kColumnCount))};
    files.push_back(named_file(node, std::move(content)));
  }
  return files;
}

namespace {

/// Returns a row of the figures of a TreeSize, and then `more`, of a node and of all below it.
sql::Row sum_below(sql::Connection& sql, const Node& node, std::string_view which,
                   std::string_view more) {
  const std::string text = fmt::format(
      "WITH RECURSIVE below (id, content, size_bytes, version_bytes) AS (SELECT "
      "CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT) UNION ALL "
      "SELECT n.id, n.content, n.size_bytes, n.version_bytes FROM below b {} {}) "
      "SELECT CAST(sum(size_bytes) AS BIGINT), count(content), count(*), "
      "CAST(sum(version_bytes) AS BIGINT) {} FROM below",
      join_children(sql), which, more);
  return sql.first(text, node.id, node.content, node.size_bytes, node.version_bytes).value();
}

storage::TreeSize read_size(const sql::Row& row) {
  const auto files = row.get<std::uint64_t>(1);
  return {row.get<std::uint64_t>(0), files, row.get<std::uint64_t>(2) - files,
          row.get<std::uint64_t>(3)};
}

}  // namespace

storage::TreeSize size_of(sql::Connection& sql, const Node& node) {
  return read_size(sum_below(sql, node, "WHERE n.is_hidden = 0", ""));
}

WholeTree whole_tree(sql::Connection& sql, const Node& node) {
  const sql::Row row =
      sum_below(sql, node, "",
                fmt::format(", CAST({}(id) FILTER (WHERE version_bytes > 0) AS TEXT)",
                            sql.is_sqlite() ? "json_group_array" : "array_agg"));
  return {read_size(row), row.get<std::optional<std::string>>(4).value_or("")};
}

storage::Segment read_segment(const sql::Row& row, std::size_t first) {
  storage::Segment segment{.object = row.get<std::string>(first),
                           .size_bytes = row.get<std::uint64_t>(first + 1)};
  std::erase(segment.object, '-');  // PostgreSQL writes a UUID with them.
  const std::string hash = from_hex(row.get<std::string>(first + 2));
  if (hash.size() != segment.sha256.size()) sql::fail_at("a hash of another length");
  std::ranges::transform(hash, segment.sha256.begin(),
                         [](char letter) { return static_cast<std::byte>(letter); });
  return segment;
}

std::string segment_hash(const storage::Segment& segment) {
  const auto* hash = reinterpret_cast<const char*>(segment.sha256.data());
  return hex_value({hash, segment.sha256.size()});
}

std::string hex_value(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "\\x";
  text.reserve(2 + 2 * bytes.size());
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    text += kDigits[number >> 4U];
    text += kDigits[number & 15U];
  }
  return text;
}

std::string from_hex(std::string_view text) {
  const auto digit = [](char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    sql::fail_at("no hexadecimal digits");
  };
  if (!text.starts_with("\\x") || text.size() % 2 != 0) sql::fail_at("no hexadecimal digits");
  std::string bytes;
  bytes.reserve(text.size() / 2 - 1);
  for (std::size_t i = 2; i < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  }
  return bytes;
}

std::string each_of(const sql::Connection& sql, ListOf kind, int number) {
  const bool is_numbers = kind == ListOf::numbers;
  if (!sql.is_sqlite()) {
    return fmt::format("SELECT unnest(CAST(${} AS {}[])) AS value", number,
                       is_numbers ? "BIGINT" : "UUID");
  }
  return fmt::format("SELECT CAST(value AS {}) AS value FROM json_each(${})",
                     is_numbers ? "BIGINT" : "TEXT", number);
}

std::string is_in(const sql::Connection& sql, std::string_view value, ListOf kind, int number) {
  if (sql.is_sqlite()) return fmt::format("{} IN ({})", value, each_of(sql, kind, number));
  return fmt::format("{} = ANY (CAST(${} AS {}[]))", value, number,
                     kind == ListOf::numbers ? "BIGINT" : "UUID");
}

std::string_view join_children(const sql::Connection& sql) {
  return sql.is_sqlite() ? "JOIN nodes n ON n.parent = b.id AND b.content IS NULL"
                         : "CROSS JOIN LATERAL (SELECT * FROM nodes c WHERE c.parent = b.id AND "
                           "b.content IS NULL OFFSET 0) n";
}

std::string_view database_time(const sql::Connection& sql) {
  return sql.is_sqlite() ? "(CAST(strftime('%s', 'now') AS BIGINT) * 1000000000)"
                         : "CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS BIGINT)";
}

std::string_view for_update(const sql::Connection& sql, bool skips_locked) {
  if (sql.is_sqlite()) return "";
  return skips_locked ? " FOR UPDATE SKIP LOCKED" : " FOR UPDATE";
}

}  // namespace coffer::catalog
