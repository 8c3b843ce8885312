#include <fcntl.h>

#include "backends/local/local_spool.h"
#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

constexpr std::string_view kContent = "received";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class AdoptTest : public LocalFixture {
 protected:
  AdoptTest() : spool_(LocalSpool::open(top() / "uploads", true).value()) {}

  std::unique_ptr<storage::SpoolFile> received() {
    auto file = run(spool_->open({{"a"}}, 0, pool_)).value();
    EXPECT_TRUE(run(file->append(bytes_of(kContent))));
    EXPECT_TRUE(run(file->sync()));
    return file;
  }
  std::unique_ptr<storage::Writer> adopted(storage::SpoolFile& file,
                                           storage::WriteOptions options = {}) {
    auto writer = run(backend().create(path_of("file"), options)).value();
    const auto taken = run(writer->adopt(file));
    EXPECT_TRUE(taken && *taken);
    return writer;
  }
  bool is_spooled() const { return std::filesystem::exists(top() / "uploads/a"); }

  std::unique_ptr<LocalSpool> spool_;
};

TEST_F(AdoptTest, ItIsPublishedWithoutACopy) {
  const auto file = received();
  auto writer = adopted(*file);
  const auto published = publish(backend(), writer).value();
  EXPECT_EQ(published[0].size_bytes, kContent.size());
  const auto entry = run(backend().stat(path_of("file"))).value();
  EXPECT_TRUE(file->is_known_as(entry.file_id));
  EXPECT_EQ(content_of("file"), kContent);
  ASSERT_TRUE(run(spool_->remove("a", pool_)));
  EXPECT_EQ(content_of("file"), kContent);
  EXPECT_FALSE(is_spooled());
}

TEST_F(AdoptTest, ItTakesAnothersPlace) {
  put("file", "old");
  const auto file = received();
  auto writer = adopted(*file);
  const auto published = publish(backend(), writer).value();
  EXPECT_TRUE(published[0].replaced);
  EXPECT_EQ(published[0].replaced_bytes, 3U);
  EXPECT_EQ(content_of("file"), kContent);
  writer.reset();
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(AdoptTest, WhatIsNotPublishedStaysInTheSpoolAlone) {
  put("file", "old");
  const auto file = received();
  storage::WriteOptions refuse;
  refuse.if_taken = storage::IfTaken::refuse;
  auto writer = run(backend().create(path_of("file"), refuse)).value();
  EXPECT_EQ(code_of(run(writer->adopt(*file))), ErrorCode::exists);
  writer.reset();
  auto other = adopted(*file);
  EXPECT_EQ(code_of(publish(backend(), other, 1)), ErrorCode::over_quota);
  other.reset();
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
  EXPECT_EQ(content_of("file"), "old");
  EXPECT_FALSE(file->is_known_as(run(backend().stat(path_of("file"))).value().file_id));
  EXPECT_TRUE(is_spooled());
}

TEST_F(AdoptTest, TheTimeIsSet) {
  const auto file = received();
  storage::WriteOptions options;
  options.modified_at = timestamp_of(1'000'000'000);
  auto writer = adopted(*file, options);
  ASSERT_TRUE(publish(backend(), writer));
  EXPECT_EQ(run(backend().stat(path_of("file"))).value().modified_at, *options.modified_at);
}

TEST_F(AdoptTest, TheSpoolHasWhatIsAskedForAndNoMore) {
  received();
  EXPECT_EQ(code_of(run(spool_->open({{"a"}}, kContent.size() + 1, pool_))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(spool_->open({{"b"}}, 1, pool_))), ErrorCode::not_found);
  auto file = run(spool_->open({{"a"}}, 3, pool_)).value();
  ASSERT_TRUE(run(file->append(bytes_of("X"))));
  std::array<std::byte, 10> read{};
  EXPECT_EQ(run(file->read(1, read)).value(), 3U);
  EXPECT_EQ(static_cast<char>(read[2]), 'X');
  ASSERT_TRUE(run(file->truncate(1)));
  EXPECT_EQ(file->size_bytes(), 1U);
  EXPECT_EQ(run(spool_->names(pool_)).value(), std::vector<std::string>{"a"});
  ASSERT_TRUE(run(spool_->remove("a", pool_)));
  ASSERT_TRUE(run(spool_->remove("a", pool_)));
  EXPECT_TRUE(run(spool_->names(pool_)).value().empty());
}

}  // namespace
}  // namespace coffer::local
