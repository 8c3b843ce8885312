#include "core/accounts/counting.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <optional>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

class EmptyHomes final : public HomeDirectories {
 public:
  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) override {
    if (account.name == missing) return fail(ErrorCode::not_found, "It is missing.");
    if (account.name != moved || account.home_store) return home_;
    move(account);  // The caller is still told where the files were.
    return home_;
  }
  Result<void> purge(const catalog::Account&) override { return {}; }
  Task<Result<void>> make(const catalog::Account&) override { co_return Result<void>(); }

  std::string missing;
  std::string moved;  ///< The account whose files are moved when they are looked for.
  std::function<void(const catalog::Account&)> move;

 private:
  const std::shared_ptr<storage::MemoryBackend> home_ = std::make_shared<storage::MemoryBackend>();
};

/// Accounts of which the ledger holds 100 bytes each, and the disk none.
class CountingTest : public testing::Test {
 protected:
  CountingTest() {
    for (const char* name : {"ada", "bob", "eve"}) {
      accounts_.push_back(catalog_.add_account(name));
      const AccountId id = accounts_.back().id;
      EXPECT_TRUE(run(catalog_->ledger().reserve(id, 100)));
      EXPECT_TRUE(run(catalog_->ledger().record(id, 100, 100)));
      // Written by now: a start takes what is still reserved for void.
      EXPECT_TRUE(run(catalog_->ledger().usage(id)));
    }
  }

  /// As after a start, of which the last run did not stop cleanly if `is_unclean`.
  Counting& begin(bool is_unclean) {
    EXPECT_TRUE(run(catalog_->ledger().begin_run()));
    if (is_unclean) {
      EXPECT_EQ(run(catalog_->ledger().begin_run()), true);
    }
    counting_.emplace(*catalog_, homes_);
    EXPECT_TRUE(run(counting_->begin()));
    return *counting_;
  }
  /// Starts the counting and waits for one account and for the end of all.
  Result<void> count_all(AccountId waited_for) {
    asio::io_context context;
    Background background(context.get_executor());
    std::optional<Result<void>> settled;
    asio::co_spawn(
        context, counting_->settled(waited_for),
        [&](const std::exception_ptr&, Result<void> result) { settled = std::move(result); });
    counting_->start(background);
    context.run();
    asio::co_spawn(context, background.join(std::chrono::seconds(10)), asio::detached);
    context.restart();
    context.run();
    return settled.value();
  }
  std::uint64_t used(std::size_t which) {
    return run(catalog_->ledger().usage(accounts_[which].id)).value().used_bytes;
  }

  catalog::ScratchCatalog catalog_;
  std::vector<catalog::Account> accounts_;
  EmptyHomes homes_;
  std::optional<Counting> counting_;
};

TEST_F(CountingTest, AfterACleanStopNothingIsCountedAndNobodyWaits) {
  begin(false);
  EXPECT_TRUE(count_all(accounts_[0].id));
  for (const std::size_t which : {0, 1, 2}) EXPECT_EQ(used(which), 100U);
}

TEST_F(CountingTest, WhoWaitsGoesOnWhenItsAccountIsCounted) {
  begin(true);
  EXPECT_TRUE(count_all(accounts_[2].id));
  for (const std::size_t which : {0, 1, 2}) EXPECT_EQ(used(which), 0U);
  EXPECT_TRUE(run(catalog_->ledger().uncounted()).value().empty());
}

TEST_F(CountingTest, AnAccountWhoseFolderIsMissingKeepsItsFigureAndHoldsNobodyUp) {
  homes_.missing = "bob";
  begin(true);
  EXPECT_TRUE(count_all(accounts_[1].id));
  EXPECT_EQ(used(0), 0U);
  EXPECT_EQ(used(1), 100U);
  EXPECT_EQ(run(catalog_->ledger().uncounted()).value(), std::vector{accounts_[1].id});
}

TEST_F(CountingTest, WhatIsMovedMeanwhileIsCountedInItsNewPlace) {
  int moves = 0;
  homes_.moved = "bob";
  homes_.move = [&](const catalog::Account& account) {
    ++moves;
    EXPECT_TRUE(run(catalog_->home_moves().begin(account.id, catalog::HomeStore::objects)));
    EXPECT_TRUE(run(catalog_->home_moves().switch_over(account.id, catalog::HomeStore::objects)));
  };
  const auto bob = accounts_[1].id;
  EXPECT_FALSE(run(recount(*catalog_, homes_, bob))->settled);
  EXPECT_EQ(used(1), 100U) << "What lies in the old place is not the figure any more.";
  EXPECT_TRUE(run(recount(*catalog_, homes_, bob))->settled);
  EXPECT_EQ(used(1), 0U);
  EXPECT_EQ(moves, 1);
}

}  // namespace
}  // namespace coffer::core
