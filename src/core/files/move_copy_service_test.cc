#include "core/files/move_copy_service.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/hooked_backend.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

/// A disk that takes a removal, and then fails to make it safe.
class UnsafeDisk final : public HookedBackend {
 public:
  using HookedBackend::HookedBackend;
  Task<Result<storage::Removed>> remove(const Path& path) override {
    auto removed = co_await HookedBackend::remove(path);
    if (removed) removed->unsafe = Error{ErrorCode::failed, "The disk failed."};
    co_return removed;
  }
};

class NoRelief final : public QuotaRelief {
 public:
  Task<std::uint64_t> freeable_bytes(AccountId) override { co_return 0; }
  Task<bool> free_up(AccountId, std::uint64_t) override { co_return false; }
};

/// A file of an account's own files, which its quota counts, goes to a place without a quota.
class MoveCopyServiceTest : public testing::Test {
 protected:
  static constexpr std::string_view kContent = "content";

  MoveCopyServiceTest() {
    storage::WriteOptions options;
    auto writer = run(own_.create(name(), options)).value();
    EXPECT_TRUE(run(writer->write(std::as_bytes(std::span(kContent)))));
    EXPECT_TRUE(run(own_.publish({&writer, 1}, UINT64_MAX)));
    catalog::Ledger& ledger = catalog_->ledger();
    EXPECT_TRUE(run(ledger.reserve(account_->id, kContent.size())));
    EXPECT_TRUE(run(ledger.record(account_->id, kContent.size(), kContent.size())));
  }

  static Path path(std::string_view text) { return Path::parse(text).value(); }
  static Path name() { return path("file"); }
  ResolvedPath place(storage::Backend& backend) {
    ResolvedPath place;
    place.backend = std::shared_ptr<storage::Backend>(std::shared_ptr<void>(), &backend);
    place.whole_backend = &backend;
    place.path = name();
    return place;
  }
  Result<void> move() {
    MoveCopyRequest request{place(own_), place(other_), false};
    request.from.quota_account = account_;
    return move(std::move(request));
  }
  Result<void> move(MoveCopyRequest request) {
    Principal principal;
    principal.account = account_;
    std::optional<Result<void>> moved;
    asio::co_spawn(context_, service_.move(principal, std::move(request)),
                   [&](std::exception_ptr, Result<void> result) { moved = std::move(result); });
    context_.restart();
    context_.run();
    return moved.value();
  }
  std::uint64_t used_bytes() { return run(catalog_->ledger().usage(account_->id))->used_bytes; }

  asio::io_context context_;
  catalog::ScratchCatalog catalog_;
  const std::shared_ptr<const catalog::Account> account_ =
      std::make_shared<const catalog::Account>(catalog_.add_account("ada"));
  storage::MemoryBackend inner_;
  UnsafeDisk own_{inner_};
  storage::MemoryBackend other_;
  NoBackends no_backends_;
  OneHome no_homes_{nullptr};
  Mounts mounts_{catalog_->mounts(), no_backends_, no_homes_};
  AccessRecheck access_recheck_{*catalog_, mounts_};
  FolderChanges folder_changes_{*catalog_, mounts_};
  Background background_{context_.get_executor()};
  TaskRunner task_runner_{catalog_->tasks(), background_};
  NoRelief relief_;
  AccountBytes loans_;
  MountRoom room_{catalog_->uploads(), {}, 1};
  Parking parking_{*catalog_};
  MoveCopyService service_{
      mounts_,      access_recheck_, Quota{catalog_->ledger(), background_, relief_, loans_, room_},
      task_runner_, folder_changes_, parking_};
};

TEST_F(MoveCopyServiceTest, WhatLeftADiskThatFailsThenCountsNoMore) {
  EXPECT_EQ(move().error().code, ErrorCode::failed);
  EXPECT_TRUE(run(inner_.list(Path())).value().empty());
  EXPECT_TRUE(run(other_.stat(name())));
  EXPECT_EQ(used_bytes(), 0u);
}

/// The folder `b` of a share goes to another share. A key of another account is limited to `b/s`.
class FolderMoveTest : public MoveCopyServiceTest {
 protected:
  static constexpr std::string_view kFrom = "__adm_f/b";
  static constexpr std::string_view kTo = "__adm_g/b";

  FolderMoveTest() { plant(); }

  void plant() {
    EXPECT_TRUE(run(f_.make_folder(path("b/s"))));
    EXPECT_TRUE(make_key(1, "__adm_f/b/s"));
  }
  void revoke_key() {
    const auto keys = run(catalog_->keys().list(bob_.id, {})).value();
    EXPECT_TRUE(run(catalog_->keys().revoke(bob_.id, keys.at(0).id, {})));
  }
  static catalog::SecretHash hash_of(std::uint8_t number) {
    catalog::SecretHash hash;
    hash.fill(std::byte{number});
    return hash;
  }
  Result<catalog::Key> make_key(std::uint8_t number, std::string_view folder) {
    catalog::NewKey key;
    key.account = bob_.id;
    key.name = "key";
    key.folder = path(folder);
    key.hash = hash_of(number);
    return run(catalog_->keys().create(std::move(key)));
  }
  /// The folder that a key opens; "revoked" if it opens none any more.
  std::string scope(std::uint8_t number) {
    const auto grant = run(catalog_->keys().find(hash_of(number)));
    if (!grant) return "revoked";
    EXPECT_EQ(grant.value()->key.change_id, "");
    return grant.value()->key.folder->str();
  }
  ResolvedPath place_at(std::string_view text) {
    const Path whole = path(text);
    ResolvedPath found = place(whole.front() == "__adm_f" ? from_ : to_);
    found.path = whole.without_front();
    found.base = path(whole.front());
    return found;
  }
  Result<void> move_folder() { return move({place_at(kFrom), place_at(kTo), true}); }
  Task<Result<void>> begin_and_give_up(ResolvedPath folder) {
    CO_TRY(auto change, co_await folder_changes_.begin(bob_.id, folder, nullptr));
    co_await change.end(Result<void>(fail(ErrorCode::forbidden, "Not deleted.")));
    co_return Result<void>{};
  }
  /// What another account's deletion of the folder fails with before it begins.
  std::optional<ErrorCode> change_of_another(std::string_view folder) {
    const auto begun = run(begin_and_give_up(place_at(folder)));
    return begun ? std::nullopt : std::optional(begun.error().code);
  }
  /// Calls `act` before each call of this name for this path.
  static Hooks::OnCall before(std::string call, std::string at, std::function<void()> act) {
    return [=](std::string_view name, const Path& path) {
      if (name == call && path.str().starts_with(at)) act();
      return std::optional<Error>();
    };
  }

  const catalog::Account bob_ = catalog_.add_account("bob");
  storage::MemoryBackend f_;
  storage::MemoryBackend g_;
  HookedBackend from_{f_};
  HookedBackend to_{g_};
};

TEST_F(FolderMoveTest, NoOneChangesTheCopyBeforeTheKeysHaveFollowed) {
  int looks = 0;
  from_.hooks.before = before("list", "b (not moved ", [&] {
    if (looks++ > 0) return;
    ASSERT_TRUE(run(g_.stat(path("b/s"))));
    for (const auto* folder : {"__adm_g/b", "__adm_g/b/s"}) {
      EXPECT_EQ(change_of_another(folder), ErrorCode::conflict) << folder;
      EXPECT_EQ(make_key(9, folder).error().code, ErrorCode::conflict) << folder;
    }
    EXPECT_EQ(make_key(9, "__adm_f/b").error().code, ErrorCode::conflict);
    EXPECT_EQ(change_of_another("__adm_g/other"), std::nullopt);
    EXPECT_TRUE(make_key(2, "__adm_f"));
  });
  EXPECT_TRUE(move_folder());
  EXPECT_GT(looks, 0);
  EXPECT_EQ(scope(1), "__adm_g/b/s");
  EXPECT_EQ(scope(2), "__adm_f");
  EXPECT_EQ(change_of_another("__adm_g/b"), std::nullopt);
}

TEST_F(FolderMoveTest, NoOneChangesTheSourceUnderItsOtherName) {
  int looks = 0;
  from_.hooks.before = [&](std::string_view call, const Path& at) {
    if (call != "list" || !at.str().starts_with("b (not moved ")) return std::optional<Error>();
    ++looks;
    const Path other = path("__adm_f") / Path(at.parent().is_root() ? at : at.parent());
    for (const Path& folder : {other, other / path("s")}) {
      EXPECT_EQ(change_of_another(folder.str()), ErrorCode::conflict) << folder.str();
      EXPECT_EQ(make_key(9, folder.str()).error().code, ErrorCode::conflict) << folder.str();
    }
    return std::optional<Error>();
  };
  EXPECT_TRUE(move_folder());
  EXPECT_GT(looks, 0);
  EXPECT_EQ(scope(1), "__adm_g/b/s");
}

TEST_F(FolderMoveTest, WithoutKeysNoOneChangesTheCopyEither) {
  EXPECT_TRUE(run(
      catalog_->keys().revoke(bob_.id, run(catalog_->keys().list(bob_.id, {})).value()[0].id, {})));
  from_.hooks.before = before("list", "b (not moved ", [&] {
    EXPECT_EQ(change_of_another("__adm_g/b"), ErrorCode::conflict);
    EXPECT_EQ(make_key(9, "__adm_f/b/s").error().code, ErrorCode::conflict);
  });
  EXPECT_TRUE(move_folder());
}

TEST_F(FolderMoveTest, KeysHaveFollowedWhenTheSourceIsDeleted) {
  for (const bool in_steps : {false, true}) {
    from_.hooks.renames_in_steps = in_steps;
    bool removed = false;
    from_.hooks.before = before("remove", "b", [&] {
      removed = true;
      EXPECT_EQ(scope(1), "__adm_g/b/s");
      EXPECT_EQ(change_of_another("__adm_g/b/s/of-another"), std::nullopt);
    });
    EXPECT_TRUE(move_folder());
    EXPECT_TRUE(removed);
    from_.hooks = {};
    EXPECT_TRUE(run(g_.remove(path("b"))));
    revoke_key();
    plant();
  }
}

TEST_F(FolderMoveTest, AKeyForAFolderThatTheCopyLacksStaysWithTheSource) {
  for (const bool in_steps : {false, true}) {
    from_.hooks.renames_in_steps = in_steps;
    int asked = 0;
    to_.hooks.before = before("rename", "", [&] {
      ++asked;
      EXPECT_TRUE(run(f_.make_folder(path(in_steps ? "b/late2" : "b/late"))));
    });
    EXPECT_EQ(move_folder().error().code, ErrorCode::conflict);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(scope(1), "__adm_f/b/s");
    EXPECT_TRUE(run(f_.stat(path("b/late"))));
    EXPECT_EQ(change_of_another("__adm_f/b"), std::nullopt);
    EXPECT_TRUE(run(g_.remove(path("b"))));
  }
}

TEST_F(FolderMoveTest, ARefusedPublicationLeavesTheKeys) {
  to_.hooks.before = [](std::string_view call, const Path&) {
    return call == "rename" ? std::optional<Error>({ErrorCode::unavailable, "It is away."})
                            : std::nullopt;
  };
  EXPECT_EQ(move_folder().error().code, ErrorCode::unavailable);
  EXPECT_EQ(scope(1), "__adm_f/b/s");
  EXPECT_EQ(change_of_another("__adm_f/b"), std::nullopt);
}

TEST_F(FolderMoveTest, ARefusedPublicationLeavesTheKeysBeforeItsRemainsAreRemoved) {
  bool removed = false;
  to_.hooks.before = [&](std::string_view call, const Path&) {
    if (call == "rename") return std::optional<Error>({ErrorCode::forbidden, "No."});
    if (call == "remove") {
      removed = true;
      EXPECT_EQ(scope(1), "__adm_f/b/s");
      EXPECT_EQ(change_of_another("__adm_f/b"), std::nullopt);
      EXPECT_TRUE(run(catalog_->parked_items().all())->empty());
    }
    return std::optional<Error>();
  };
  EXPECT_EQ(move_folder().error().code, ErrorCode::forbidden);
  EXPECT_TRUE(removed);
}

TEST_F(FolderMoveTest, AKeyForASourceThatIsDeletedUnderItsNameEndsWithIt) {
  from_.hooks.renames_in_steps = true;
  // As a command beside the server makes it: it does not wait for the lock.
  from_.hooks.before = [this](std::string_view call, const Path&) {
    if (call == "remove") {
      EXPECT_TRUE(make_key(2, "__adm_f/b/s"));
    }
    return std::optional<Error>();
  };
  EXPECT_TRUE(move_folder());
  EXPECT_EQ(scope(1), "__adm_g/b/s");
  EXPECT_EQ(scope(2), "revoked");
}

TEST_F(FolderMoveTest, ACopyShowsBeforeTheFolderOfItsKeyChanges) {
  Principal limited;
  limited.account = account_;
  limited.scope = std::make_shared<const Path>(path("__adm_g"));
  bool changed = false;
  const auto change = [&]() -> Task<void> {
    const auto lock = co_await folder_changes_.lock_for_new_key(account_->id, path("__adm_g/b"));
    changed = true;
  };
  to_.hooks.before = [&](std::string_view call, const Path&) {
    if (call == "rename") asio::co_spawn(context_, change, asio::detached);
    return std::optional<Error>();
  };
  to_.hooks.after = [&](std::string_view call, const Path&) {
    if (call == "rename") {
      EXPECT_FALSE(changed);
    }
    return std::optional<Error>();
  };
  asio::co_spawn(context_, service_.copy(limited, {place_at(kFrom), place_at(kTo), true}),
                 [&](std::exception_ptr, const Result<void>& copied) { EXPECT_TRUE(copied); });
  context_.run();
  EXPECT_TRUE(changed);
  EXPECT_TRUE(run(g_.stat(path("b/s"))));
}

TEST_F(FolderMoveTest, WhatABackendCannotCopyAtOnceIsCopiedItemByItem) {
  Principal bob;
  bob.account = account_;
  const auto copy = [&](std::string_view to) {
    std::optional<Result<void>> result;
    ResolvedPath target = place_at(kFrom);
    target.path = path(to);
    asio::co_spawn(context_, service_.copy(bob, {place_at(kFrom), target, false}),
                   [&](std::exception_ptr, Result<void> copied) { result = std::move(copied); });
    context_.restart();
    context_.run();
    return result.value().has_value() && run(f_.stat(path(to) / path("s"))).has_value();
  };
  from_.hooks.most_copied = 2;  // b and b/s
  EXPECT_TRUE(copy("small"));
  EXPECT_EQ(from_.seen.calls["copy"], 1);
  from_.hooks.most_copied = 1;
  EXPECT_TRUE(copy("large"));
  EXPECT_EQ(from_.seen.calls["copy"], 1);
}

TEST_F(FolderMoveTest, ASourceWhoseNameWasTakenMeanwhileLosesItsKeys) {
  const auto make = [this](std::string_view folder) {
    return [this, folder](std::string_view call, const Path& path) {
      if (call == "rename" && path.str() == "b") {
        EXPECT_TRUE(run(f_.make_folder(Path::parse(folder).value())));
      }
      return std::optional<Error>();
    };
  };
  from_.hooks.before = make("b/late");
  from_.hooks.after = make("b/s");
  EXPECT_EQ(move_folder().error().code, ErrorCode::conflict);
  EXPECT_EQ(scope(1), "revoked");
  EXPECT_EQ(change_of_another("__adm_f/b"), std::nullopt);
}

}  // namespace
}  // namespace coffer::core
