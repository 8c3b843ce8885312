#include "mounts/account_homes.h"

#include <gtest/gtest.h>

#include "async/run.h"
#include "backends/objects/testing/memory_blobs.h"
#include "base/testing/scratch_folder.h"
#include "catalog/testing/scratch_catalog.h"

namespace coffer::mounts {
namespace {

using catalog::HomeStore;
using State = WriteGate::State;

Path path(std::string_view text) {
  return Path::parse(text).value();
}

class AccountHomesTest : public testing::Test {
 protected:
  AccountHomesTest() {
    std::filesystem::create_directories(folder_.path() / "files");
    EXPECT_TRUE(run(homes_.make(ada_)));
  }

  static Result<std::unique_ptr<storage::Writer>> begin(storage::Backend& home,
                                                        const std::string& name) {
    auto writer = run(home.create(path(name), {}));
    if (writer) {
      EXPECT_TRUE(run((*writer)->write(std::as_bytes(std::span("text", 4)))));
    }
    return writer;
  }
  static Result<void> publish(storage::Backend& home, std::unique_ptr<storage::Writer>& writer) {
    const auto shown = run(home.publish(std::span(&writer, 1), UINT64_MAX));
    return shown ? Result<void>() : failure_of(shown);
  }
  static bool is_refused(const auto& result) {
    return !result && result.error().code == ErrorCode::unready &&
           result.error().retry_after.count() > 0;
  }

  const ScratchFolder folder_;
  core::WorkPools pools_{2};
  std::unique_ptr<local::LocalStore> store_ =
      local::LocalStore::open({.data = folder_.path()}, pools_.common()).value();
  catalog::ScratchCatalog catalog_;
  objects::MemoryBlobs blobs_;
  LocalHomeDirectories files_{folder_.path(), false, *store_, pools_};
  AccountHomes homes_{
      {.files = files_,
       .objects = std::make_unique<ObjectHomeDirectories>(catalog_->object_names(), blobs_),
       .of_new_accounts = HomeStore::objects,
       .of_old_accounts = HomeStore::files}};
  const catalog::Account ada_ = catalog_.add_account("ada");
};

TEST_F(AccountHomesTest, EachAccountIsInItsStore) {
  EXPECT_EQ(homes_.store_of(ada_), HomeStore::files);
  EXPECT_EQ(homes_.location_of(ada_), files_.folder_of(ada_).string());
  catalog::Account bob = catalog_.add_account("bob");
  bob.home_store = homes_.store_of_new();
  ASSERT_TRUE(run(homes_.make(bob)));
  EXPECT_EQ(homes_.store_of(bob), HomeStore::objects);
  EXPECT_EQ(homes_.location_of(bob), "");
  ASSERT_TRUE(run(homes_.find(bob)));
  EXPECT_FALSE(files_.has_folder(bob));
}

TEST_F(AccountHomesTest, AClosedGateRefusesAllWritesAndNoReads) {
  const auto home = homes_.of(ada_).value();
  const auto view = home->beneath(path("folder"));
  ASSERT_TRUE(run(home->make_folder(path("folder"))));
  auto writer = begin(*home, "late").value();
  auto early = begin(*home, "early").value();
  ASSERT_TRUE(publish(*home, early));
  const auto gate = homes_.gate_of(ada_);
  gate->set(State::closed);
  EXPECT_TRUE(is_refused(homes_.begin_write(ada_)));
  EXPECT_TRUE(is_refused(publish(*home, writer)));
  EXPECT_TRUE(is_refused(begin(*home, "new")));
  EXPECT_TRUE(is_refused(begin(*view, "new")));
  EXPECT_TRUE(is_refused(run(home->make_folder(path("other")))));
  EXPECT_TRUE(is_refused(run(home->rename(path("early"), path("new")))));
  EXPECT_TRUE(is_refused(run(home->copy(path("early"), path("new"), {}))));
  EXPECT_TRUE(is_refused(run(home->remove(path("early")))));
  EXPECT_TRUE(run(home->open(path("early"))));
  EXPECT_EQ(run(home->list(Path())).value().size(), 2U);
  EXPECT_EQ(gate->step_under_way(), std::nullopt);
  gate->set(State::open);
  EXPECT_TRUE(publish(*home, writer));
}

TEST_F(AccountHomesTest, AGateThatClosesLetsOperationsEnd) {
  const auto home = homes_.of(ada_).value();
  const auto gate = homes_.gate_of(ada_);
  {
    const auto operation = homes_.begin_write(ada_).value();
    EXPECT_EQ(gate->operations(), 1U);
    gate->set(State::closing);
    EXPECT_TRUE(is_refused(homes_.begin_write(ada_)));
    EXPECT_TRUE(run(home->make_folder(path("folder"))));
    EXPECT_EQ(gate->operations(), 1U);
  }
  EXPECT_EQ(gate->operations(), 0U);
}

TEST_F(AccountHomesTest, NobodyWritesToFilesThatWereMoved) {
  const auto before = homes_.of(ada_).value();
  auto writer = begin(*before, "late").value();
  homes_.gate_of(ada_)->set(State::closed);
  ASSERT_TRUE(run(homes_.in(HomeStore::objects)->make(ada_)));
  homes_.switch_to(ada_.id, HomeStore::objects);
  EXPECT_EQ(homes_.store_of(ada_), HomeStore::objects);
  EXPECT_TRUE(is_refused(publish(*before, writer)));
  const auto after = homes_.of(ada_).value();
  EXPECT_NE(after, before);
  auto other = begin(*after, "new").value();
  EXPECT_TRUE(publish(*after, other));
  EXPECT_TRUE(run(after->list(Path())).value().size() == 1);
  EXPECT_TRUE(run(before->list(Path())).value().empty());
}

}  // namespace
}  // namespace coffer::mounts
