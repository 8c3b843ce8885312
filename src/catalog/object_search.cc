#include "catalog/object_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catalog/database.h"
#include "catalog/object_nodes.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using storage::NameTreeId;
using storage::SearchPage;

/// Listing as many items takes about as long as the names of a large tree.
constexpr std::size_t kFewItems = 5000;
constexpr std::size_t kFewestNames = 1000;
constexpr std::size_t kMostAtATime = 20'000;
/// Items that a call returns at most, which bounds the memory of their rows.
constexpr std::size_t kMostFound = 1000;

/// A pattern of LIKE with which names contain the text.
std::string like(std::string_view text) {
  std::string pattern = "%";
  for (const char letter : text) {
    if (letter == '%' || letter == '_' || letter == '\\') pattern += '\\';
    pattern += letter;
  }
  return pattern + '%';
}

/// What the two databases say in other words. A list of ids is an array, or JSON.
struct Dialect {
  std::string_view fits;         ///< `folded` is like $5.
  std::string_view list;         ///< The ids of rows, as a list.
  std::string_view first_items;  ///< Of the list `hits` of `page`, $6.
  std::string_view is_cut;       ///< The list has more.
  std::string_view last_item;    ///< The last of the first $6.
  std::string_view join_parent;  ///< The node whose id is `u.at`, as `p`.
};

constexpr Dialect kSqlite{
    .fits = "p.folded LIKE $5 ESCAPE '\\'",
    .list = "json_group_array(p.id)",
    .first_items = "SELECT i.value FROM page, json_each(page.hits) AS i ORDER BY i.key LIMIT $6",
    .is_cut = "json_array_length(hits) > $6",
    .last_item = "json_extract(hits, '$[' || ($6 - 1) || ']')",
    .join_parent = "JOIN nodes p ON p.id = u.at AND p.is_hidden = 0"};

constexpr Dialect kPostgres{
    .fits = "p.folded LIKE $5",
    .list = "array_agg(p.id)",
    .first_items = "SELECT unnest(hits[1:CAST($6 AS INTEGER)]) FROM page",
    .is_cut = "coalesce(array_length(hits, 1), 0) > CAST($6 AS INTEGER)",
    .last_item = "hits[CAST($6 AS INTEGER)]",
    // As in join_children.
    .join_parent =
        "CROSS JOIN LATERAL (SELECT parent, name FROM nodes c WHERE c.id = u.at AND "
        "c.is_hidden = 0 OFFSET 0) p"};

/// The kinds of rows of a page; the columns are the kind, those of `read_node`, and a parent.
enum class RowKind : std::int64_t {
  end,     ///< Its id is that of the last name that was looked at, its size the number of those
           ///< names, and its time of creation is not 0 if there are more in that number.
  folder,  ///< Its name is the path of a folder, with a slash at its end, from the one searched.
  item,    ///< An item that fits, wherever it is.
};

/// $1 is the tree, $2 the folder, $3 the id to go on behind, $4 the number of names to look at, $7
/// to $11 what else is asked of items.
std::string page_statement(const sql::Connection& sql) {
  const Dialect& words = sql.is_sqlite() ? kSqlite : kPostgres;
  return fmt::format(
      "WITH RECURSIVE page (looked_at, last, hits) AS ("
      "SELECT count(*), max(p.id), {} FILTER (WHERE {}) FROM (SELECT id, folded FROM nodes "
      "WHERE tree = $1 AND id > $3 ORDER BY id LIMIT $4) p), "
      "hits (id) AS ({}), "
      "found AS (SELECT n.* FROM hits h JOIN nodes n ON n.id = h.id WHERE n.is_hidden = 0 "
      "AND (CAST($7 AS BIGINT) < 0 OR (n.content IS NULL) = (CAST($7 AS BIGINT) = 1)) "
      "AND n.modified_at >= $8 AND n.modified_at <= $9 AND n.size_bytes >= $10 "
      "AND n.size_bytes <= $11), "
      "up (folder, at, path) AS (SELECT DISTINCT parent, parent, substr(name, 1, 0) FROM found "
      "UNION ALL SELECT u.folder, p.parent, p.name || '/' || u.path FROM up u {} "
      "WHERE u.at > 0 AND u.at <> CAST($2 AS BIGINT)) "
      "SELECT 0, CASE WHEN {} THEN {} ELSE coalesce(last, 0) END, '', CAST(NULL AS BIGINT), "
      "looked_at, CAST(CASE WHEN {} THEN 1 ELSE 0 END AS BIGINT), CAST(0 AS BIGINT), "
      "CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT) FROM page "
      "UNION ALL SELECT 1, folder, path, NULL, 0, 0, 0, 0, 0, 0 FROM up "
      "WHERE at = CAST($2 AS BIGINT) "
      "UNION ALL SELECT 2, id, name, content, size_bytes, created_at, modified_at, versions, "
      "version_bytes, parent FROM found",
      words.list, words.fits, words.first_items, words.join_parent, words.is_cut, words.last_item,
      words.is_cut);
}

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t in_range(std::uint64_t bytes) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, kMost));
}

}  // namespace

Result<std::optional<std::int64_t>> folder_to_search(sql::Connection& sql, NameTreeId tree,
                                                     const Path& folder) {
  TRY(const auto place, walk(sql, tree, folder));
  if (place.item() == nullptr) return storage::no_such_item();
  if (!place.item()->is_folder()) return storage::not_a_folder();
  const std::int64_t id = place.item()->id;
  if (folder.is_root()) return id;
  const auto items = sql.only<std::size_t>(
      fmt::format("WITH RECURSIVE below (id, content) AS (SELECT CAST($1 AS BIGINT), "
                  "CAST(NULL AS BIGINT) UNION ALL SELECT n.id, n.content FROM below b {}) "
                  "SELECT count(*) FROM (SELECT 1 FROM below LIMIT $2) AS few",
                  join_children(sql)),
      id, kFewItems);
  return items < kFewItems ? std::nullopt : std::optional(id);
}

ObjectSearch::ObjectSearch(Database& database, NameTreeId tree, std::int64_t folder,
                           storage::TreeQuery query)
    : database_(database),
      tree_(tree),
      folder_(folder),
      query_(std::move(query)),
      count_(kFewestNames) {}

Task<Result<SearchPage>> ObjectSearch::next() {
  auto job = [this](sql::Connection& sql) { return look(sql); };
  co_return co_await database_.run(Lane::read, Turn::of_tree(tree_.value), std::move(job));
}

Result<SearchPage> ObjectSearch::look(sql::Connection& sql) {
  const int kind = query_.is_directory ? static_cast<int>(*query_.is_directory) : -1;
  const auto rows =
      sql.query(page_statement(sql), tree_, folder_, after_, count_, like(query_.contains),
                kMostFound, kind, query_.modified_after.value_or(Timestamp::min()),
                query_.modified_before.value_or(Timestamp::max()), in_range(query_.min_bytes),
                in_range(query_.max_bytes));
  SearchPage page;
  bool is_cut = false;
  std::map<std::int64_t, Path> folders;
  std::vector<std::pair<std::int64_t, Node>> items;  // With what they are in.
  for (const sql::Row& row : rows) {
    Node node = read_node(row, 1);
    switch (static_cast<RowKind>(row.get<std::int64_t>(0))) {
      case RowKind::end:
        after_ = node.id;
        is_cut = node.created_at != Timestamp();
        page.looked_at = node.size_bytes;
        break;
      case RowKind::folder:
        // A path that is none leaves out what is in the folder, as a walk does.
        if (auto path = Path::parse(node.name)) folders.emplace(node.id, *std::move(path));
        break;
      case RowKind::item:
        items.emplace_back(row.get<std::int64_t>(9), std::move(node));
        break;
    }
  }
  for (const auto& [parent, node] : items) {
    const auto folder = folders.find(parent);
    if (folder != folders.end()) page.found.push_back({folder->second, node.entry()});
  }
  page.is_last = !is_cut && page.looked_at < count_;
  count_ = is_cut ? kFewestNames : std::min(count_ * 4, kMostAtATime);
  return page;
}

}  // namespace coffer::catalog
