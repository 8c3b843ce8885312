#include "core/namespace/mounts.h"

#include <gtest/gtest.h>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

using catalog::Receiver;
using catalog::ShareAccess;

/// Of what ada shares with bob, also by the group that he is in.
class ReceivedMountsTest : public testing::Test {
 protected:
  ReceivedMountsTest() {
    catalog::GroupChange wanted;
    wanted.name = "crew";
    wanted.members = {"bob"};
    EXPECT_TRUE(run(catalog_->groups().create(std::move(wanted))));
  }
  ShareId share(const char* item, ShareAccess access, Receiver receiver,
                std::optional<Timestamp> expires_at = {}) {
    catalog::NewPersonShare wanted;
    wanted.key.account = ada_;
    wanted.key.folder = Path::parse(item).value();
    wanted.key.hash.fill(std::byte{++hashes_});
    wanted.key.expires_at = expires_at;
    wanted.is_folder = true;
    wanted.access = access;
    wanted.receivers = {std::move(receiver)};
    return run(catalog_->people_shares().create(std::move(wanted))).value().share.id;
  }
  static std::string prefix_of(const ShareId& id) { return "__adm_" + id.value; }
  ShareAccess access_by(const ShareId& id) {
    return run(mounts_.find(bob_, prefix_of(id))).value().given->access;
  }
  std::vector<Mount> of_bob() { return run(mounts_.of(bob_)).value(); }

  const Receiver to_bob_{Receiver::Kind::account, "bob"};
  const Receiver to_crew_{Receiver::Kind::group, "crew"};
  catalog::ScratchCatalog catalog_;
  NoBackends backends_;
  OneHome homes_{std::make_shared<storage::MemoryBackend>()};
  Mounts mounts_{catalog_->mounts(), backends_, homes_};
  const AccountId ada_ = catalog_.add_account("ada").id;
  const AccountId bob_ = catalog_.add_account("bob").id;
  std::uint8_t hashes_ = 0;
};

TEST_F(ReceivedMountsTest, AnItemThatIsReceivedTwiceIsOneWithTheWiderAccess) {
  const ShareId first = share("team", ShareAccess::read, to_crew_);
  const ShareId other = share("other", ShareAccess::read, to_bob_);
  const ShareId second = share("team", ShareAccess::write, to_bob_);
  const auto mounts = of_bob();
  ASSERT_EQ(mounts.size(), 2U);
  EXPECT_EQ(mounts[0].prefix, prefix_of(other));
  EXPECT_TRUE(mounts[0].read_only);
  EXPECT_EQ(mounts[1].prefix, prefix_of(first));
  EXPECT_FALSE(mounts[1].read_only);
  EXPECT_EQ(mounts[1].given->access, ShareAccess::write);
  // Both prefixes lead there with it: keys may be limited to either.
  for (const ShareId& id : {first, second}) {
    EXPECT_EQ(access_by(id), ShareAccess::write);
    const auto opened = run(mounts_.open(bob_, prefix_of(id))).value();
    EXPECT_EQ(opened.mount.prefix, prefix_of(id));
    EXPECT_FALSE(opened.mount.read_only);
  }
  EXPECT_EQ(access_by(other), ShareAccess::read);
}

TEST_F(ReceivedMountsTest, WhatIsLeftHoldsWhenOneOfThemEnds) {
  const ShareId first = share("team", ShareAccess::write, to_bob_);
  const ShareId second = share("team", ShareAccess::add, to_crew_);
  ASSERT_TRUE(run(catalog_->people_shares().end(ada_, first, {})));
  const auto mounts = of_bob();
  ASSERT_EQ(mounts.size(), 1U);
  EXPECT_EQ(mounts[0].prefix, prefix_of(second));
  EXPECT_TRUE(mounts[0].only_adds());
  EXPECT_EQ(run(mounts_.find(bob_, prefix_of(first))).error().code, ErrorCode::not_found);
}

TEST_F(ReceivedMountsTest, OneThatHasExpiredGivesNothing) {
  share("team", ShareAccess::write, to_bob_, now() - std::chrono::seconds(1));
  const ShareId second = share("team", ShareAccess::read, to_crew_);
  const auto mounts = of_bob();
  ASSERT_EQ(mounts.size(), 1U);
  EXPECT_EQ(mounts[0].prefix, prefix_of(second));
  EXPECT_TRUE(mounts[0].read_only);
  EXPECT_EQ(access_by(second), ShareAccess::read);
}

}  // namespace
}  // namespace coffer::core
