#include "core/uploads/upload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/system_executor.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/hooked_backend.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"
#include "core/versions/version_keeper.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kStep = 8 * kMiB;
constexpr std::uint64_t kVersion = 16 * kKiB;

/// Versions of 16 KiB each, which can only be freed.
class ManyVersions final : public storage::Versions {
 public:
  bool are_kept() const override { return true; }
  Task<Result<std::vector<storage::PastVersion>>> list(const Path&) override { co_return none(); }
  Task<Result<storage::VersionOfFile>> find(storage::VersionId) override { co_return none(); }
  Task<Result<std::unique_ptr<storage::Reader>>> open(storage::VersionId) override {
    co_return none();
  }
  Task<Result<storage::Restored>> restore(const Path&, storage::VersionId,
                                          const storage::WriteOptions&, storage::MayShow) override {
    co_return none();
  }
  Task<Result<std::uint64_t>> remove(const Path&, storage::VersionId, storage::MayShow) override {
    co_return none();
  }
  Task<Result<std::uint64_t>> total_bytes() override { co_return left; }
  Task<Result<std::uint64_t>> free_up(std::uint64_t bytes) override {
    ++calls;
    const std::uint64_t freed = std::min((bytes + kVersion - 1) / kVersion * kVersion, left);
    left -= freed;
    co_return freed;
  }
  Task<Result<storage::Expired>> expire(Timestamp) override { co_return storage::Expired(); }

  std::uint64_t left = 0;
  int calls = 0;  ///< Of `free_up`.

 private:
  static std::unexpected<Error> none() {
    return fail(ErrorCode::not_found, "There is no such version.");
  }
};

class HomeWithVersions final : public HookedBackend {
 public:
  using HookedBackend::HookedBackend;
  storage::Versions* versions() override { return &many; }

  ManyVersions many;
};

class EmptyBin final : public QuotaRelief {
 public:
  Task<std::uint64_t> freeable_bytes(AccountId) override { co_return 0; }
  Task<bool> free_up(AccountId, std::uint64_t) override { co_return false; }
};

/// An account whose quota is used up, in part by versions.
class UploadTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kQuota = 100 * kMiB;

  UploadTest() {
    catalog::NewAccount account;
    account.name = "ada";
    account.quota_bytes = kQuota;
    account_ = std::make_shared<const catalog::Account>(
        run(catalog_->accounts().add(std::move(account))).value());
    EXPECT_TRUE(run(catalog_->ledger().reserve(account_->id, kQuota)));
    EXPECT_TRUE(run(catalog_->ledger().record(account_->id, kQuota, kQuota)));
  }

  /// Uploads a file in blocks of 64 KiB. Its length is announced, or not.
  Result<void> upload(std::uint64_t bytes, bool is_announced) {
    ResolvedPath folder;
    folder.backend = home_;
    folder.whole_backend = home_.get();
    folder.quota_account = account_;
    Principal principal;
    principal.account = account_;
    Upload upload(principal, folder, quota_, access_recheck_, folder_changes_);
    TRY_VOID(run(upload.expect(is_announced ? std::optional(bytes) : std::nullopt)));
    TRY_VOID(run(upload.begin_file("file", {})));
    const std::vector<std::byte> block(64 * kKiB);
    for (std::uint64_t left = bytes; left > 0;) {
      const std::size_t size = std::min<std::uint64_t>(left, block.size());
      TRY_VOID(run(upload.write(std::span(block).first(size))));
      left -= size;
    }
    TRY([[maybe_unused]] const auto published, run(upload.publish()));
    return {};
  }
  ManyVersions& versions() { return home_->many; }

  catalog::ScratchCatalog catalog_;
  std::shared_ptr<const catalog::Account> account_;
  storage::MemoryBackend disk_;
  const std::shared_ptr<HomeWithVersions> home_ = std::make_shared<HomeWithVersions>(disk_);
  OneHome homes_{home_};
  EmptyBin bin_;
  VersionKeeper keeper_{*catalog_, homes_, bin_};
  NoBackends no_backends_;
  Mounts mounts_{catalog_->mounts(), no_backends_, homes_};
  AccessRecheck access_recheck_{*catalog_, mounts_};
  FolderChanges folder_changes_{*catalog_, mounts_};
  Background background_{asio::system_executor{}};
  AccountBytes loans_;
  MountRoom room_{catalog_->uploads(), {}, 1};
  const Quota quota_{catalog_->ledger(), background_, keeper_, loans_, room_};
};

TEST_F(UploadTest, VersionsGiveWayInSteps) {
  for (const bool is_announced : {true, false}) {
    versions().left = 40 * kMiB;
    versions().calls = 0;
    ASSERT_TRUE(upload(20 * kMiB, is_announced));
    EXPECT_LE(versions().calls, 3) << is_announced;
    const std::uint64_t freed = 40 * kMiB - versions().left;
    EXPECT_GE(freed, 20 * kMiB - kStep);
    EXPECT_LE(freed, 20 * kMiB + kStep + kVersion);
  }
}

TEST_F(UploadTest, NoMoreVersionsGoThanAnAnnouncedLengthNeeds) {
  versions().left = 40 * kMiB;
  ASSERT_TRUE(upload(kMiB, true));
  EXPECT_EQ(versions().calls, 1);
  EXPECT_EQ(versions().left, 39 * kMiB);
}

TEST_F(UploadTest, TheLastVersionsGoAtOnce) {
  versions().left = 2 * kMiB;
  ASSERT_TRUE(upload(kMiB, false));
  EXPECT_EQ(versions().calls, 1);
  EXPECT_EQ(versions().left, 0U);
}

TEST_F(UploadTest, VersionsStayIfTheyDoNotMakeEnoughRoom) {
  versions().left = kMiB;
  EXPECT_EQ(upload(20 * kMiB, true).error().code, ErrorCode::over_quota);
  EXPECT_EQ(versions().calls, 0);
}

}  // namespace
}  // namespace coffer::core
