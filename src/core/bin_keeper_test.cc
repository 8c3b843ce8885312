#include "core/bin_keeper.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "async/run.h"
#include "base/random.h"
#include "core/testing/hooked_backend.h"
#include "core/testing/no_backends.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

namespace fs = std::filesystem;
using catalog::BinItem;

class OneHome final : public HomeDirectories {
 public:
  explicit OneHome(std::shared_ptr<storage::Backend> home) : home_(std::move(home)) {}

  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account&) override { return home_; }
  Result<void> purge(const catalog::Account&) override { return {}; }
  Result<void> make(const catalog::Account&) override { return {}; }

 private:
  const std::shared_ptr<storage::Backend> home_;
};

/// An account with something beside its bin.
class BinKeeperTest : public testing::Test {
 protected:
  BinKeeperTest() : folder_(fs::temp_directory_path() / ("coffer-bin-" + random_hex(8))) {
    fs::create_directory(folder_);
    catalog_ = catalog::Catalog::open("sqlite://" + (folder_ / "catalog").string()).value();
    catalog::NewAccount account;
    account.name = "ada";
    account_ = run(catalog_->accounts().add(std::move(account))).value().id;
    make(".coffer-bin");
    make("beside");
  }
  ~BinKeeperTest() override {
    catalog_.reset();
    fs::remove_all(folder_);
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
    item.is_folder = true;
    EXPECT_TRUE(run(catalog_->bin().add(item)));
    return item;
  }
  Result<void> settle(const BinItem& item) {
    Mounts mounts(catalog_->mounts(), backends_);
    OneHome homes(home_);
    BinKeeper keeper(*catalog_, homes, mounts);
    return run(keeper.settle(item));
  }
  bool is_kept(const BinItem& item) {
    return run(catalog_->bin().find(account_, item.id)).has_value();
  }

  const fs::path folder_;
  std::unique_ptr<catalog::Catalog> catalog_;
  AccountId account_;
  NoBackends backends_;
  storage::MemoryBackend inner_;
  const std::shared_ptr<HookedBackend> home_ = std::make_shared<HookedBackend>(inner_);
};

TEST_F(BinKeeperTest, WhatIsThereIsKept) {
  const BinItem item = on_its_way();
  make(bin_path_of(item).str());
  ASSERT_TRUE(settle(item));
  EXPECT_TRUE(is_kept(item));
}

TEST_F(BinKeeperTest, WhatIsGoneIsForgotten) {
  const BinItem item = on_its_way();
  ASSERT_TRUE(settle(item));
  EXPECT_TRUE(run(catalog_->bin().unsettled()).value().empty());
  EXPECT_FALSE(is_kept(item));
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
  ASSERT_TRUE(settle(item));
  EXPECT_FALSE(home_->seen.calls.empty());
  EXPECT_EQ(most, 0);
}

}  // namespace
}  // namespace coffer::core
