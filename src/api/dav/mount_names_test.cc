#include "api/dav/mount_names.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace coffer::api::dav {
namespace {

core::Mount named(std::string prefix, std::string name) {
  core::Mount mount;
  mount.prefix = std::move(prefix);
  mount.name = std::move(name);
  return mount;
}

core::Mount given(std::string prefix, std::string name, std::string owner) {
  auto account = std::make_shared<catalog::Account>();
  account->name = std::move(owner);
  auto share = std::make_shared<catalog::PersonShare>();
  share->owner = std::move(account);
  core::Mount mount = named(std::move(prefix), std::move(name));
  mount.given = std::move(share);
  return mount;
}

void expect_names(const std::vector<core::Mount>& mounts, const std::vector<std::string>& names) {
  const MountNames found(mounts);
  ASSERT_EQ(mounts.size(), names.size());
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    EXPECT_EQ(found.of(mounts[i]), names[i]);
    const bool has_name = names[i] != mounts[i].prefix;
    EXPECT_EQ(found.prefix_of(names[i]), has_name ? mounts[i].prefix : "");
  }
}

TEST(MountNames, NameTheOwnerOfWhatAccountsShare) {
  expect_names({given("__adm_1", "team", "bob"), given("__adm_2", "team", "eve"),
                named("__adm_3", "team"), named("__conn_4", "disk")},
               {"team (bob)", "team (eve)", "team", "disk"});
}

TEST(MountNames, AreOfNoneThatShareThem) {
  const std::vector mounts = {given("__adm_1", "team", "bob"), given("__adm_2", "team", "bob"),
                              given("__adm_3", "team", "bob"), named("__adm_4", "disk"),
                              named("__conn_5", "disk")};
  expect_names(mounts, {"__adm_1", "__adm_2", "__adm_3", "__adm_4", "__conn_5"});
  const MountNames names(mounts);
  EXPECT_EQ(names.prefix_of("team (bob)"), "");
  EXPECT_EQ(names.prefix_of("disk"), "");
  EXPECT_EQ(names.prefix_of("team"), "");
}

TEST(MountNames, AreNotTakenByWhatAccountsShare) {
  expect_names({given("__adm_1", "team", "bob"), named("__adm_2", "team (bob)")},
               {"__adm_1", "team (bob)"});
  expect_names({given("__adm_1", "team (bob)", "eve"), given("__adm_2", "team", "bob")},
               {"team (bob) (eve)", "team (bob)"});
}

TEST(MountNames, AreComponentsOfPaths) {
  expect_names({named("__adm_1", "a/b"), named("__adm_2", ".."), named("__adm_3", ""),
                named("__adm_4", "__conn_9"), given("__adm_5", "__adm_9", "bob")},
               {"__adm_1", "__adm_2", "__adm_3", "__adm_4", "__adm_5"});
}

}  // namespace
}  // namespace coffer::api::dav
