#include "core/keys/folder_changes.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/hooked_backend.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

Path path(std::string_view text) {
  return Path::parse(text).value();
}

/// Keys are limited to `docs` and `docs/sub`.
class FolderChangesTest : public testing::Test {
 protected:
  FolderChangesTest() {
    mounts_.emplace(catalog_->mounts(), no_backends_, no_homes_);
    changes_.emplace(*catalog_, *mounts_);
    EXPECT_TRUE(run(tree_.make_folder(path("docs/sub"))));
    add_key(1, "docs");
    add_key(2, "docs/sub");
  }

  static catalog::SecretHash hash_of(std::uint8_t number) {
    catalog::SecretHash hash;
    hash.fill(std::byte{number});
    return hash;
  }
  void add_key(std::uint8_t number, std::string_view folder) {
    catalog::NewKey key;
    key.account = ada_;
    key.name = "key";
    key.folder = path(folder);
    key.hash = hash_of(number);
    EXPECT_TRUE(run(catalog_->keys().create(std::move(key))));
  }
  ResolvedPath place(std::string_view text) {
    ResolvedPath place;
    place.backend = std::shared_ptr<storage::Backend>(std::shared_ptr<void>(), &backend_);
    place.path = path(text);
    return place;
  }
  Result<void> rename(std::string_view from, std::string_view to) {
    return run(rename_within_a_change(place(from), place(to)));
  }
  Result<void> remove(std::string_view folder) {
    return run(remove_within_a_change(place(folder)));
  }
  Task<Result<void>> rename_within_a_change(ResolvedPath from, ResolvedPath to) {
    CO_TRY(auto change, co_await changes_->begin(ada_, from, &to));
    const auto renamed = co_await backend_.rename(from.path, to.path);
    co_await change.end(renamed);
    co_return renamed;
  }
  Task<Result<void>> remove_within_a_change(ResolvedPath folder) {
    CO_TRY(auto change, co_await changes_->begin(ada_, folder, nullptr));
    const auto removed = co_await backend_.remove(folder.path);
    co_await change.end(removed);
    if (!removed) co_return failure_of(removed);
    co_return Result<void>{};
  }
  /// Begins a change that never ends, and starts the next server meanwhile.
  Task<Result<void>> begin_and_start(ResolvedPath folder, FolderChanges* next) {
    CO_TRY(const auto change, co_await changes_->begin(ada_, folder, nullptr));
    if (!next) co_return Result<void>{};
    co_return co_await next->revoke_interrupted();
  }
  /// The call fails in this way instead of being made.
  void refuse(std::string call, ErrorCode code) {
    backend_.hooks.before = [call, code](std::string_view name, const Path&) {
      return name == call ? std::optional(Error{code, "refused"}) : std::nullopt;
    };
  }
  /// As on servers, which have no inodes.
  void hide_inodes() {
    backend_.hooks.show = [](const Path&, storage::Entry& entry) { entry.file_id = 0; };
  }
  /// The folder that a key opens; "revoked" if it opens none any more.
  std::string scope(std::uint8_t number) {
    auto grant = run(catalog_->keys().find(hash_of(number)));
    if (grant) grant = run(changes_->wait_for_change(*std::move(grant)));
    if (!grant && grant.error().code == ErrorCode::unauthenticated) return "revoked";
    return grant.value()->key.folder->str();
  }
  std::size_t audited_revocations() {
    catalog::AuditFilter filter;
    filter.kind = catalog::AuditKind::key_revoked;
    return run(catalog_->audit().list(filter)).value().size();
  }
  void expect_scopes(const std::string& first, const std::string& second) {
    EXPECT_EQ(scope(1), first);
    EXPECT_EQ(scope(2), second);
  }

  NoBackends no_backends_;
  OneHome no_homes_{nullptr};
  catalog::ScratchCatalog catalog_;
  const AccountId ada_ = catalog_.add_account("ada").id;
  std::optional<Mounts> mounts_;
  storage::MemoryBackend tree_;
  HookedBackend backend_{tree_};
  std::optional<FolderChanges> changes_;
};

TEST_F(FolderChangesTest, AServerIsAskedOnceAndBeforeAnyLock) {
  ResolvedPath from = place("docs");
  from.mount.emplace();
  from.mount->kind = catalog::ConnectorKind::sftp;
  int asked = 0;
  asio::io_context others;
  backend_.hooks.before = [&](std::string_view call, const Path& at) {
    if (call != "canonical" || at.str() != "docs") return std::optional<Error>();
    ++asked;
    bool has_lock = false;
    const auto ask = [&]() -> Task<void> {
      const auto lock = co_await changes_->lock_for_new_key(ada_, path("docs"));
      has_lock = true;
    };
    asio::co_spawn(others, ask, asio::detached);
    others.restart();
    others.poll();
    EXPECT_TRUE(has_lock);
    return std::optional<Error>();
  };
  const auto move = [&]() -> Task<Result<void>> {
    CO_TRY(auto change, co_await changes_->begin_move(ada_, from, place("papers"),
                                                      Name::parse("aside").value()));
    co_await change.follow();
    co_return Result<void>{};
  };
  EXPECT_TRUE(run(move()));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(scope(1), "papers");
}

TEST_F(FolderChangesTest, KeysFollowARenameAndEndWithADeletion) {
  ASSERT_TRUE(rename("docs", "papers"));
  expect_scopes("papers", "papers/sub");
  ASSERT_TRUE(remove("papers/sub"));
  expect_scopes("papers", "revoked");
  EXPECT_EQ(audited_revocations(), 0U);
}

TEST_F(FolderChangesTest, ARefusedChangeLeavesTheKeys) {
  refuse("rename", ErrorCode::exists);
  EXPECT_FALSE(rename("docs", "papers"));
  refuse("remove", ErrorCode::forbidden);
  EXPECT_FALSE(remove("docs"));
  expect_scopes("docs", "docs/sub");
}

TEST_F(FolderChangesTest, AnOutageLeavesTheKeysWhereInodesTellFoldersApart) {
  refuse("rename", ErrorCode::timed_out);
  EXPECT_FALSE(rename("docs", "papers"));
  expect_scopes("docs", "docs/sub");
}

TEST_F(FolderChangesTest, AnOutageRevokesTheKeysWhereNothingTellsFoldersApart) {
  hide_inodes();
  for (const ErrorCode code : {ErrorCode::unavailable, ErrorCode::timed_out}) {
    refuse("rename", code);
    EXPECT_FALSE(rename("docs", "papers"));
    expect_scopes("revoked", "revoked");
    add_key(1, "docs");
    add_key(2, "docs/sub");
  }
  EXPECT_EQ(audited_revocations(), 4U);
}

TEST_F(FolderChangesTest, ADeletionThatGotHalfWayRevokesTheKeysOfFoldersThatAreGone) {
  hide_inodes();
  backend_.hooks.before = [this](std::string_view call, const Path&) -> std::optional<Error> {
    if (call != "remove") return std::nullopt;
    EXPECT_TRUE(run(tree_.remove(path("docs/sub"))));
    return Error{ErrorCode::forbidden, "refused"};
  };
  EXPECT_FALSE(remove("docs"));
  expect_scopes("docs", "revoked");
  EXPECT_EQ(audited_revocations(), 1U);
}

TEST_F(FolderChangesTest, AnotherFolderThatHasTheNameAfterAFailureIsNotTheKeys) {
  backend_.hooks.before = [this](std::string_view call, const Path&) -> std::optional<Error> {
    if (call != "rename") return std::nullopt;
    EXPECT_TRUE(run(tree_.rename(path("docs"), path("papers"))));
    EXPECT_TRUE(run(tree_.make_folder(path("docs/sub"))));
    return Error{ErrorCode::failed, "broken"};
  };
  EXPECT_FALSE(rename("docs", "papers"));
  expect_scopes("revoked", "revoked");
}

TEST_F(FolderChangesTest, AChangeDoesNotBeginWhereTheServerIsAway) {
  refuse("stat", ErrorCode::unavailable);
  const auto removed = remove("docs");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, ErrorCode::unavailable);
  expect_scopes("docs", "docs/sub");
}

TEST_F(FolderChangesTest, AChangeThatIsDestroyedBeforeItsEndRevokesItsKeys) {
  ASSERT_TRUE(run(begin_and_start(place("docs"), nullptr)));
  expect_scopes("revoked", "revoked");
  EXPECT_EQ(audited_revocations(), 2U);
}

/// What is logged while this exists.
class LoggedLines {
 public:
  LoggedLines() {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
  }
  ~LoggedLines() { spdlog::set_default_logger(before_); }
  LoggedLines(const LoggedLines&) = delete;
  LoggedLines& operator=(const LoggedLines&) = delete;

  bool has(std::string_view part) const { return text_.str().contains(part); }

 private:
  std::ostringstream text_;
  const std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
};

TEST_F(FolderChangesTest, TheLogSaysWhetherAKeyOrAShareWasCutOff) {
  const AccountId bob = catalog_.add_account("bob").id;
  catalog::NewPersonShare wanted;
  wanted.key.account = ada_;
  wanted.key.folder = path("docs/sub");
  wanted.key.hash = hash_of(9);
  wanted.is_folder = true;
  wanted.receivers = {{catalog::Receiver::Kind::account, "bob"}};
  const auto share = run(catalog_->people_shares().create(std::move(wanted))).value().share.id;
  const LoggedLines lines;
  ASSERT_TRUE(run(begin_and_start(place("docs/sub"), nullptr)));
  expect_scopes("docs", "revoked");
  EXPECT_TRUE(run(mounts_->of(bob)).value().empty());
  EXPECT_TRUE(lines.has("share " + share.value + " of account ada ended: its item \"docs/sub\""));
  EXPECT_FALSE(lines.has("key " + share.value));
  EXPECT_TRUE(lines.has("of account ada was revoked: its folder \"docs/sub\""));
}

TEST_F(FolderChangesTest, AStartRevokesTheKeysOfChangesThatWereCutOff) {
  FolderChanges next(*catalog_, *mounts_);
  ASSERT_TRUE(run(begin_and_start(place("docs/sub"), &next)));
  expect_scopes("docs", "revoked");
  EXPECT_EQ(audited_revocations(), 1U);
  ASSERT_TRUE(run(next.revoke_interrupted()));
  expect_scopes("docs", "revoked");
}

}  // namespace
}  // namespace coffer::core
