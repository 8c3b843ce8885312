#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/app_context.h"
#include "app/command.h"
#include "app/data_owner.h"
#include "app/output.h"
#include "async/run.h"
#include "backends/local/handle.h"
#include "backends/local/tree_walk.h"
#include "base/size_format.h"
#include "base/text.h"
#include "catalog/object_names.h"
#include "core/accounts/quota.h"
#include "core/namespace/namespace.h"
#include "storage/partial_name.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

/// The findings of a check, printed line by line as they come, or at the end as JSON.
class CheckReport {
 public:
  explicit CheckReport(bool json) : json_(json) {}

  void problem(const std::string& line) {
    problems_.push_back(boost::json::string(line));
    say(line);
  }
  /// Tells of something that is no problem.
  void note(const std::string& line) {
    notes_.push_back(boost::json::string(line));
    say(line);
  }
  void counted(const std::string& account, const core::Recount& count);
  void finish(std::size_t accounts);

  bool is_clean() const { return problems_.empty(); }

 private:
  void say(std::string_view line) const {
    if (!json_) print(line);
  }

  bool json_;
  boost::json::array problems_;
  boost::json::array notes_;
  boost::json::array corrected_;
};

void CheckReport::counted(const std::string& account, const core::Recount& count) {
  if (count.counted_bytes == count.recorded_bytes) {
    say(fmt::format("{}: {} bytes ({}).", account, count.counted_bytes,
                    format_size(count.counted_bytes)));
    return;
  }
  corrected_.push_back(boost::json::object{{"username", account},
                                           {"recordedBytes", count.recorded_bytes},
                                           {"countedBytes", count.counted_bytes}});
  say(fmt::format("{}: the catalog had {} bytes, the disk has {}; corrected.", account,
                  count.recorded_bytes, count.counted_bytes));
}

void CheckReport::finish(std::size_t accounts) {
  const std::size_t problems = problems_.size();
  say(fmt::format("{} account{} checked, {} problem{} left.", accounts, accounts == 1 ? "" : "s",
                  problems, problems == 1 ? "" : "s"));
  if (!json_) return;
  print(boost::json::serialize(boost::json::object{{"accounts", accounts},
                                                   {"problemCount", problems},
                                                   {"problems", problems_},
                                                   {"corrected", corrected_},
                                                   {"notes", notes_}}));
}

/// An item that this process's user cannot use as the server has to.
struct UnusableItem {
  std::string path;   ///< Below the folder that was searched; empty for the folder itself.
  std::string fault;  ///< "belongs to root and cannot be written to"
};

bool may(int folder, const char* name, int what) {
  return ::faccessat(folder, name, what, 0) == 0;
}

std::optional<std::string> fault_of(int folder, const char* name, bool must_be_writable) {
  struct stat status{};
  // Gone, or below what is reported.
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  const bool is_folder = S_ISDIR(status.st_mode);
  if (!is_folder && !S_ISREG(status.st_mode)) return std::nullopt;
  const std::string owner = user_name(status.st_uid);
  if (!may(folder, name, is_folder ? R_OK | X_OK : R_OK)) {
    return fmt::format("belongs to {} and cannot be read", owner);
  }
  if (!must_be_writable && (!is_folder || status.st_uid == ::geteuid())) return std::nullopt;
  if (may(folder, name, W_OK)) return std::nullopt;
  return fmt::format("belongs to {} and cannot be written to", owner);
}

/// The path of an item for people. Of one that is too deep for the kernel to tell, only the name.
std::string path_beneath(int top, int folder, const char* name) {
  const auto path = local::path_from(top, folder, name);
  return path ? *path : std::string("…/") + name;
}

void add_fault(std::vector<UnusableItem>& found, const fs::path& item, bool must_be_writable) {
  auto fault = fault_of(AT_FDCWD, item.c_str(), must_be_writable);
  if (fault) found.push_back({{}, *std::move(fault)});
}

/// The items in an account's folder, at all depths, that this process's user cannot use. A folder
/// that the user itself made read-only is no fault.
std::vector<UnusableItem> unusable_in_home(const fs::path& home) {
  std::vector<UnusableItem> found;
  add_fault(found, home, true);
  const local::Handle top = local::open_top(home);
  if (!top) return found;
  local::walk_tree(top.get(), [&](const local::WalkedItem& item) {
    auto fault = fault_of(item.folder, item.name, false);
    if (fault) {
      found.push_back({path_beneath(top.get(), item.folder, item.name), *std::move(fault)});
    }
    return true;
  });
  return found;
}

/// The same of the server's own items, without their contents: all have to be writable.
std::vector<UnusableItem> unusable_in_folder(const fs::path& folder) {
  std::vector<UnusableItem> found;
  add_fault(found, folder, true);
  const local::Handle top = local::open_top(folder);
  if (!top) return found;
  local::walk_tree(top.get(), [&](const local::WalkedItem& item) {
    auto fault = fault_of(item.folder, item.name, true);
    if (fault) found.push_back({item.name, *std::move(fault)});
    return false;
  });
  return found;
}

/// Counts all files, corrects the figures, and reports problems.
class DataCheck {
 public:
  DataCheck(AppContext& app, fs::path data, CheckReport& report)
      : app_(app), data_(std::move(data)), report_(report) {}

  /// Where no server lives, it is the one: what a dead one had reserved is free again, and until
  /// all is counted the next start counts too.
  Result<void> run_all() {
    if (!app_.is_alone()) return check_all();
    TRY(const auto unclean, run(app_.catalog().ledger().begin_run()));
    if (unclean)
      report_.note("The last server did not stop cleanly; what it had reserved is free again.");
    TRY_VOID(check_all());
    return run(app_.catalog().ledger().end_run());
  }

 private:
  Result<void> check_all() {
    TRY(const auto accounts, run(app_.catalog().accounts().list()));
    report_own_folders();
    TRY_VOID(report_shares());
    for (const catalog::Account& account : accounts) TRY_VOID(check_account(account));
    for (const HomeStore store : {HomeStore::files, HomeStore::objects}) {
      TRY_VOID(report_strangers(accounts, store));
    }
    if (const auto& has_key = app_.has_secret_key(); !has_key) problem(has_key.error().message);
    report_.finish(accounts.size());
    return {};
  }

  void problem(const std::string& line) { report_.problem(line); }

  Result<void> check_account(const catalog::Account& account) {
    const bool is_usable = report_access(account);
    auto counted = run(core::recount(app_.catalog(), app_.homes(), account.id));
    const bool is_missing = !counted && counted.error().code == ErrorCode::not_found;
    if (!counted && (is_missing || !is_usable)) {
      problem(fmt::format("{}: not counted: {}", account.name, counted.error().message));
      return report_secrets(account);
    }
    if (!counted) return failure_of(counted);
    report_count(account, *counted);
    if (app_.homes().store_of(account) == HomeStore::files) {
      const fs::path home = app_.homes().files().folder_of(account);
      report_names(account.name, home, local::open_top(home));
    }
    TRY_VOID(report_secrets(account));
    return report_scopes(account);
  }

  /// False if there is something that the server cannot use.
  bool report_access(const catalog::Account& account) {
    constexpr std::size_t kMost = 20;
    if (app_.homes().store_of(account) != HomeStore::files) return true;
    const auto unusable = unusable_in_home(app_.homes().files().folder_of(account));
    for (const UnusableItem& item : unusable | std::views::take(kMost)) {
      const std::string name = printable(item.path);
      problem(fmt::format("{}: {} {} by the server's user.", account.name,
                          name.empty() ? "its folder" : name, item.fault));
    }
    if (unusable.size() > kMost) {
      problem(fmt::format("{}: {} more items cannot be used by the server's user.", account.name,
                          unusable.size() - kMost));
    }
    return unusable.empty();
  }

  void report_own_folders() {
    for (const fs::path& folder : {data_, data_ / "staging", data_ / "uploads"}) {
      for (const UnusableItem& item : unusable_in_folder(folder)) {
        problem(fmt::format("{} {} by the server's user.", printable((folder / item.path).string()),
                            item.fault));
      }
    }
  }

  void report_count(const catalog::Account& account, const core::Recount& count) {
    if (!count.settled) {
      problem(
          fmt::format("{}: is being written to; its quota was not checked. If nobody writes, "
                      "check it again while the server is stopped.",
                      account.name));
    } else {
      report_.counted(account.name, count);
    }
  }

  Result<void> report_shares() {
    TRY(const auto shares, run(app_.catalog().shares().list()));
    for (const catalog::Share& share : shares) {
      report_names("share " + share.name, share.target,
                   local::open_whole(share.target, O_RDONLY, RESOLVE_NO_SYMLINKS));
    }
    return {};
  }

  /// `top` is what opening the folder `root` has just given.
  void report_names(const std::string& of, const fs::path& root, const local::Handle& top) {
    if (!top) {
      const std::string why = errno == ELOOP ? "A symbolic link stands there or above it"
                                             : std::generic_category().message(errno);
      return problem(fmt::format("{}: {}: {}.", of, printable(root.string()), why));
    }
    local::walk_tree(top.get(), [&](const local::WalkedItem& item) {
      if (!is_utf8(item.name) || has_control_character(item.name)) {
        problem(
            fmt::format("{}: {} cannot be listed: its name is not UTF-8 or has control characters.",
                        of, printable(path_beneath(top.get(), item.folder, item.name))));
      }
      return item.name != storage::kStagingFolder;
    });
  }

  Result<void> report_secrets(const catalog::Account& account) {
    TRY(const auto connectors, run(app_.catalog().connectors().list(account.id)));
    for (const catalog::Connector& connector : connectors) {
      if (connector.sealed_secret.empty()) continue;
      const auto opened = app_.sealer().open(connector.sealed_secret);
      if (opened) continue;
      problem(fmt::format("{}: the connector {}: {}", account.name, connector.name,
                          opened.error().message));
    }
    TRY(const auto factor, run(app_.catalog().second_factors().find(account.id)));
    if (!factor.has_totp()) return {};
    const auto opened = app_.sealer().open(factor.totp->sealed_secret);
    if (!opened) {
      problem(fmt::format("{}: the authenticator: {}", account.name, opened.error().message));
    }
    return {};
  }

  Result<void> report_scopes(const catalog::Account& account) {
    TRY(const auto keys, run(app_.catalog().keys().list(account.id, std::nullopt)));
    core::Principal principal;
    principal.account = std::make_shared<const catalog::Account>(account);
    const core::Namespace ns(app_.homes(), app_.mounts());
    for (const catalog::Key& key : keys) {
      if (!key.folder || !key.change_id.empty()) continue;
      const auto what = what_is_wrong(ns, principal, *key.folder);
      if (what.empty()) continue;
      problem(fmt::format("{}: the folder of the key {} ({}) {}: {}.", account.name, key.id.value,
                          key.name, what, key.folder->str()));
    }
    return {};
  }

  /// Where a key leads, also into a mount, whose server may not answer.
  static std::string what_is_wrong(const core::Namespace& ns, const core::Principal& principal,
                                   const Path& folder) {
    const auto place = run(ns.resolve(principal, folder));
    if (!place && place.error().code == ErrorCode::not_found) {
      return "is in a location that the account does not have";
    }
    if (!place) return "cannot be read now (" + place.error().message + ")";
    const auto entry = run(place->backend->stat(place->path));
    if (!entry && entry.error().code == ErrorCode::not_found) return "is missing";
    if (!entry) return "cannot be read now (" + entry.error().message + ")";
    return entry->is_directory ? "" : "is a file";
  }

  /// The names of all homes in a store, also of those that belong to no account.
  Result<std::vector<std::string>> homes_in(HomeStore store) {
    if (store == HomeStore::objects) return run(app_.catalog().object_names().homes());
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(data_ / "files", error)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  /// Reports the homes in a store that are not those of accounts.
  Result<void> report_strangers(const std::vector<catalog::Account>& accounts, HomeStore store) {
    TRY(const auto stored, homes_in(store));
    TRY(const auto removed, run(app_.catalog().accounts().removed_homes()));
    TRY(const auto moves, run(app_.catalog().home_moves().list()));
    for (const std::string& name : stored) {
      const auto owner = std::ranges::find(accounts, name, &catalog::Account::home);
      if (owner != accounts.end() && app_.homes().store_of(*owner) == store) continue;
      const std::string home =
          fmt::format("{}{}", store == HomeStore::files ? "files/" : "The home ", printable(name));
      const auto gone = std::ranges::find(removed, name, &catalog::RemovedHome::home);
      if (std::ranges::find(moves, name, &catalog::HomeMove::home) != moves.end()) {
        report_.note(
            fmt::format("{} is what a move of own files has begun or left: `coffer home "
                        "move` goes on with it.",
                        home));
      } else if (owner != accounts.end()) {
        problem(fmt::format("{} is not in use: the files of the account {} are in another store.",
                            home, owner->name));
      } else if (gone == removed.end()) {
        problem(fmt::format("{} belongs to no account.", home));
      } else {
        report_.note(fmt::format("{} has the files of the account {}, which was removed on {}.",
                                 home, gone->account_name, format_timestamp(gone->removed_at)));
      }
    }
    return {};
  }

  AppContext& app_;
  fs::path data_;
  CheckReport& report_;
};

/// Opens the data as a server would where none runs, and else beside it.
Result<std::unique_ptr<AppContext>> open_for_check(const Settings& settings) {
  constexpr std::size_t kThreads = 2;
  TRY_VOID(AppContext::find_data(settings));
  auto alone = AppContext::open_alone(settings, kThreads, "coffer check");
  if (alone || alone.error().code != ErrorCode::exists) return alone;
  return AppContext::open_beside(settings, kThreads);
}

int check(const CommonOptions& common, bool json) {
  const auto settings = common.load();
  if (!settings) return complain(settings.error());
  const auto app = open_for_check(*settings);
  if (!app) return complain(app.error());
  CheckReport report(json);
  DataCheck check(**app, settings->data, report);
  const auto done = check.run_all();
  if (!done) return complain(done.error());
  return report.is_clean() ? 0 : 1;
}

}  // namespace

void add_check_command(CLI::App& program, Action& chosen) {
  CLI::App* command =
      program.add_subcommand("check", "Recount the quota and compare the catalog with the disk");
  auto common = add_common_options(*command);
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback(
      [&chosen, common, json] { chosen = [common, json] { return check(*common, *json); }; });
}

}  // namespace coffer::app
