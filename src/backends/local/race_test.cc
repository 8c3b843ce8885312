#include <atomic>
#include <mutex>
#include <thread>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

class Races : public LocalFixture, public testing::WithParamInterface<KindOfDisk> {
 protected:
  Races() {
    store_options_.allowed = GetParam().allowed;
    reopen();
  }
};

constexpr int kThreads = 4;

template <class F>
void in_threads(F work) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
}

TEST_P(Races, AReaderSeesTheOldContentOrTheNew) {
  const auto content = [](int round) {
    return std::string(9000, static_cast<char>('a' + round % 26));
  };
  const Path path = path_of("file");
  ASSERT_TRUE(upload(backend(), path, content(0)));
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int round = 1; round < 300; ++round) {
      EXPECT_TRUE(upload(backend(), path, content(round)));
    }
    done = true;
  });
  while (!done) {
    const auto seen = download(backend(), path);
    ASSERT_TRUE(seen);
    ASSERT_EQ(*seen, std::string(9000, seen->front()));
  }
}

TEST_P(Races, EveryAcknowledgedFileIsThereOrWasCountedInARemoval) {
  fs::create_directories(root() / "a/b");
  std::atomic<std::uint64_t> acknowledged = 0;
  std::atomic<std::uint64_t> removed = 0;
  const Path folder = path_of("a/b");
  const Path above = path_of("a");
  const Path elsewhere = path_of("elsewhere");
  in_threads([&](int thread) {
    for (int round = 0; round < 150; ++round) {
      if (thread == 0) {
        const Path& victim = round % 3 == 0 ? above : round % 3 == 1 ? folder : elsewhere;
        if (const auto gone = run(backend().remove(victim))) removed += gone->bytes;
        (void)run(backend().make_folder(folder));
      } else if (thread == 1) {
        (void)run(backend().rename(above, elsewhere));
        (void)run(backend().make_folder(folder));
      } else {
        const Path file = path_of("a/b/" + std::to_string(thread) + '-' + std::to_string(round));
        const std::string content(static_cast<std::size_t>(round + 1), 'x');
        if (upload(backend(), file, content)) acknowledged += content.size();
      }
    }
  });
  const Path root;
  EXPECT_GT(acknowledged, 0U);
  EXPECT_EQ(acknowledged, removed + run(backend().measure(root))->bytes);
}

TEST_P(Races, GrowthNeverPassesTheLimit) {
  // A caller that hands out the room as the quota's ledger does.
  constexpr std::uint64_t kLimit = 20'000;
  std::mutex ledger;
  std::uint64_t used = 0;
  in_threads([&](int thread) {
    for (int round = 0; round < 100; ++round) {
      const std::string content(static_cast<std::size_t>(1 + (thread * 977 + round * 131) % 3000),
                                'x');
      const Path file = path_of("f" + std::to_string((thread + round) % 12));
      if (round % 5 == 4) {
        const std::lock_guard lock(ledger);
        if (const auto gone = run(backend().remove(file))) used -= gone->bytes;
        continue;
      }
      auto writer = finished(backend(), file, content);
      const std::lock_guard lock(ledger);
      const auto published = publish(backend(), writer, kLimit - used);
      if (!published) {
        EXPECT_EQ(code_of(published), ErrorCode::over_quota);
        continue;
      }
      used = used + published->at(0).size_bytes - published->at(0).replaced_bytes;
      EXPECT_LE(used, kLimit);
    }
  });
  const Path root;
  EXPECT_EQ(run(backend().measure(root))->bytes, used);
}

/// Publishes and removes few files in many threads, and compares the sums.
class SizeRaces : public Races {
 protected:
  void check_sums();
};

void SizeRaces::check_sums() {
  std::atomic<std::int64_t> used = 0;
  in_threads([&](int thread) {
    for (int round = 0; round < 200; ++round) {
      const Path file = path_of("f" + std::to_string(round % 3));
      if ((round + thread) % 4 == 0) {
        const auto gone = run(backend().remove(file));
        if (gone) used -= static_cast<std::int64_t>(gone->bytes);
        continue;
      }
      const std::string content(static_cast<std::size_t>(thread * 1000 + round), 'x');
      const auto published = upload(backend(), file, content);
      ASSERT_TRUE(published);
      used += static_cast<std::int64_t>(published->at(0).size_bytes);
      used -= static_cast<std::int64_t>(published->at(0).replaced_bytes);
    }
  });
  const Path root;
  EXPECT_EQ(run(backend().measure(root))->bytes, static_cast<std::uint64_t>(used));
}

TEST_P(SizeRaces, AddUpUnderManyPublishersAndRemovers) {
  check_sums();
}

INSTANTIATE_TEST_SUITE_P(Disks, SizeRaces, kinds_of_disks(), &name_of_disk);

class DurableSizeRaces : public SizeRaces {};

TEST_P(DurableSizeRaces, AddUpToo) {
  options_.durable = true;
  reopen();
  check_sums();
}

INSTANTIATE_TEST_SUITE_P(Disks, DurableSizeRaces, testing::Values(KindOfDisk{"All", {}}),
                         &name_of_disk);

TEST_P(Races, DurableUploadsIntoOneFolderShareItsSync) {
  options_.durable = true;
  reopen();
  in_threads([&](int thread) {
    for (int round = 0; round < 10; ++round) {
      const Path file = path_of(std::to_string(thread) + '-' + std::to_string(round));
      EXPECT_TRUE(upload(backend(), file, "durable"));
    }
  });
  EXPECT_EQ(names(backend()).size(), 40U);
}

INSTANTIATE_TEST_SUITE_P(Disks, Races, kinds_of_disks(), &name_of_disk);

}  // namespace
}  // namespace coffer::local
