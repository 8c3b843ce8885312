#include "core/bin/bin_keeper.h"

#include <gtest/gtest.h>

#include <string>

#include "async/run.h"
#include "base/random.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/hooked_backend.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

using catalog::BinItem;

/// An account with something beside its bin.
class BinKeeperTest : public testing::Test {
 protected:
  BinKeeperTest() {
    mounts_.emplace(catalog_->mounts(), backends_, homes_);
    keeper_.emplace(*catalog_, homes_, *mounts_);
    make(".coffer-bin");
    make("beside");
  }

  void make(const std::string& folder) {
    EXPECT_TRUE(run(inner_.make_folder(Path::parse(folder).value())));
  }
  /// Notes one on its way, as a restoring has it.
  BinItem on_its_way() {
    BinItem item;
    item.id.value = random_hex(16);
    item.account = account_;
    item.path = "was here";
    item.deleted_at = Timestamp(std::chrono::seconds(++items_));
    item.is_folder = true;
    EXPECT_TRUE(run(catalog_->bin().add(item)));
    return item;
  }
  BinItem kept() {
    const BinItem item = on_its_way();
    make(bin_path_of(item).str());
    EXPECT_TRUE(run(catalog_->bin().keep(account_, item.id, true, std::nullopt)));
    return item;
  }
  Result<void> reconcile(const BinItem& item) { return run(keeper_->reconcile(item)); }
  /// A server that shows no item, and may not say so for sure.
  void show_nothing(std::optional<ErrorCode> said_when_asked_for_sure) {
    home_->hooks.before = [=](std::string_view call, const Path& path) -> std::optional<Error> {
      if (path.depth() < 2) return std::nullopt;
      if (call == "stat" || call == "remove") return Error{ErrorCode::not_found, "Not shown."};
      if (call != "rename" || !said_when_asked_for_sure) return std::nullopt;
      return Error{*said_when_asked_for_sure, "Unclear."};
    };
  }
  bool is_kept(const BinItem& item) {
    return run(catalog_->bin().find(account_, item.id)).has_value();
  }

  int items_ = 0;
  catalog::ScratchCatalog catalog_;
  const AccountId account_ = catalog_.add_account("ada").id;
  NoBackends backends_;
  storage::MemoryBackend inner_;
  const std::shared_ptr<HookedBackend> home_ = std::make_shared<HookedBackend>(inner_);
  OneHome homes_{home_};
  std::optional<Mounts> mounts_;
  std::optional<BinKeeper> keeper_;
};

TEST_F(BinKeeperTest, WhatIsThereIsKept) {
  const BinItem item = on_its_way();
  make(bin_path_of(item).str());
  ASSERT_TRUE(reconcile(item));
  EXPECT_TRUE(is_kept(item));
}

TEST_F(BinKeeperTest, WhatIsGoneIsForgotten) {
  const BinItem item = on_its_way();
  ASSERT_TRUE(reconcile(item));
  EXPECT_TRUE(run(catalog_->bin().unfinished()).value().empty());
  EXPECT_FALSE(is_kept(item));
}

TEST_F(BinKeeperTest, WhatAServerDoesNotShowIsNotDeleted) {
  const BinItem item = kept();
  show_nothing(ErrorCode::refused);
  EXPECT_EQ(run(keeper_->discard(item)).error().code, ErrorCode::refused);
  EXPECT_TRUE(is_kept(item));
  show_nothing(std::nullopt);
  EXPECT_EQ(run(keeper_->discard(item)).error().code, ErrorCode::refused) << "the name is taken";
  EXPECT_TRUE(is_kept(item));
  show_nothing(ErrorCode::not_found);
  EXPECT_TRUE(run(keeper_->discard(item)));
  EXPECT_FALSE(is_kept(item));
}

TEST_F(BinKeeperTest, AFailedDeletionKeepsNoReservation) {
  const BinItem item = kept();
  home_->hooks.before = [](std::string_view call, const Path&) -> std::optional<Error> {
    if (call != "remove") return std::nullopt;
    return Error{ErrorCode::refused, "Not now."};
  };
  EXPECT_EQ(run(keeper_->discard(item)).error().code, ErrorCode::refused);
  EXPECT_TRUE(is_kept(item));
  EXPECT_EQ(run(catalog_->ledger().usage(account_))->reserved_bytes, 0u);
}

TEST_F(BinKeeperTest, WhatAServerDoesNotShowIsNotForgotten) {
  const BinItem item = on_its_way();
  make(bin_path_of(item).str());
  show_nothing(ErrorCode::refused);
  EXPECT_EQ(reconcile(item).error().code, ErrorCode::refused);
  EXPECT_FALSE(run(catalog_->bin().unfinished()).value().empty());
}

/// It was on its way out when the sweep began, which takes as long as the servers of others.
TEST_F(BinKeeperTest, WhatStaysAfterAllIsNotDeletedByASweepThatBeganBefore) {
  const BinItem first = on_its_way();
  const BinItem item = kept();
  EXPECT_TRUE(run(catalog_->bin().claim(account_, item.id, catalog::BinState::discarding)).value());
  home_->hooks.before = [&](std::string_view, const Path& path) -> std::optional<Error> {
    if (path == bin_path_of(first)) {
      EXPECT_TRUE(run(catalog_->bin().release(account_, item.id)));
    }
    return std::nullopt;
  };
  run(keeper_->reconcile_open(account_));
  EXPECT_TRUE(is_kept(item));
  EXPECT_TRUE(run(inner_.stat(bin_path_of(item))));
}

/// A server that was killed meanwhile would find what it had made itself, and take it for the item.
TEST_F(BinKeeperTest, LookingForWhatIsGoneMakesNothing) {
  const BinItem item = on_its_way();
  const Path bin = Path::parse(".coffer-bin").value();
  std::size_t most = 0;
  home_->hooks.after = [&](std::string_view, const Path&) -> std::optional<Error> {
    most = std::max(most, run(inner_.list(bin)).value().size());
    return std::nullopt;
  };
  ASSERT_TRUE(reconcile(item));
  EXPECT_FALSE(home_->seen.calls.empty());
  EXPECT_EQ(most, 0);
}

}  // namespace
}  // namespace coffer::core
