#include "thumbnails/thumbnail_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

#include "base/testing/scratch_folder.h"

namespace coffer::thumbnails {
namespace {

namespace fs = std::filesystem;

/// Of that many bytes, as a WebP file begins.
std::string image(std::uint32_t bytes, char fill = 'x') {
  std::string text = "RIFF0000WEBP" + std::string(bytes - 12, fill);
  const std::uint32_t length = bytes - 8;
  std::memcpy(text.data() + 4, &length, sizeof length);
  return text;
}

std::string key(char digit) {
  return std::string(64, digit);
}

class ThumbnailCacheTest : public testing::Test {
 protected:
  ThumbnailCache cache(std::uint64_t most = 1 << 20) { return {folder_, most}; }

  const ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path() / "thumbnails";
};

TEST_F(ThumbnailCacheTest, KeepsWhatWasStored) {
  auto one = cache();
  EXPECT_EQ(one.find(key('a')), std::nullopt);
  one.store(key('a'), image(5000));
  one.store(key('b'), "");
  EXPECT_EQ(one.find(key('a')), image(5000));
  EXPECT_EQ(one.find(key('b')), "");
  EXPECT_EQ(one.bytes(), 3 * 4096U);
}

TEST_F(ThumbnailCacheTest, OutlivesARestart) {
  cache().store(key('a'), image(100));
  EXPECT_EQ(cache().find(key('a')), image(100));
}

TEST_F(ThumbnailCacheTest, ReplacesWithoutCountingTwice) {
  auto one = cache();
  one.store(key('a'), image(5000));
  one.store(key('a'), image(100, 'y'));
  EXPECT_EQ(one.find(key('a')), image(100, 'y'));
  EXPECT_EQ(one.bytes(), 4096U);
}

TEST_F(ThumbnailCacheTest, DropsWhatWasUsedLeastLately) {
  auto one = cache(3 * 4096);
  for (const char digit : {'a', 'b', 'c'}) one.store(key(digit), image(100));
  EXPECT_TRUE(one.find(key('a')));
  one.store(key('d'), image(100));
  EXPECT_EQ(one.find(key('b')), std::nullopt);
  for (const char digit : {'a', 'c', 'd'}) EXPECT_TRUE(one.find(key(digit))) << digit;
  EXPECT_FALSE(fs::exists(folder_ / key('b')));
  EXPECT_LE(one.bytes(), 3 * 4096U);
}

TEST_F(ThumbnailCacheTest, KeepsNothingThatIsLargerThanAll) {
  auto one = cache(4096);
  one.store(key('a'), image(4097));
  EXPECT_EQ(one.find(key('a')), std::nullopt);
  EXPECT_EQ(one.bytes(), 0U);
}

TEST_F(ThumbnailCacheTest, TakesNothingThatIsNotWhole) {
  const std::string cut = image(5000).substr(0, 4000);
  for (const std::string& broken :
       {cut, std::string(5000, '\0'), std::string(), image(100) + "y"}) {
    {
      auto one = cache();
      one.store(key('a'), image(5000));
    }
    std::ofstream(folder_ / key('a'), std::ios::binary) << broken;
    auto one = cache();
    EXPECT_EQ(one.find(key('a')), std::nullopt);
    EXPECT_EQ(one.bytes(), 0U);
    EXPECT_FALSE(fs::exists(folder_ / key('a')));
  }
}

TEST_F(ThumbnailCacheTest, RemovesWhatWasNotFinished) {
  fs::create_directory(folder_);
  std::ofstream(folder_ / "new-0011223344556677") << "cut off";
  auto one = cache();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ThumbnailCacheTest, LeavesWhatIsNotItsOwn) {
  fs::create_directory(folder_);
  for (const char* name : {"photo.webp", "new-photo", "new-00112233445566778"}) {
    std::ofstream(folder_ / name) << "another's";
    auto one = cache();
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
  }
}

}  // namespace
}  // namespace coffer::thumbnails
