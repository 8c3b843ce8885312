#include <atomic>
#include <thread>

#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 20;

template <class F>
void in_threads(F work) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
}

TEST_P(BackendConformance, ReadersSeeOldOrNewContentWhileItIsReplaced) {
  const auto content = [](int round) { return std::string(5000, static_cast<char>('a' + round)); };
  write("file", content(0));
  const Path path = path_of("file");
  std::atomic<bool> done = false;
  std::atomic<int> mixtures = 0;
  std::jthread reader([&] {
    while (!done) {
      const auto seen = download(backend(), path);
      // A backend that cannot keep what it opened may fail, but never mix.
      if (!seen) continue;
      if (seen->size() != 5000 || seen->find_first_not_of(seen->front()) != std::string::npos) {
        ++mixtures;
      }
    }
  });
  for (int round = 1; round <= kRounds; ++round) write("file", content(round));
  done = true;
  reader.join();
  EXPECT_EQ(mixtures, 0);
}

TEST_P(BackendConformance, OneOfManyThatRefuseATakenNameWins) {
  std::atomic<int> won = 0;
  std::atomic<int> lost = 0;
  const Path path = path_of("file");
  in_threads([&](int) {
    const auto published = upload(backend(), path, "x", {.if_taken = storage::IfTaken::refuse});
    if (published) ++won;
    if (code_of(published) == ErrorCode::exists) ++lost;
  });
  EXPECT_EQ(won, 1);
  EXPECT_EQ(won + lost, kThreads);
}

TEST_P(BackendConformance, OneOfManyThatRemoveWins) {
  make_folder("folder");
  write("folder/file", "12345");
  std::atomic<int> won = 0;
  std::atomic<std::uint64_t> bytes = 0;
  const Path path = path_of("folder");
  in_threads([&](int) {
    if (const auto removed = run(backend().remove(path))) {
      ++won;
      bytes += removed->bytes;
    }
  });
  EXPECT_EQ(won, 1);
  EXPECT_EQ(bytes, 5U);
}

TEST_P(BackendConformance, ManyReplacementsAddUp) {
  std::atomic<std::int64_t> total = 0;
  const Path path = path_of("file");
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const std::string content(static_cast<std::size_t>(thread * 100 + round), 'x');
      const auto published = upload(backend(), path, content);
      if (!published) continue;
      total += static_cast<std::int64_t>(published->at(0).size_bytes);
      total -= static_cast<std::int64_t>(published->at(0).replaced_bytes);
    }
  });
  EXPECT_EQ(static_cast<std::uint64_t>(total), run(backend().measure(path))->bytes);
}

}  // namespace
}  // namespace coffer::conformance
