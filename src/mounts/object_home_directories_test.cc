#include "mounts/object_home_directories.h"

#include <gtest/gtest.h>

#include "async/run.h"
#include "backends/objects/garbage.h"
#include "backends/objects/testing/memory_blobs.h"
#include "catalog/testing/scratch_catalog.h"

namespace coffer::mounts {
namespace {

class ObjectHomeDirectoriesTest : public testing::Test {
 protected:
  std::shared_ptr<storage::Backend> make(const catalog::Account& account) {
    EXPECT_TRUE(run(homes_.make(account)));
    return homes_.of(account).value();
  }
  static void write(storage::Backend& home, const std::string& name, std::size_t bytes) {
    const std::string text(bytes, 'x');
    auto writer = run(home.create(Path::parse(name).value(), {})).value();
    ASSERT_TRUE(run(writer->write(std::as_bytes(std::span(text)))));
    ASSERT_TRUE(run(home.publish(std::span(&writer, 1), UINT64_MAX)));
  }

  catalog::ScratchCatalog catalog_;
  objects::MemoryBlobs blobs_;
  ObjectHomeDirectories homes_{catalog_->object_names(), blobs_};
};

TEST_F(ObjectHomeDirectoriesTest, MakesAHomeForAnAccountWithoutFiles) {
  const auto ada = catalog_.add_account("ada");
  EXPECT_EQ(run(homes_.find(ada)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(homes_.of(ada).value()->stat(Path())).error().code, ErrorCode::not_found);
  const auto home = make(ada);
  EXPECT_TRUE(run(home->stat(Path())));
  EXPECT_EQ(run(homes_.find(ada)).value(), home);
  EXPECT_EQ(homes_.location_of(ada), "");
}

TEST_F(ObjectHomeDirectoriesTest, AccountsHaveHomesOfTheirOwn) {
  const auto ada = make(catalog_.add_account("ada"));
  const auto bob = make(catalog_.add_account("bob"));
  write(*ada, "file", 10);
  EXPECT_TRUE(run(ada->stat(Path::parse("file").value())));
  EXPECT_FALSE(run(bob->stat(Path::parse("file").value())));
}

TEST_F(ObjectHomeDirectoriesTest, PurgesAHomeWithItsObjects) {
  const auto ada = catalog_.add_account("ada");
  write(*make(ada), "file", 10'000);
  EXPECT_EQ(blobs_.count(), 1U);
  ASSERT_TRUE(homes_.purge(ada));
  ASSERT_TRUE(homes_.purge(ada));
  EXPECT_EQ(run(homes_.find(ada)).error().code, ErrorCode::not_found);
  auto& names = catalog_->object_names();
  EXPECT_EQ(run(objects::remove_garbage(names, blobs_, std::chrono::seconds(0))), 1U);
  EXPECT_EQ(blobs_.count(), 0U);
}

}  // namespace
}  // namespace coffer::mounts
