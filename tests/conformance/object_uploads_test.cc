#include <gtest/gtest.h>

#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <random>
#include <thread>

#include "async/run.h"
#include "async/suspend.h"
#include "backends/objects/object_backend.h"
#include "backends/objects/object_spool.h"
#include "backends/objects/testing/memory_blobs.h"
#include "catalog/catalog.h"
#include "catalog/object_names.h"
#include "catalog/upload_segments.h"
#include "core/testing/no_backends.h"
#include "core/uploads/resumable_uploads.h"
#include "sql/testing/postgres_server.h"

// Uploads in several requests to servers that share a catalog and a store of objects.

namespace coffer {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMiB = 1 << 20;

/// The homes of accounts, as trees of a store of objects.
class ObjectHomes final : public core::HomeDirectories {
 public:
  ObjectHomes(catalog::Catalog& catalog, objects::Blobs& blobs)
      : catalog_(catalog), blobs_(blobs) {}
  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) override {
    return std::make_shared<objects::ObjectBackend>(catalog_.object_names(), blobs_,
                                                    storage::NameTreeId{account.id.value});
  }
  Task<Result<void>> make(const catalog::Account& account) override {
    return catalog_.object_names().make_tree({account.id.value}, account.home);
  }
  Result<void> purge(const catalog::Account& /*account*/) override { return {}; }

 private:
  catalog::Catalog& catalog_;
  objects::Blobs& blobs_;
};

class NoRelief final : public core::QuotaRelief {
 public:
  Task<std::uint64_t> freeable_bytes(AccountId /*account*/) override { co_return 0; }
  Task<bool> free_up(AccountId /*account*/, std::uint64_t /*bytes*/) override { co_return false; }
};

/// The parts of a server that uploads need.
class Server {
 public:
  Server(std::unique_ptr<catalog::Catalog> opened, objects::Blobs& blobs)
      : catalog(std::move(opened)),
        homes(*catalog, blobs),
        spool({catalog->object_names(), catalog->upload_segments(), blobs}) {
    run(catalog->ledger().begin_run(fmt::format("tag{}", ++last_tag_))).value();
  }
  ~Server() {
    EXPECT_TRUE(run(background.join(20s)));
    threads_.join();
  }

  std::unique_ptr<catalog::Catalog> catalog;
  ObjectHomes homes;
  objects::ObjectSpool spool;

 private:
  static inline int last_tag_ = 0;
  asio::thread_pool threads_{1};
  core::NoBackends backends_;
  core::Mounts mounts_{catalog->mounts(), backends_, homes};
  NoRelief relief_;
  core::AccountBytes loans_;
  core::MountRoom room_{catalog->uploads(), []() -> Task<Result<std::uint64_t>> { co_return 0; },
                        0};
  core::FolderChanges folder_changes_{*catalog, mounts_};
  core::WorkPools pools_{2};

 public:
  core::Background background{threads_.get_executor()};
  const core::Quota quota{catalog->ledger(), background, relief_, loans_, room_};
  core::ResumableUploads uploads{*catalog, homes, mounts_, quota, folder_changes_, pools_, spool};
};

/// Bytes that differ from place to place.
std::vector<std::byte> bytes_of(std::uint64_t begin, std::uint64_t end) {
  std::vector<std::byte> bytes(end - begin);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t at = begin + i;
    bytes[i] = static_cast<std::byte>((at / 251 + at % 251 * 7 + at / 65521) & 255U);
  }
  return bytes;
}

/// A body of these bytes, in blocks. At `waits_at` bytes it waits until `go_on`.
class Body final : public core::UploadSource {
 public:
  Body(std::uint64_t begin, std::uint64_t end) : bytes_(bytes_of(begin, end)) {}

  Task<Result<std::span<const std::byte>>> read() override {
    if (read_bytes_ >= waits_at) {
      co_await suspend([this](Resume resume) {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(resume);
        is_waiting_ = true;
        changed_.notify_all();
      });
      waits_at = UINT64_MAX;
    }
    const auto count = std::min<std::size_t>(bytes_.size() - read_bytes_, 300'000);
    read_bytes_ += count;
    co_return std::span<const std::byte>(bytes_).subspan(read_bytes_ - count, count);
  }
  std::optional<std::uint64_t> length() const override { return bytes_.size(); }
  void interrupt() override {}

  void wait_until_waiting() {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(changed_.wait_for(lock, 20s, [this] { return is_waiting_; }));
  }
  void go_on() {
    Resume resume;
    {
      const std::lock_guard lock(mutex_);
      resume = std::exchange(waiting_, {});
    }
    resume();
  }

  std::uint64_t waits_at = UINT64_MAX;

 private:
  const std::vector<std::byte> bytes_;
  std::size_t read_bytes_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_waiting_ = false;
  Resume waiting_;
};

class ObjectUploadsTest : public testing::Test {
 protected:
  void SetUp() override {
    one_ = start("one");
    two_ = start("two");
    catalog::NewAccount wanted{"ada", "", catalog::Role::user, 0, ""};
    const auto account = run(one_->catalog->accounts().add(std::move(wanted))).value();
    ASSERT_TRUE(run(one_->homes.make(account)));
    ada_.account = std::make_shared<const catalog::Account>(account);
  }
  std::unique_ptr<Server> start(const std::string& name) {
    return std::make_unique<Server>(catalog::Catalog::open_shared(url_, name).value(), blobs_);
  }
  UploadId create(Server& server, std::uint64_t length) {
    core::NewUpload wanted;
    wanted.name = "file";
    wanted.length_bytes = length;
    return run(server.uploads.create(ada_, wanted)).value().id;
  }
  Result<core::UploadAnswer> append(Server& server, const UploadId& id, std::uint64_t begin,
                                    std::uint64_t end) {
    Body body(begin, end);
    return run(server.uploads.append(ada_, id, begin, {}, body));
  }
  core::UploadAnswer status(Server& server, const UploadId& id) {
    return run(server.uploads.status(ada_, id)).value();
  }
  std::vector<std::byte> content(Server& server) {
    const auto backend = server.homes.of(*ada_.account).value();
    const auto reader = run(backend->open(Path::parse("file").value())).value();
    std::vector<std::byte> all(reader->entry().size_bytes);
    for (std::size_t filled = 0; filled < all.size();) {
      filled += run(reader->read(filled, std::span(all).subspan(filled))).value();
    }
    return all;
  }
  /// Nothing is left of uploads, and no object is lost or forgotten.
  void expect_whole(Server& server, std::uint64_t length) {
    EXPECT_EQ(content(server), bytes_of(0, length));
    EXPECT_TRUE(run(server.catalog->upload_segments().uploads()).value().empty());
    const auto usage = run(server.catalog->ledger().usage(ada_.account->id)).value();
    EXPECT_EQ(usage.used_bytes, length);
    EXPECT_EQ(usage.reserved_bytes, 0U);
    const auto opened = run(
        server.catalog->object_names().open({ada_.account->id.value}, Path::parse("file").value()));
    const auto garbage = run(server.catalog->object_names().garbage(0s, 10'000)).value();
    for (const auto& segment : opened.value().content->segments) {
      EXPECT_TRUE(blobs_.contains({segment.object}));
      EXPECT_EQ(std::ranges::find(garbage, segment.object), garbage.end());
    }
  }

  const std::string url_ = sql::PostgresServer::shared().make_database();
  objects::MemoryBlobs blobs_;
  std::unique_ptr<Server> one_;
  std::unique_ptr<Server> two_;
  core::Principal ada_;
};

TEST_F(ObjectUploadsTest, ServersGoOnWithEachOthersUploads) {
  const std::uint64_t length = 30 * kMiB + 777;
  const UploadId id = create(*one_, length);
  std::mt19937_64 random(1);
  std::uint64_t offset = 0;
  while (offset < length) {
    Server& server = random() % 2 == 0 ? *one_ : *two_;
    const std::uint64_t most = random() % 3 == 0 ? 10 * kMiB : 400'000;
    const std::uint64_t end = std::min(length, offset + 1 + random() % most);
    const auto answer = append(server, id, offset, end);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->refusal, core::UploadRefusal::none);
    ASSERT_EQ(answer->status.offset, end);
    offset = end;
    Server& other = random() % 2 == 0 ? *one_ : *two_;
    ASSERT_EQ(status(other, id).status.offset, end);
  }
  expect_whole(*two_, length);
}

TEST_F(ObjectUploadsTest, AWaitingRequestEndsAtItsNextNote) {
  const UploadId id = create(*one_, 20 * kMiB);
  ASSERT_TRUE(append(*one_, id, 0, 2 * kMiB));
  Body slow(2 * kMiB, 20 * kMiB);
  slow.waits_at = 9 * kMiB;
  Result<core::UploadAnswer> ended;
  std::thread waiting([&] { ended = run(one_->uploads.append(ada_, id, 2 * kMiB, {}, slow)); });
  slow.wait_until_waiting();
  EXPECT_EQ(status(*two_, id).status.offset, 2 * kMiB);
  ASSERT_TRUE(append(*two_, id, 2 * kMiB, 3 * kMiB));
  slow.go_on();
  waiting.join();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::conflict);
  EXPECT_EQ(status(*one_, id).status.offset, 3 * kMiB);
  ASSERT_TRUE(append(*one_, id, 3 * kMiB, 20 * kMiB));
  expect_whole(*one_, 20 * kMiB);
}

TEST_F(ObjectUploadsTest, RequestsToBothAtOnceTearNothing) {
  const std::uint64_t length = 12 * kMiB + 5;
  const UploadId id = create(*one_, length);
  const auto send = [&](Server& server, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uint64_t offset = 0;
    for (int tries = 0; offset < length; ++tries) {
      if (tries == 3000) {
        ADD_FAILURE() << "It does not come to an end.";
        return;
      }
      const std::uint64_t end = std::min(length, offset + 1 + random() % kMiB);
      const auto answer = append(server, id, offset, end);
      if (answer && answer->refusal == core::UploadRefusal::none) {
        EXPECT_EQ(answer->status.offset >= end, true);
        offset = answer->status.offset;
        continue;
      }
      if (!answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::conflict) << answer.error().message;
      }
      const auto now = status(server, id);
      if (now.refusal == core::UploadRefusal::none) offset = now.status.offset;
    }
  };
  std::thread first([&] { send(*one_, 1); });
  std::thread second([&] { send(*two_, 2); });
  first.join();
  second.join();
  expect_whole(*one_, length);
}

TEST_F(ObjectUploadsTest, ADeadServersUploadGoesOn) {
  const UploadId id = create(*one_, 20 * kMiB);
  ASSERT_TRUE(append(*one_, id, 0, 9 * kMiB));
  one_.reset();  // Its run stays in the catalog.
  ASSERT_TRUE(append(*two_, id, 9 * kMiB, 20 * kMiB));
  expect_whole(*two_, 20 * kMiB);
}

/// The first server dies while it publishes an upload.
class ObjectPublicationTest : public ObjectUploadsTest {
 protected:
  static constexpr std::uint64_t kLength = 9 * kMiB;

  /// All that it does before `is_shown`, or before the end of the publication is noted.
  UploadId die(bool is_shown) {
    UploadId id = create(*one_, kLength);
    EXPECT_TRUE(append(*one_, id, 0, kLength - 1));
    auto& uploads = one_->catalog->uploads();
    const auto held = run(uploads.take(ada_.account->id, id)).value().value().held();
    Pool pool{1};
    const auto file = run(one_->spool.open(held, kLength - 1, pool)).value();
    const auto last = bytes_of(kLength - 1, kLength);
    EXPECT_TRUE(run(file->append(last)));
    EXPECT_TRUE(run(file->sync()));
    EXPECT_TRUE(run(uploads.begin_finishing(ada_.account->id, held, "file")));
    if (is_shown) show(*file);
    one_.reset();
    end_run_of_the_dead();
    return id;
  }
  void show(storage::SpoolFile& file) {
    const auto backend = one_->homes.of(*ada_.account).value();
    const auto writer = run(backend->create(Path::parse("file").value(), {})).value();
    EXPECT_EQ(run(writer->adopt(file)), Result<bool>(true));
    EXPECT_TRUE(run(backend->publish(std::span(&writer, 1), UINT64_MAX)));
  }
  void end_run_of_the_dead() {
    auto time = std::chrono::steady_clock::now();
    const auto limit = time + 20s;
    while (run(two_->catalog->run_watch().look(time)) != 1) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
      time += catalog::RunWatch::kPeriod;
    }
  }
  std::uint64_t reserved() {
    return run(two_->catalog->ledger().usage(ada_.account->id)).value().reserved_bytes;
  }
};

TEST_F(ObjectPublicationTest, OneThatTookEffectIsFound) {
  const UploadId id = die(true);
  EXPECT_EQ(reserved(), kLength);
  const auto found = status(*two_, id);
  EXPECT_EQ(found.status.offset, kLength);
  EXPECT_EQ(reserved(), 0U);
  EXPECT_EQ(content(*two_), bytes_of(0, kLength));
  EXPECT_EQ(run(two_->catalog->ledger().uncounted()).value(), std::vector{ada_.account->id});
}

TEST_F(ObjectPublicationTest, OneWhoseFileIsGoneByNowIsFoundToo) {
  const UploadId id = die(true);
  ASSERT_TRUE(run(two_->homes.of(*ada_.account).value()->remove(Path::parse("file").value())));
  run(two_->uploads.reconcile_interrupted());
  EXPECT_EQ(status(*two_, id).status.offset, kLength);
}

TEST_F(ObjectPublicationTest, OneThatTookNoEffectIsTriedAgain) {
  const UploadId id = die(false);
  run(two_->uploads.reconcile_interrupted());
  EXPECT_EQ(status(*two_, id).status.offset, kLength - 1);
  EXPECT_EQ(reserved(), kLength);
  ASSERT_TRUE(append(*two_, id, kLength - 1, kLength));
  EXPECT_EQ(reserved(), 0U);
  EXPECT_EQ(content(*two_), bytes_of(0, kLength));
}

TEST_F(ObjectUploadsTest, AnUploadIsRemovedWithItsBytes) {
  const UploadId id = create(*one_, 20 * kMiB);
  ASSERT_TRUE(append(*one_, id, 0, 9 * kMiB));
  ASSERT_TRUE(run(two_->uploads.remove(ada_, id)));
  EXPECT_TRUE(run(two_->catalog->upload_segments().uploads()).value().empty());
  EXPECT_EQ(append(*one_, id, 9 * kMiB, 10 * kMiB).error().code, ErrorCode::not_found);
  // What lost its row alone is swept.
  const UploadId left = create(*one_, 20 * kMiB);
  ASSERT_TRUE(append(*one_, left, 0, 9 * kMiB));
  ASSERT_TRUE(run(one_->catalog->uploads().remove(
      ada_.account->id,
      run(one_->catalog->uploads().find(ada_.account->id, left)).value().held())));
  run(two_->uploads.sweep());
  EXPECT_TRUE(run(two_->catalog->upload_segments().uploads()).value().empty());
  EXPECT_EQ(run(two_->catalog->object_names().garbage(0s, 100)).value().size(), 4U);
}

TEST_F(ObjectUploadsTest, ARequestWithAWrongChecksumLeavesNothing) {
  const UploadId id = create(*one_, 20 * kMiB);
  ASSERT_TRUE(append(*one_, id, 0, 500'000));
  Body body(500'000, 18 * kMiB);
  const core::WantedChecksum wrong{core::DigestKind::sha1, std::string(20, 'x')};
  const auto refused = run(two_->uploads.append(ada_, id, 500'000, wrong, body));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, core::UploadRefusal::differs);
  EXPECT_EQ(status(*one_, id).status.offset, 500'000U);
  ASSERT_TRUE(append(*one_, id, 500'000, 20 * kMiB));
  expect_whole(*one_, 20 * kMiB);
}

TEST_F(ObjectUploadsTest, SmallAndEmptyFilesArePublished) {
  const UploadId id = create(*one_, 1000);
  ASSERT_TRUE(append(*one_, id, 0, 500));
  ASSERT_TRUE(append(*two_, id, 500, 1000));
  expect_whole(*two_, 1000);
  ASSERT_TRUE(run(one_->homes.of(*ada_.account).value()->remove(Path::parse("file").value())));
  ASSERT_TRUE(run(one_->catalog->ledger().record(ada_.account->id, 0, -1000)));
  create(*two_, 0);
  expect_whole(*two_, 0);
}

}  // namespace
}  // namespace coffer
