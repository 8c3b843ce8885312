#include "backends/local/testing/local_fixture.h"
#include "storage/writer.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

Path path_of(std::string_view text) {
  return Path::parse(text).value();
}

/// Two shared folders, of which one is in the other.
class OverlapTest : public LocalFixture, public testing::WithParamInterface<KindOfDisk> {
 protected:
  OverlapTest() {
    options_.durable = true;
    store_options_.allowed = GetParam().allowed;
    reopen();
    fs::create_directories(root() / "sub/below");
    outer_ = share(root());
    inner_ = share(root() / "sub");
  }

  std::unique_ptr<LocalBackend> share(const fs::path& folder) {
    LocalOptions options = this->options();
    options.root = folder;
    options.collects = Collects::in_root;
    return LocalBackend::open(options, store()).value();
  }
  static std::vector<std::unique_ptr<storage::Writer>> written(LocalBackend& backend,
                                                               std::string_view name,
                                                               std::size_t bytes) {
    std::vector<std::unique_ptr<storage::Writer>> writers;
    writers.push_back(run(backend.create(path_of(name), {})).value());
    const std::vector<std::byte> content(bytes);
    EXPECT_TRUE(run(writers[0]->write(content)));
    return writers;
  }

  std::unique_ptr<LocalBackend> outer_;
  std::unique_ptr<LocalBackend> inner_;
};

TEST_P(OverlapTest, NothingGoesToAFolderThatWasTakenAway) {
  for (const bool is_moved : {true, false}) {
    for (const std::size_t bytes : {10U, 10'000'000U}) {
      auto writers = written(*inner_, "new", bytes);
      auto below = written(*inner_, "below/new", bytes);
      if (is_moved) {
        ASSERT_TRUE(run(outer_->rename(path_of("sub"), path_of("moved"))));
      } else {
        ASSERT_TRUE(run(outer_->remove(path_of("sub"))));
      }
      const auto refusal = [](const auto& result) {
        return result ? std::optional<ErrorCode>() : result.error().code;
      };
      EXPECT_EQ(refusal(run(inner_->publish(writers, UINT64_MAX))), ErrorCode::not_found);
      EXPECT_EQ(refusal(run(inner_->publish(below, UINT64_MAX))), ErrorCode::not_found);
      EXPECT_EQ(refusal(run(inner_->make_folder(path_of("made")))), ErrorCode::not_found);
      EXPECT_EQ(refusal(run(inner_->rename(path_of("below"), path_of("other")))),
                ErrorCode::not_found);
      EXPECT_EQ(refusal(run(inner_->copy(path_of("below"), path_of("other"), {}))),
                ErrorCode::not_found);
      EXPECT_EQ(refusal(run(inner_->remove(path_of("below")))), ErrorCode::not_found);
      writers.clear();
      below.clear();
      if (is_moved) {
        EXPECT_TRUE(fs::is_empty(root() / "moved/below"));
        fs::rename(root() / "moved", root() / "sub");
      } else {
        fs::create_directories(root() / "sub/below");
        inner_ = share(root() / "sub");
      }
    }
  }
}

TEST_P(OverlapTest, WhatStandsIsChangedThroughEither) {
  auto writers = written(*inner_, "below/new", 10);
  ASSERT_TRUE(run(inner_->publish(writers, UINT64_MAX)));
  ASSERT_TRUE(run(outer_->rename(path_of("sub/below"), path_of("sub/other"))));
  EXPECT_TRUE(run(inner_->stat(path_of("other/new"))));
  EXPECT_EQ(run(inner_->remove(path_of("other"))).value().bytes, 10U);
  EXPECT_FALSE(run(outer_->stat(path_of("sub/other"))));
}

INSTANTIATE_TEST_SUITE_P(Disks, OverlapTest, kinds_of_disks(), &name_of_disk);

}  // namespace
}  // namespace coffer::local
