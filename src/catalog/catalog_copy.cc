#include "catalog/catalog_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/disk.h"
#include "base/log.h"
#include "catalog/migrations.h"
#include "catalog/session.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

namespace fs = std::filesystem;

std::string url_of(const fs::path& file) {
  return "sqlite://" + file.string();
}

std::string with_doubled_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out;
}

std::unexpected<Error> cannot_copy(const fs::path& file, int error) {
  const bool is_full = error == ENOSPC || error == EDQUOT;
  return fail(
      is_full ? ErrorCode::disk_full : ErrorCode::failed,
      fmt::format("The catalog cannot be copied to {}: {}.", file.string(), std::strerror(error)));
}

/// SQLite writes to an empty file, and leaves its mode as it is. Returns an errno, or 0.
int make_private(const fs::path& file) {
  const int made = ::open(file.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (made < 0) return errno;
  ::close(made);
  return 0;
}

/// Returns an errno, or 0.
int sync_with_folder(const fs::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return errno;
  const int error = ::fsync(opened) == 0 ? 0 : errno;
  ::close(opened);
  if (error != 0) return error;
  return sync_folder(file.parent_path()) ? 0 : errno;
}

/// Calls `work(sql::Connection&)` on a connection of its own.
template <class F>
auto with_session(const std::string& url, F work)
    -> Result<decltype(work(std::declval<sql::Connection&>()))> {
  TRY(const auto address, Address::parse(url));
  try {
    const auto sql = open_session(address, Durability::synced);
    return work(*sql);
  } catch (const sql::Failure& failure) {
    const bool is_full = failure.kind() == sql::Failure::Kind::disk_full;
    return fail(is_full ? ErrorCode::disk_full : ErrorCode::failed, describe(failure, address));
  }
}

/// 0 for an empty database.
long long schema_of(sql::Connection& sql) {
  if (!has_schema(sql)) return 0;
  return sql.only<long long>("SELECT max(version) FROM schema_migrations");
}

void remove_earlier(const fs::path& kept, const std::string& stem) {
  std::error_code error;  // What stays takes room, and does no other harm.
  std::vector<fs::path> earlier;
  for (const auto& each : fs::directory_iterator(kept.parent_path(), error)) {
    const std::string name = each.path().filename().string();
    if (name.starts_with(stem) && each.path() != kept) earlier.push_back(each.path());
  }
  for (const fs::path& each : earlier) fs::remove(each, error);
}

}  // namespace

int latest_schema() {
  return migrations().back().version;
}

Result<void> copy_catalog(const std::string& url, const fs::path& file) {
  if (const int error = make_private(file); error != 0) return cannot_copy(file, error);
  const auto copied = with_session(url, [&file](sql::Connection& sql) {
    sql.run_once(fmt::format("VACUUM INTO '{}'", with_doubled_quotes(file.string())));
    return true;
  });
  const int error = copied ? sync_with_folder(file) : 0;
  if (copied && error == 0) return {};
  std::error_code ignored;  // The failure that led here is what counts.
  fs::remove(file, ignored);
  if (!copied) return failure_of(copied);
  return cannot_copy(file, error);
}

Result<std::uint64_t> end_moved_scopes(const fs::path& copy, const std::string& url) {
  TRY(const auto now, Address::parse(url));
  return with_session(url_of(copy), [&now](sql::Connection& sql) {
    sql.run_once(fmt::format("ATTACH DATABASE '{}' AS now", with_doubled_quotes(now.target)));
    const std::string moved =
        "FROM main.api_keys WHERE scope IS NOT NULL AND NOT EXISTS (SELECT 1 FROM now.api_keys AS "
        "known "
        "WHERE known.id = main.api_keys.id AND known.scope = main.api_keys.scope)";
    const auto count = sql.only<long long>("SELECT count(*) " + moved);
    if (count > 0) sql.run("DELETE " + moved);
    return static_cast<std::uint64_t>(count);
  });
}

Result<std::set<std::string>> own_bin_items(const std::string& url) {
  return with_session(url, [](sql::Connection& sql) {
    std::set<std::string> ids;
    for (const sql::Row& row : sql.query("SELECT id FROM bin_items WHERE place = ''")) {
      ids.insert(row.get<std::string>(0));
    }
    return ids;
  });
}

Result<std::uint64_t> count_accounts(const std::string& url) {
  return with_session(url, [](sql::Connection& sql) {
    return static_cast<std::uint64_t>(sql.only<long long>("SELECT count(*) FROM accounts"));
  });
}

Result<void> keep_before_migration(const fs::path& catalog) {
  TRY(const long long schema, with_session(url_of(catalog), schema_of));
  if (schema == 0) return {};
  const std::string stem = catalog.stem().string() + ".schema-";
  const fs::path kept = catalog.parent_path() / fmt::format("{}{}.sqlite", stem, schema);
  const fs::path part = kept.string() + ".part";
  std::error_code error;
  fs::remove(part, error);  // Of a start that was cut off.
  TRY_VOID(copy_catalog(url_of(catalog), part));
  fs::rename(part, kept, error);
  if (error) return cannot_copy(kept, error.value());
  if (!sync_folder(kept.parent_path())) return cannot_copy(kept, errno);
  remove_earlier(kept, stem);
  spdlog::info("the catalog gets a new schema; as it was it is kept as {}", kept.string());
  return {};
}

}  // namespace coffer::catalog
