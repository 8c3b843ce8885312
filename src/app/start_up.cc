#include "app/start_up.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <system_error>

#include "base/disk.h"
#include "base/log.h"
#include "core/accounts/quota.h"
#include "storage/partial_name.h"

namespace coffer::app {
namespace {

/// A missing folder stays missing, and its account keeps the figures of its files.
Task<Result<void>> prepare_account(AppContext& app, const catalog::Account& account) {
  const bool is_on_disk = app.homes().store_of(account) == HomeStore::files;
  if (is_on_disk && app.homes().files().has_folder(account)) co_return Result<void>{};
  const auto home = co_await core::open_home(app.catalog().ledger(), app.homes(), account);
  if (home) co_return Result<void>{};
  if (home.error().code != ErrorCode::not_found) co_return failure_of(home);
  spdlog::warn("account {}: {}", account.name, home.error().message);
  co_return Result<void>{};
}

}  // namespace

Task<Result<void>> prepare_accounts(const Settings& settings, AppContext& app,
                                    core::Counting& counting) {
  CO_TRY(auto home, AppContext::id_of_data(settings));
  CO_TRY(const bool unclean,
         co_await app.catalog().ledger().begin_run(storage::partial_tag(), std::move(home)));
  CO_TRY(const auto accounts, co_await app.catalog().accounts().list());
  if (unclean) spdlog::warn("the last run did not stop cleanly: counting files anew");
  for (const catalog::Account& account : accounts) {
    CO_TRY_VOID(co_await prepare_account(app, account));
  }
  co_return co_await counting.begin();
}

Task<Result<void>> end_old_tasks(AppContext& app) {
  catalog::Tasks& tasks = app.catalog().tasks();
  CO_TRY(const auto interrupted, co_await tasks.interrupt_ended());
  if (interrupted.empty()) co_return Result<void>{};
  CO_TRY(const auto accounts, co_await app.catalog().accounts().list());
  for (const catalog::TaskRecord& task : interrupted) {
    const auto owner = std::ranges::find(accounts, task.account, &catalog::Account::id);
    const std::string name = owner == accounts.end() ? "that is gone" : owner->name;
    spdlog::warn("the end of the last run interrupted a {} of account {} from \"{}\" to \"{}\"",
                 catalog::to_string(task.kind), name, task.from, task.to);
  }
  co_return Result<void>{};
}

Task<Result<void>> sweep_rows(catalog::Catalog& catalog) {
  constexpr auto kTasksAreKept = std::chrono::days(90);
  constexpr auto kExpiredKeysAreKept = std::chrono::days(90);
  CO_TRY_VOID(co_await catalog.tasks().forget_older_than(now() - kTasksAreKept));
  CO_TRY_VOID(co_await catalog.selections().forget_unused(now() - catalog::Selections::kKept));
  CO_TRY_VOID(co_await catalog.keys().forget_expired(now() - kExpiredKeysAreKept));
  CO_TRY_VOID(co_await catalog.web_sessions().drop_signed_out());
  CO_TRY_VOID(co_await catalog.file_locks().forget_expired());
  CO_TRY_VOID(co_await catalog.sign_in_flows().forget_beyond(catalog::kMostSignInFlows));
  CO_TRY_VOID(co_await catalog.logout_tokens().forget_beyond(catalog::kMostLogoutTokens));
  co_return co_await catalog.sign_in_failures().forget_beyond();
}

Task<void> resolve_share_folders(AppContext& app) {
  catalog::Shares& rows = app.catalog().shares();
  auto shares = co_await rows.unresolved();
  if (!shares) spdlog::error("shares are not looked at: {}", shares.error().message);
  if (!shares) co_return;
  for (catalog::Share& share : *shares) {
    std::error_code error;
    auto look = [&] { return std::filesystem::canonical(share.target, error).string(); };
    auto folder = co_await app.pools().of(share.id).brief.run(std::move(look));
    const std::string name = share.name;
    Result<void> stored;
    if (!error) stored = co_await rows.resolve(std::move(share), std::move(folder));
    if (!error && stored) continue;
    spdlog::warn("the folder of the share {} cannot be found: {}", name,
                 error ? error.message() : stored.error().message);
  }
}

Result<void> SetupLink::write(std::string_view link) const {
  remove();  // A file that another user may have put there is not written to.
  const int file = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const std::string line = std::string(link) + '\n';
  const int error = file < 0 ? errno : write_all(file, std::as_bytes(std::span(line)));
  if (file >= 0) ::close(file);
  if (error == 0) return {};
  return fail(ErrorCode::failed, fmt::format("The file {} cannot be written: {}.", file_.string(),
                                             std::strerror(error)));
}

void SetupLink::remove() const {
  std::error_code ignored;  // It may not be there, and opens nothing once set-up is closed.
  std::filesystem::remove(file_, ignored);
}

std::string SetupLink::at(const ListenAddress& listen, const Settings& settings,
                          std::string_view token) {
  ListenAddress shown = listen;
  if (shown.address == "0.0.0.0") shown.address = "127.0.0.1";
  if (shown.address == "::") shown.address = "::1";
  const std::string origin =
      settings.public_url.empty() ? fmt::format("http://{}", shown.str()) : settings.public_url;
  return fmt::format("{}{}/set-up#{}", origin, settings.base_path, token);
}

}  // namespace coffer::app
