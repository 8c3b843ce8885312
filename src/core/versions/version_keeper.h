#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/accounts/quota.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// Removes versions (see storage::Versions) of the accounts' own files, where they are old or their
/// space is needed. Safe from any thread.
class VersionKeeper final : public QuotaRelief {
 public:
  /// `bin` frees space when all versions of an account do not suffice.
  VersionKeeper(catalog::Catalog& catalog, HomeDirectories& homes, QuotaRelief& bin)
      : catalog_(catalog), homes_(homes), bin_(bin) {}

  /// Removes the versions of all accounts that were replaced earlier than `before`, or are more
  /// than allowed.
  Task<void> sweep(Timestamp before);
  /// Makes `sweep` stop soon, when the program shuts down.
  void end() { is_ending_ = true; }

  Task<std::uint64_t> freeable_bytes(AccountId account) override;
  /// Removes the account's oldest versions first, and then what is in its bin.
  Task<bool> free_up(AccountId account, std::uint64_t bytes) override;
  Task<bool> free_versions(AccountId account, std::uint64_t bytes,
                           std::uint64_t ahead_bytes) override;

 private:
  /// The backend of an account's own files; null if it keeps no versions.
  Task<std::shared_ptr<storage::Backend>> home_of(AccountId account);
  Task<std::uint64_t> lacking(AccountId account, std::uint64_t bytes);
  Task<std::uint64_t> free_oldest(AccountId account, storage::Versions& versions,
                                  std::uint64_t bytes);
  Task<Result<void>> expire(AccountId account, storage::Versions& versions, Timestamp before);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  QuotaRelief& bin_;
  std::atomic<bool> is_ending_ = false;
};

}  // namespace coffer::core
