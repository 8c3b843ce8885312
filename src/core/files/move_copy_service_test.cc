#include "core/files/move_copy_service.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/hooked_backend.h"
#include "core/testing/no_backends.h"
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

  static Path name() { return Path::parse("file").value(); }
  ResolvedPath place(storage::Backend& backend) {
    ResolvedPath place;
    place.backend = std::shared_ptr<storage::Backend>(std::shared_ptr<void>(), &backend);
    place.whole_backend = &backend;
    place.path = name();
    return place;
  }
  Result<void> move() {
    Principal principal;
    principal.account = account_;
    MoveCopyRequest request{place(own_), place(other_), false};
    request.from.quota_account = account_;
    std::optional<Result<void>> moved;
    asio::co_spawn(context_, service_.move(principal, std::move(request)),
                   [&](std::exception_ptr, Result<void> result) { moved = std::move(result); });
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
  Mounts mounts_{catalog_->mounts(), no_backends_};
  AccessRecheck access_recheck_{*catalog_, mounts_};
  FolderChanges folder_changes_{*catalog_, mounts_};
  Background background_{context_.get_executor()};
  TaskRunner task_runner_{catalog_->tasks(), background_};
  NoRelief relief_;
  MoveCopyService service_{mounts_, access_recheck_,
                           Quota{catalog_->ledger(), background_, relief_}, task_runner_,
                           folder_changes_};
};

TEST_F(MoveCopyServiceTest, WhatLeftADiskThatFailsThenCountsNoMore) {
  EXPECT_EQ(move().error().code, ErrorCode::failed);
  EXPECT_TRUE(run(inner_.list(Path())).value().empty());
  EXPECT_TRUE(run(other_.stat(name())));
  EXPECT_EQ(used_bytes(), 0u);
}

}  // namespace
}  // namespace coffer::core
