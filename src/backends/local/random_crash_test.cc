#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <random>
#include <thread>

#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "backends/local/log_recovery.h"
#include "backends/local/testing/crash_fixture.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// Random changes with a crash now and then, which takes whatever the log has to bring back.
class RandomCrashes : public Logged, public testing::WithParamInterface<unsigned> {
 protected:
  using Tree = std::map<std::string, std::string>;  ///< Files with their content; folders end in /.

  /// Changes at random.
  class Changes {
   public:
    Changes(LocalBackend& backend, LocalBackend& inner, unsigned seed)
        : backend_(backend), inner_(inner), random_(seed) {}

    std::size_t below(std::size_t count) { return random_() % count; }
    void step() {
      LocalBackend& backend = below(3) == 0 ? inner_ : backend_;
      const Path path = path_of(any_path());
      const Path other = path_of(any_path());
      const auto kind = below(10);
      if (kind < 5) {
        (void)upload(backend, path, std::to_string(random_()));
      } else if (kind < 6) {
        (void)run(backend.make_folder(path));
      } else if (kind < 8) {
        (void)run(backend.rename(path, other));
      } else {
        (void)run(backend.remove(path));
      }
    }

   private:
    std::string any_name() { return std::string(1, static_cast<char>('a' + below(4))); }
    std::string any_path() { return below(2) == 0 ? any_name() : any_name() + '/' + any_name(); }

    LocalBackend& backend_;
    LocalBackend& inner_;  ///< Of a folder in the other's root.
    std::mt19937 random_;
  };

  /// One that holds the folder `a` as its root, unless that goes.
  std::unique_ptr<LocalBackend> open_inner() {
    if (!fs::is_directory(root() / "a")) fs::remove(root() / "a");
    fs::create_directories(root() / "a");
    LocalOptions inner = options();
    inner.root = root() / "a";
    return LocalBackend::open(inner, store()).value();
  }

  Tree tree() const {
    Tree found;
    for (const auto& item : fs::recursive_directory_iterator(root())) {
      const auto path = fs::relative(item.path(), root()).string();
      item.is_directory() ? found[path + '/'] = "" : found[path] = content_of(path);
    }
    return found;
  }

  /// What a disk may have lost: every file that is in the log.
  void damage() {
    const Handle folder(::open(logs().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::vector<LogFrame> frames;
    for (const char* name : kLogNames) {
      auto content = LogFile::read(folder.get(), name);
      if (content) std::ranges::move(content->frames, std::back_inserter(frames));
    }
    std::ranges::sort(frames, {}, &LogFrame::sequence);
    std::map<std::string, std::uint64_t> logged;
    for (const LogFrame& frame : frames) {
      RecordScan scan(frame.payload);
      while (const auto record = scan.next()) {
        if (record->kind == LogRecord::Kind::content) {
          logged[std::string(record->path)] = record->sequence;
          continue;
        }
        std::erase_if(logged, [&](const auto& file) {
          return file.second <= record->sequence && is_at_or_beneath(file.first, record->path);
        });
      }
    }
    for (const auto& [path, sequence] : logged) {
      const auto in_root = fs::path(path).lexically_relative("root").string();
      if (in_root.starts_with("..")) continue;  // In a folder that was removed.
      ASSERT_TRUE(fs::is_regular_file(top() / path)) << path << " is in the log, but not there";
      sequence % 2 == 0 ? tear(in_root) : static_cast<void>(fs::remove(top() / path));
      ++damaged_;
    }
  }

  int damaged_ = 0;
};

TEST_P(RandomCrashes, LoseNothingThatWasAcknowledged) {
  for (unsigned crashes = 0; crashes < 20; ++crashes) {
    auto inner = open_inner();
    Changes changes(backend(), *inner, GetParam() * 1000 + crashes);
    for (auto steps = changes.below(40); steps > 0; --steps) changes.step();
    inner.reset();
    const Tree before = tree();
    crash([&] { damage(); });
    ASSERT_EQ(tree(), before);
  }
  EXPECT_GT(damaged_, 3);
}

TEST_P(RandomCrashes, LoseNothingOfWhatManyDidAtOnce) {
  for (unsigned crashes = 0; crashes < 5; ++crashes) {
    if (GetParam() % 2 == 0) {
      store_options_.checkpoint_after = std::chrono::milliseconds(1);
      reopen();
    }
    auto inner = open_inner();
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, seed = (GetParam() * 1000 + crashes) * 10 + thread] {
          Changes changes(backend(), *inner, seed);
          for (int steps = 0; steps < 50; ++steps) changes.step();
        });
      }
    }
    inner.reset();
    const Tree before = tree();
    crash([&] { damage(); });
    ASSERT_EQ(tree(), before);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCrashes, testing::Range(1U, 6U));

}  // namespace
}  // namespace coffer::local
