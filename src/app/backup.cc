#include "app/backup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/app_context.h"
#include "app/data_owner.h"
#include "app/unfinished_restore.h"
#include "app/version.h"
#include "async/run.h"
#include "backends/local/tree_mirror.h"
#include "backends/local/tree_walk.h"
#include "base/clock.h"
#include "base/disk.h"
#include "catalog/catalog.h"
#include "catalog/catalog_copy.h"
#include "storage/partial_name.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// Its presence tells that the backup is whole.
constexpr const char* kSummary = "backup.json";
constexpr const char* kCatalog = "catalog.sqlite";
constexpr const char* kKeyFile = "secret.key";
/// The settings of a server whose file is not in its data folder, where nothing puts it back to.
constexpr const char* kSettingsElsewhere = "settings.toml";
constexpr const char* kFiles = "files";
constexpr const char* kRecovered = "recovered";
constexpr int kFormat = 1;

using local::Handle;
using local::TreeMirror;

std::unexpected<Error> cannot(std::string_view what, const fs::path& path, int error) {
  const bool is_full = error == ENOSPC || error == EDQUOT;
  return fail(is_full ? ErrorCode::disk_full : ErrorCode::failed,
              fmt::format("{} cannot be {}: {}.", path.string(), what, std::strerror(error)));
}

Result<Handle> open_folder(const fs::path& folder) {
  Handle opened = local::open_top(folder);
  if (!opened) return cannot("opened", folder, errno);
  return opened;
}

/// The whole path, without links, of a folder that may be missing.
fs::path whole_path(const fs::path& folder) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(fs::absolute(folder), error);
  return error ? fs::absolute(folder).lexically_normal() : whole;
}

Result<void> check_on_disk(const Settings& settings) {
  if (settings.database_url().starts_with("sqlite:")) return {};
  return fail(ErrorCode::invalid,
              "The catalog is on PostgreSQL, which this command does not copy: pg_dump does, and "
              "docs/guide/many-nodes.md says what else a backup needs.");
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

/// Neither may lie in the other: a copy of a folder into itself has no end. Folders of the data may
/// be links to other disks.
Result<void> check_apart(const fs::path& folder, const fs::path& data) {
  const fs::path copy = whole_path(folder);
  for (const fs::path& part : {data, data / kFiles, data / kRecovered}) {
    const fs::path whole = whole_path(part);
    if (lies_in(copy, whole)) {
      return fail(ErrorCode::invalid,
                  fmt::format("{} lies in the data folder {}: choose another one.", folder.string(),
                              data.string()));
    }
    if (lies_in(whole, copy)) {
      return fail(ErrorCode::invalid, fmt::format("The data folder {} lies in {}: choose another "
                                                  "one.",
                                                  data.string(), folder.string()));
    }
  }
  return {};
}

/// Makes the folder, for this user alone, if it is missing.
Result<void> make_empty(const fs::path& folder) {
  TRY_VOID(make_folder(folder));
  std::error_code error;
  if (fs::is_empty(folder, error)) return {};
  if (error) return cannot("read", folder, error.value());
  return fail(ErrorCode::exists,
              fmt::format("The folder {} is not empty: give one that is empty or missing.",
                          folder.string()));
}

Result<void> give_to(const SystemUser& owner, const fs::path& path) {
  if (::lchown(path.c_str(), owner.user, owner.group) == 0) return {};
  return cannot("given to its owner", path, errno);
}

/// Before this process becomes the data's owner, who may not be allowed to make the folder.
Result<void> make_target(const fs::path& folder, const fs::path& data) {
  TRY_VOID(make_empty(folder));
  const auto owner = owner_of(data);
  if (::geteuid() != 0 || !owner) return {};
  return give_to(*owner, folder);
}

Result<std::string> read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return cannot("read", file, errno);
  return text;
}

/// Writes a file that only this user may read.
Result<void> write_file(const fs::path& file, std::string_view text) {
  const Handle out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!out) return cannot("made", file, errno);
  const int error = write_all(out.get(), std::as_bytes(std::span(text)));
  if (error != 0) return cannot("written", file, error);
  if (::fsync(out.get()) != 0) return cannot("synced", file, errno);
  return {};
}

Result<void> sync_all(const fs::path& folder) {
  TRY(const Handle opened, open_folder(folder));
  if (::syncfs(opened.get()) != 0) return cannot("synced", folder, errno);
  return {};
}

/// Returns the files in the homes of a backup or a data folder.
Result<BackupSize> count_files(const fs::path& folder) {
  TRY(const Handle homes, open_folder(folder / kFiles));
  BackupSize size;
  local::walk_tree(homes.get(), [&size](const local::WalkedItem& item) {
    struct stat status{};
    const int found = ::fstatat(item.folder, item.name, &status, AT_SYMLINK_NOFOLLOW);
    if (found == 0 && S_ISREG(status.st_mode)) {
      ++size.files;
      size.bytes += static_cast<std::uint64_t>(status.st_size);
    }
    return true;
  });
  return size;
}

/// One backup that is being written.
class Backup {
 public:
  Backup(const Settings& settings, fs::path folder)
      : settings_(settings), folder_(std::move(folder)) {}

  /// The catalog comes first: what it knows of is then looked for, and what comes later is left
  /// out, so that no file is there without its account or its place in a bin.
  Result<BackupSize> write() {
    const Timestamp begun = now();
    TRY_VOID(copy_catalog());
    TRY_VOID(copy_keys_and_settings());
    TRY_VOID(make_folder(folder_ / kFiles));
    for (const std::string& home : homes_) TRY_VOID(copy_home(home));
    TRY_VOID(check_homes_stayed());
    TRY_VOID(copy_recovered());
    TRY(size_.moved_scopes,
        catalog::end_moved_scopes(folder_ / kCatalog, settings_.database_url()));
    // The passes may have kept files that are gone since.
    TRY(const BackupSize copied, count_files(folder_));
    size_.files = copied.files;
    size_.bytes = copied.bytes;
    TRY_VOID(sync_all(folder_));
    const json::object summary{{"format", kFormat},
                               {"program", kVersion},
                               {"schema", catalog::latest_schema()},
                               {"begun", format_timestamp(begun)},
                               {"ended", format_timestamp(now())},
                               {"accounts", size_.accounts},
                               {"files", size_.files},
                               {"bytes", size_.bytes}};
    TRY_VOID(write_file(folder_ / kSummary, json::serialize(summary) + '\n'));
    if (!sync_folder(folder_)) return cannot("synced", folder_, errno);
    return size_;
  }

 private:
  Result<void> copy_catalog() {
    const fs::path copy = folder_ / kCatalog;
    const std::string url = "sqlite://" + copy.string();
    {
      // Tells of a schema that this program does not have, and of another server's.
      TRY([[maybe_unused]] const auto source, catalog::Catalog::open(settings_.database_url()));
      TRY_VOID(catalog::copy_catalog(settings_.database_url(), copy));
    }
    TRY(const auto catalog, catalog::Catalog::open(url));
    TRY(const auto accounts, run(catalog->accounts().list()));
    TRY(const auto stored, run(catalog->shared_work().known("home_store")));
    for (const catalog::Account& account : accounts) {
      TRY_VOID(add_home(*catalog, account, stored));
    }
    size_.accounts = accounts.size();
    TRY(const auto removed, run(catalog->accounts().removed_homes()));
    std::error_code ignored;  // A home of a removed account need not be there.
    for (const catalog::RemovedHome& each : removed) {
      if (fs::is_directory(home_folder(each.home), ignored)) homes_.push_back(each.home);
    }
    TRY(bin_items_, catalog::own_bin_items(url));
    return {};
  }

  Result<void> add_home(catalog::Catalog& catalog, const catalog::Account& account,
                        const std::optional<std::string>& store_of_old_accounts) {
    const bool is_old_on_disk = store_of_old_accounts != "objects";
    const bool is_on_disk =
        account.home_store ? *account.home_store == HomeStore::files : is_old_on_disk;
    if (!is_on_disk) {
      return fail(ErrorCode::invalid,
                  fmt::format("The own files of {} lie in a store of objects, which this command "
                              "does not copy: docs/guide/operation.md says what a backup is there.",
                              account.name));
    }
    std::error_code error;
    const fs::path home = home_folder(account.home);
    if (fs::is_directory(home, error)) {
      homes_.push_back(account.home);
      return {};
    }
    TRY(const auto usage, run(catalog.ledger().usage(account.id)));
    if (usage.used_bytes == 0) return {};  // A start makes it.
    return fail(ErrorCode::failed,
                fmt::format("The folder {} of the account {} is missing although files were stored "
                            "in it: mount or restore it.",
                            home.string(), account.name));
  }

  fs::path home_folder(const std::string& home) const { return settings_.data / kFiles / home; }

  /// A home that is moved into a store meanwhile is emptied here, so that the copy may lack files.
  Result<void> check_homes_stayed() {
    TRY(const auto catalog, catalog::Catalog::open(settings_.database_url()));
    TRY(const auto accounts, run(catalog->accounts().list()));
    TRY(const auto moves, run(catalog->home_moves().list()));
    for (const catalog::Account& account : accounts) {
      const bool is_moving = std::ranges::any_of(
          moves, [&](const catalog::HomeMove& move) { return move.account == account.id; });
      if (account.home_store != HomeStore::objects && !is_moving) continue;
      return fail(ErrorCode::conflict,
                  fmt::format("The own files of {} are being moved into a store of objects: make a "
                              "backup when `coffer home move` has ended.",
                              account.name));
    }
    return {};
  }

  Result<bool> has_account_with(const std::string& home) const {
    TRY(const auto catalog, catalog::Catalog::open(settings_.database_url()));
    TRY(const auto accounts, run(catalog->accounts().list()));
    return std::ranges::any_of(
        accounts, [&home](const catalog::Account& account) { return account.home == home; });
  }

  Result<void> copy_home(const std::string& home) {
    std::error_code ignored;
    if (!fs::exists(home_folder(home), ignored)) {
      TRY(const bool must_be_there, has_account_with(home));
      if (!must_be_there) return {};  // It was removed meanwhile.
    }
    const fs::path target = folder_ / kFiles / home;
    TRY_VOID(make_folder(target));
    TRY(Handle from, open_folder(home_folder(home)));
    TRY(Handle to, open_folder(target));
    TreeMirror mirror(std::move(from), std::move(to),
                      {.has = [this](const std::string& path) { return is_known(path); }});
    if (auto copied = mirror.copy(); !copied) return fail_in(target, copied.error());
    return {};
  }

  /// What was put into a bin later has no row in the catalog's copy.
  bool is_known(const std::string& path) const {
    const std::string bin = std::string(storage::kBinFolder) + '/';
    if (!path.starts_with(bin)) return true;
    return bin_items_.contains(path.substr(bin.size(), path.find('/', bin.size()) - bin.size()));
  }

  static Result<void> fail_in(const fs::path& folder, const Error& error) {
    return fail(error.code, fmt::format("{}: {}", folder.string(), error.message));
  }

  Result<void> copy_keys_and_settings() {
    std::error_code ignored;  // What cannot be looked at cannot be read either.
    if (fs::exists(settings_.data / kKeyFile, ignored)) {
      TRY(const std::string key, read_file(settings_.data / kKeyFile));
      TRY_VOID(write_file(folder_ / kKeyFile, key));
    }
    if (settings_.file.empty() || !fs::exists(settings_.file, ignored)) return {};
    TRY(const std::string text, read_file(settings_.file));
    const bool is_own = whole_path(settings_.file) == whole_path(settings_.data / kSettingsFile);
    return write_file(folder_ / (is_own ? kSettingsFile : kSettingsElsewhere), text);
  }

  /// Contents that an earlier start could not put back.
  Result<void> copy_recovered() {
    std::error_code ignored;  // Most data folders have none.
    const fs::path source = settings_.data / kRecovered;
    if (!fs::is_directory(source, ignored)) return {};
    TRY_VOID(make_folder(folder_ / kRecovered));
    TRY(Handle from, open_folder(source));
    TRY(Handle to, open_folder(folder_ / kRecovered));
    TreeMirror mirror(std::move(from), std::move(to), {});
    return mirror.copy();
  }

  const Settings& settings_;
  const fs::path folder_;
  std::vector<std::string> homes_;
  std::set<std::string> bin_items_;
  BackupSize size_;
};

std::unexpected<Error> damaged_summary(const fs::path& file, const char* member) {
  return fail(ErrorCode::invalid, fmt::format("{} is damaged: its member `{}` is missing or wrong.",
                                              file.string(), member));
}

/// Reads the summary of a backup that this program can restore.
Result<BackupSize> whole_backup(const fs::path& folder) {
  const fs::path file = folder / kSummary;
  std::error_code error;
  if (!fs::exists(file, error)) {
    return fail(ErrorCode::invalid, fmt::format("{} is no whole backup of Coffer: it has no {}.",
                                                folder.string(), kSummary));
  }
  TRY(const std::string text, read_file(file));
  boost::system::error_code broken;
  const json::value parsed = json::parse(text, broken);
  const json::object* const summary = broken ? nullptr : parsed.if_object();
  const auto number = [summary](const char* name) -> std::int64_t {
    const json::value* const found = summary->if_contains(name);
    return found != nullptr && found->is_int64() ? found->get_int64() : -1;
  };
  if (summary == nullptr || number("format") != kFormat) {
    return fail(ErrorCode::invalid,
                fmt::format("{} has a form that this program does not know.", file.string()));
  }
  for (const char* name : {"schema", "accounts", "files", "bytes"}) {
    if (number(name) < 0) return damaged_summary(file, name);
  }
  for (const char* name : {"program", "begun", "ended"}) {
    const json::value* const found = summary->if_contains(name);
    if (found == nullptr || !found->is_string()) return damaged_summary(file, name);
  }
  if (number("schema") > catalog::latest_schema()) {
    return fail(ErrorCode::invalid,
                fmt::format("The backup has a catalog of schema {}, which is newer than this "
                            "program's {}: use the program that made it.",
                            number("schema"), catalog::latest_schema()));
  }
  return BackupSize{static_cast<std::uint64_t>(number("accounts")),
                    static_cast<std::uint64_t>(number("files")),
                    static_cast<std::uint64_t>(number("bytes"))};
}

/// `told` is what the summary says.
Result<void> check_files(const fs::path& folder, const BackupSize& told) {
  TRY(const BackupSize found, count_files(folder));
  if (found.files == told.files && found.bytes == told.bytes) return {};
  std::string difference = "contents have changed";
  if (found.files < told.files) {
    difference = fmt::format("{} missing", told.files - found.files);
  } else if (found.files > told.files) {
    difference = fmt::format("{} too many", found.files - told.files);
  }
  return fail(
      ErrorCode::invalid,
      fmt::format("{} has {} files with {} bytes, and {} tells of {} with {}: {}.", folder.string(),
                  found.files, found.bytes, kSummary, told.files, told.bytes, difference));
}

Result<void> check_type(const fs::path& path, fs::file_type type) {
  std::error_code error;
  const fs::file_type found = fs::symlink_status(path, error).type();
  if (found == type) return {};
  return fail(ErrorCode::invalid,
              fmt::format("{} {}: this is no whole backup.", path.string(),
                          found == fs::file_type::not_found  ? "is missing"
                          : type == fs::file_type::directory ? "is not a folder"
                                                             : "is not a file"));
}

Result<void> check_type_if_there(const fs::path& path, fs::file_type type) {
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) return {};
  return check_type(path, type);
}

/// Contents of homes may be links; nothing above them is.
Result<void> check_parts(const fs::path& folder) {
  TRY_VOID(check_type(folder / kCatalog, fs::file_type::regular));
  TRY_VOID(check_type(folder / kFiles, fs::file_type::directory));
  TRY_VOID(check_type_if_there(folder / kRecovered, fs::file_type::directory));
  TRY_VOID(check_type_if_there(folder / kKeyFile, fs::file_type::regular));
  TRY_VOID(check_type_if_there(folder / kSettingsFile, fs::file_type::regular));
  std::error_code error;
  for (fs::directory_iterator homes(folder / kFiles, error), end; !error && homes != end;
       homes.increment(error)) {
    TRY_VOID(check_type(homes->path(), fs::file_type::directory));
  }
  if (error) return cannot("read", folder / kFiles, error.value());
  return {};
}

/// Who gets what a restore makes; nullopt if that is this process's user anyway.
std::optional<SystemUser> owner_of_restored(const fs::path& data, const fs::path& folder) {
  if (::geteuid() != 0) return std::nullopt;
  struct stat status{};
  const bool has_owner = ::stat(data.c_str(), &status) == 0 && status.st_uid != 0;
  if (!has_owner && ::stat((folder / kSummary).c_str(), &status) != 0) return std::nullopt;
  return SystemUser{status.st_uid, status.st_gid};
}

/// What mirrors take over from the top of a backup; the catalog comes first, to be looked at.
enum class Part { data, catalog };

bool is_in_part(const std::string& path, Part part) {
  constexpr std::array<std::string_view, 4> kData{kFiles, kRecovered, kKeyFile, kSettingsFile};
  if (part == Part::catalog) return path == kCatalog;
  const std::string_view top = std::string_view(path).substr(0, path.find('/'));
  return std::ranges::find(kData, top) != kData.end();
}

Result<void> restore_part(const fs::path& folder, const fs::path& data, Part part,
                          const std::optional<SystemUser>& owner) {
  TRY(Handle from, open_folder(folder));
  TRY(Handle to, open_folder(data));
  TreeMirror::Options options;
  options.has = [part](const std::string& path) { return is_in_part(path, part); };
  if (owner) options.owner = {owner->user, owner->group};
  TreeMirror mirror(std::move(from), std::move(to), std::move(options));
  TRY([[maybe_unused]] const bool has_missed, mirror.pass(TreeMirror::Gone::stays));
  return part == Part::data ? mirror.finish() : Result<void>();
}

/// The settings file of a data folder comes back with it, and could name another catalog.
Result<void> check_settings_file(const fs::path& folder, const fs::path& data) {
  const fs::path file = folder / kSettingsFile;
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const auto settings = load_settings(file, {}, {{"data", data.string()}});
  if (!settings || settings->database.empty()) return {};  // A start tells what is wrong with it.
  return fail(ErrorCode::invalid,
              fmt::format("{} names a catalog elsewhere by `database`, and a backup is restored "
                          "with its catalog in the data folder: take that line out of it.",
                          file.string()));
}

/// Keeps others out, whatever became of the modes of a backup that was copied elsewhere.
Result<void> close_to_others(const fs::path& data) {
  for (const fs::path& path : {data, data / kFiles}) {
    if (::chmod(path.c_str(), 0700) != 0) return cannot("closed to others", path, errno);
  }
  for (const char* name : {kCatalog, kKeyFile, kSettingsFile}) {
    if (::chmod((data / name).c_str(), 0600) != 0 && errno != ENOENT) {
      return cannot("closed to others", data / name, errno);
    }
  }
  return {};
}

Result<void> restore_catalog(const fs::path& folder, const fs::path& data, const BackupSize& told,
                             const std::optional<SystemUser>& owner) {
  TRY_VOID(restore_part(folder, data, Part::catalog, owner));
  TRY(const std::uint64_t accounts,
      catalog::count_accounts("sqlite://" + whole_path(data / kCatalog).string()));
  if (accounts == told.accounts) return {};
  return fail(ErrorCode::invalid,
              fmt::format("The catalog of the backup has {} accounts, and {} tells of {}.",
                          accounts, kSummary, told.accounts));
}

/// So that the folder is empty again.
void remove_catalog(const fs::path& data) {
  std::error_code ignored;  // What stays is refused by the mark, which goes last.
  for (const char* end : {"-wal", "-shm", ""})
    fs::remove(data / (kCatalog + std::string(end)), ignored);
  if (!ignored) fs::remove(data / kRestoreMark, ignored);
}

}  // namespace

Result<BackupSize> back_up(const Settings& settings, const fs::path& folder) {
  TRY_VOID(check_on_disk(settings));
  TRY_VOID(check_apart(folder, settings.data));
  const fs::path target = whole_path(folder);
  std::error_code ignored;  // find_data tells what is wrong.
  if (!fs::is_directory(settings.data, ignored)) TRY_VOID(AppContext::find_data(settings));
  TRY_VOID(make_target(target, settings.data));
  if (auto found = AppContext::find_data(settings); !found) {
    fs::remove(target, ignored);  // Only if it is empty.
    return failure_of(std::move(found));
  }
  return Backup(settings, target).write();
}

Result<BackupSize> restore(const Settings& settings, const fs::path& folder) {
  if (!settings.database.empty()) {
    return fail(ErrorCode::invalid,
                "A backup is restored with its catalog in the data folder: leave out `database`.");
  }
  const fs::path& data = settings.data;
  TRY_VOID(check_apart(folder, data));
  TRY(const BackupSize size, whole_backup(folder));
  TRY_VOID(check_parts(folder));
  TRY_VOID(check_files(folder, size));
  TRY_VOID(check_settings_file(folder, data));
  const auto owner = owner_of_restored(data, folder);
  TRY_VOID(check_restored(data));
  TRY_VOID(make_empty(data));
  TRY_VOID(write_file(data / kRestoreMark, {}));
  if (!sync_folder(data)) return cannot("synced", data, errno);
  if (owner) TRY_VOID(give_to(*owner, data));
  if (auto restored = restore_catalog(folder, data, size, owner); !restored) {
    remove_catalog(data);
    return failure_of(std::move(restored));
  }
  TRY_VOID(restore_part(folder, data, Part::data, owner));
  TRY_VOID(check_files(data, size));
  TRY_VOID(close_to_others(data));
  TRY_VOID(sync_all(data));
  if (::unlink((data / kRestoreMark).c_str()) != 0)
    return cannot("removed", data / kRestoreMark, errno);
  if (!sync_folder(data)) return cannot("synced", data, errno);
  return size;
}

}  // namespace coffer::app
