#include "app/start_up.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "base/log.h"
#include "core/accounts/quota.h"
#include "storage/partial_name.h"

namespace coffer::app {
namespace {

/// A missing folder stays missing, and so does the figure of what was in it.
Task<Result<void>> prepare_account(AppContext& app, const catalog::Account& account,
                                   bool is_counted) {
  catalog::Ledger& ledger = app.catalog().ledger();
  Result<void> prepared;
  if (is_counted) {
    const auto counted = co_await core::recount(ledger, app.homes(), account);
    if (!counted) prepared = failure_of(counted);
  } else if (!app.homes().has_folder(account)) {
    const auto home = co_await core::open_home(ledger, app.homes(), account);
    if (!home) prepared = failure_of(home);
  }
  if (prepared || prepared.error().code != ErrorCode::not_found) co_return prepared;
  spdlog::warn("account {}: {}", account.name, prepared.error().message);
  co_return Result<void>{};
}

}  // namespace

Task<Result<void>> prepare_accounts(AppContext& app) {
  const auto unclean = co_await app.catalog().ledger().begin_run(storage::partial_tag());
  if (!unclean) co_return failure_of(unclean);
  const auto accounts = co_await app.catalog().accounts().list();
  if (!accounts) co_return failure_of(accounts);
  if (*unclean) spdlog::warn("the last run did not stop cleanly: counting all files anew");
  for (const catalog::Account& account : *accounts) {
    auto prepared = co_await prepare_account(app, account, *unclean);
    if (!prepared) co_return prepared;
  }
  co_return Result<void>{};
}

Task<Result<void>> end_old_tasks(AppContext& app) {
  constexpr auto kTasksAreKept = std::chrono::days(90);
  catalog::Tasks& tasks = app.catalog().tasks();
  auto forgotten = co_await tasks.forget_older_than(now() - kTasksAreKept);
  if (!forgotten) co_return forgotten;
  const auto interrupted = co_await tasks.interrupt_running();
  if (!interrupted) co_return failure_of(interrupted);
  if (interrupted->empty()) co_return Result<void>{};
  const auto accounts = co_await app.catalog().accounts().list();
  if (!accounts) co_return failure_of(accounts);
  for (const catalog::TaskRecord& task : *interrupted) {
    const auto owner = std::ranges::find(*accounts, task.account, &catalog::Account::id);
    const std::string name = owner == accounts->end() ? "that is gone" : owner->name;
    spdlog::warn("the end of the last run interrupted a {} of account {} from \"{}\" to \"{}\"",
                 catalog::to_string(task.kind), name, task.from, task.to);
  }
  co_return Result<void>{};
}

}  // namespace coffer::app
