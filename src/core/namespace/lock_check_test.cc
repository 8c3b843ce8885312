#include "core/namespace/lock_check.h"

#include <gtest/gtest.h>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

class LockCheckTest : public testing::Test {
 protected:
  LockCheckTest() {
    principal_.account =
        std::make_shared<const catalog::Account>(run(catalog_->accounts().get(ada_)).value());
    need(backend_->make_folder(Path::parse("d/e").value()));
  }
  static void need(Task<Result<void>> task) { ASSERT_TRUE(run(std::move(task))); }
  ResolvedPath place(std::string_view path) const {
    ResolvedPath made;
    made.backend = backend_;
    made.path = Path::parse(path).value();
    made.whole_backend = backend_.get();
    return made;
  }
  /// Takes a lock of ada's and returns its token.
  std::string lock(std::string_view path, bool is_deep = false, bool is_shared = false) {
    auto place = run(check_.place_of(ada_, this->place(path))).value();
    catalog::FileLock made;
    made.token = "urn:" + std::to_string(++count_);
    made.root = place.root;
    made.place = place.text;
    made.account = ada_;
    made.account_name = "ada";
    made.is_deep = is_deep;
    made.is_shared = is_shared;
    made.expires_at = now() + std::chrono::hours(1);
    need(catalog_->file_locks().take(made));
    return made.token;
  }
  /// As somebody else's lock in a share where that account may only add.
  std::string lock_that_gives_way(std::string_view path) {
    const std::string token = lock(path);
    auto made = run(catalog_->file_locks().find_by_token(token)).value();
    need(catalog_->file_locks().release(ada_, token));
    made.account = bob_;
    made.gives_way = true;
    need(catalog_->file_locks().take(made));
    return token;
  }
  /// Ada shares a folder with bob.
  void share(std::string_view folder, catalog::ShareAccess access) {
    catalog::NewPersonShare wanted;
    wanted.key.account = ada_;
    wanted.key.folder = Path::parse(folder).value();
    wanted.key.hash.fill(static_cast<std::byte>(++count_));
    wanted.is_folder = true;
    wanted.access = access;
    wanted.receivers = {{catalog::Receiver::Kind::account, "bob", {}}};
    ASSERT_TRUE(run(catalog_->people_shares().create(std::move(wanted))));
  }
  bool is_locked(const std::string& token) {
    return run(catalog_->file_locks().find_by_token(token)).has_value();
  }
  ResolvedPath where_one_may_only_add(std::string_view path) const {
    catalog::PersonShare share;
    share.owner = principal_.account;
    share.access = catalog::ShareAccess::add;
    ResolvedPath found = place(path);
    found.mount.emplace();
    found.mount->given = std::make_shared<const catalog::PersonShare>(std::move(share));
    found.owner_files = backend_;
    found.quota_account = principal_.account;
    return found;
  }
  void name(std::vector<std::string> tokens) {
    principal_.lock_tokens = std::make_shared<const std::vector<std::string>>(std::move(tokens));
  }
  bool may_write(std::string_view path) { return may(write_of(place(path))); }
  bool may_leave(std::string_view path) { return may(leave_of(place(path))); }
  bool may(PlaceChange change) {
    const auto checked = run(check_.of(principal_, {std::move(change)}));
    EXPECT_TRUE(checked || checked.error().code == ErrorCode::locked) << checked.error().message;
    return checked.has_value();
  }

  NoBackends backends_;
  catalog::ScratchCatalog catalog_;
  OneHome no_homes_{nullptr};
  Mounts mounts_{catalog_->mounts(), backends_, no_homes_};
  LockCheck check_{*catalog_, mounts_};
  const AccountId ada_ = catalog_.add_account("ada").id;
  const AccountId bob_ = catalog_.add_account("bob").id;
  std::shared_ptr<storage::MemoryBackend> backend_ = std::make_shared<storage::MemoryBackend>();
  Principal principal_;
  int count_ = 0;
};

TEST_F(LockCheckTest, WhereNothingIsLockedAllIsFree) {
  EXPECT_TRUE(may_write("d/a"));
  EXPECT_TRUE(may_leave("d"));
}

TEST_F(LockCheckTest, ADeepLockCoversAllInTheFolder) {
  lock("d", true);
  for (const char* path : {"d", "d/e", "d/new", "d/e/new"}) {
    EXPECT_FALSE(may_write(path)) << path;
    EXPECT_FALSE(may_leave(path)) << path;
  }
  EXPECT_TRUE(may_write("d2"));
  EXPECT_TRUE(may_write("other"));
}

TEST_F(LockCheckTest, AFlatLockCoversTheFolderAndItsNames) {
  lock("d");
  EXPECT_FALSE(may_write("d"));
  EXPECT_FALSE(may_write("d/new"));
  EXPECT_FALSE(may_leave("d/e"));
  EXPECT_TRUE(may_write("d/e"));  // It is there already.
  EXPECT_TRUE(may_write("d/e/new"));
}

TEST_F(LockCheckTest, FoldersThatAreMissingAreMadeToo) {
  lock("d");
  EXPECT_FALSE(may_write("d/x/y/new"));
  EXPECT_TRUE(may_write("d/e/x/y/new"));
  EXPECT_TRUE(may_write("x/y/new"));
}

TEST_F(LockCheckTest, WhatIsLockedBelowKeepsAFolderWhereItIs) {
  lock("d/e");
  EXPECT_FALSE(may_leave("d"));
  EXPECT_FALSE(may_leave(""));
  EXPECT_TRUE(may_write("d"));
}

TEST_F(LockCheckTest, TheNamedLockIsPassed) {
  const std::string outer = lock("d");
  const std::string inner = lock("d/e");
  name({inner});
  EXPECT_TRUE(may_write("d/e"));
  EXPECT_FALSE(may_leave("d/e"));
  name({inner, outer});
  EXPECT_TRUE(may_leave("d/e"));
  EXPECT_TRUE(may_leave("d"));
  name({"urn:none"});
  EXPECT_FALSE(may_write("d/e"));
}

TEST_F(LockCheckTest, OneSharedLockIsEnough) {
  const std::string one = lock("d", false, true);
  lock("d", false, true);
  EXPECT_FALSE(may_write("d"));
  name({one});
  EXPECT_TRUE(may_write("d"));
}

TEST_F(LockCheckTest, ATokenIsOfItsAccount) {
  share("d", catalog::ShareAccess::write);
  const std::string token = lock("d");
  name({token});
  // As it would be in a share: bob's principal, but ada's files.
  auto found = run(check_.in_tree_of(ada_, place("d"))).value();
  ASSERT_EQ(found->size(), 1U);
  catalog::FileLock of_bob = found->front();
  need(catalog_->file_locks().release(ada_, token));
  of_bob.account = bob_;
  need(catalog_->file_locks().take(of_bob));
  EXPECT_FALSE(may_write("d"));
}

TEST_F(LockCheckTest, ALockOfWhoMayNotWriteThereIsInNobodysWay) {
  share("d", catalog::ShareAccess::add);
  const std::string token = lock("d/e");
  auto of_bob = run(catalog_->file_locks().find_by_token(token)).value();
  need(catalog_->file_locks().release(ada_, token));
  of_bob.account = bob_;
  need(catalog_->file_locks().take(of_bob));
  EXPECT_TRUE(may_write("d/e"));
  EXPECT_TRUE(is_locked(token)) << "a look ends nothing";
  share("d/e", catalog::ShareAccess::write);
  EXPECT_FALSE(may_write("d/e"));
}

TEST_F(LockCheckTest, ALockThatGivesWayIsInTheWayOfThoseAloneWhoMayOnlyAdd) {
  share("d", catalog::ShareAccess::add);
  const std::string token = lock_that_gives_way("d/e");
  EXPECT_TRUE(may_write("d/e"));
  EXPECT_TRUE(may_leave("d/e"));
  EXPECT_TRUE(may_leave("d"));
  EXPECT_FALSE(may(write_of(where_one_may_only_add("d/e"))));
  EXPECT_TRUE(is_locked(token)) << "a look ends nothing";
}

TEST_F(LockCheckTest, ALockThatGivesWayEndsWithTheChangeOfAnother) {
  const std::string item = lock_that_gives_way("d/e");
  const std::string other = lock_that_gives_way("other");
  need(check_.pass(principal_, {write_of(place("d/new"))}));
  EXPECT_TRUE(is_locked(item));
  need(check_.pass(principal_, {leave_of(place("d"))}));
  EXPECT_FALSE(is_locked(item));
  EXPECT_TRUE(is_locked(other));
  need(check_.pass(principal_, {write_of(place("other"))}));
  EXPECT_FALSE(is_locked(other));
}

TEST_F(LockCheckTest, WhoNamesALockThatGivesWayMayCompleteItsItemAlone) {
  const std::string token = lock_that_gives_way("d/e");
  principal_.account =
      std::make_shared<const catalog::Account>(run(catalog_->accounts().get(bob_)).value());
  const auto completes = [this](std::string_view path) {
    ResolvedPath at = place(path);
    at.mount.emplace();
    at.owner_files = backend_;
    at.quota_account =
        std::make_shared<const catalog::Account>(run(catalog_->accounts().get(ada_)).value());
    return run(check_.may_complete(principal_, at)).value();
  };
  EXPECT_FALSE(completes("d/e"));
  name({"urn:other"});
  EXPECT_FALSE(completes("d/e"));
  name({token});
  EXPECT_TRUE(completes("d/e"));
  EXPECT_FALSE(completes("d"));
  EXPECT_FALSE(completes("d/e/x"));
}

TEST_F(LockCheckTest, AnExpiredLockIsInNoOnesWay) {
  const std::string token = lock("d", true);
  need([](catalog::FileLocks& locks, AccountId account, std::string which) -> Task<Result<void>> {
    CO_TRY([[maybe_unused]] const auto lock,
           co_await locks.refresh(account, which, now() - std::chrono::seconds(1)));
    co_return Result<void>{};
  }(catalog_->file_locks(), ada_, token));
  EXPECT_TRUE(may_write("d/new"));
}

}  // namespace
}  // namespace coffer::core
