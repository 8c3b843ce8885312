#include "catalog/people_shares.h"

#include <algorithm>

#include "async/run.h"
#include "catalog/audit.h"
#include "catalog/groups.h"
#include "catalog/links.h"
#include "catalog/row_limits.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class PeopleSharesTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    other_ = beside();
    ada_ = add_account("ada").id;
    bob_ = add_account("bob").id;
    eve_ = add_account("eve").id;
  }
  static Receiver account(std::string name) { return {Receiver::Kind::account, std::move(name)}; }
  static Receiver group(std::string name) { return {Receiver::Kind::group, std::move(name)}; }

  Result<GivenShare> try_share(const std::string& item, std::vector<Receiver> receivers,
                               Acquaintance among = Acquaintance::all) {
    NewPersonShare wanted;
    wanted.key.account = ada_;
    wanted.key.folder = Path::parse(item).value();
    wanted.key.hash = hash_of(next_hash_++);
    wanted.is_folder = true;
    wanted.receivers = std::move(receivers);
    wanted.among = among;
    return run(other_->people_shares().create(std::move(wanted)));
  }
  GivenShare share(const std::string& item, std::vector<Receiver> receivers) {
    return try_share(item, std::move(receivers)).value();
  }
  GroupWithMembers make_group(const std::string& name, std::vector<std::string> members) {
    GroupChange wanted;
    wanted.name = name;
    wanted.members = std::move(members);
    return run(other_->groups().create(std::move(wanted))).value();
  }
  /// As a request sees them: the items that the account receives.
  std::vector<std::string> received(AccountId account) {
    auto mounts = catalog_->mounts().find_now(account);
    if (!mounts) mounts = run(catalog_->mounts().find(account)).value();
    std::vector<std::string> items;
    for (const PersonShare& share : mounts->received) items.push_back(share.item.str());
    return items;
  }
  static ScopeChanges::Follow to(std::optional<Path> path) {
    return [path](const Path&) { return path; };
  }

  using Items = std::vector<std::string>;
  Catalog* other_ = nullptr;
  AccountId ada_;
  AccountId bob_;
  AccountId eve_;
  std::uint8_t next_hash_ = 1;
};
COFFER_ON_BOTH_DATABASES(PeopleSharesTest);

TEST_P(PeopleSharesTest, AreMountsOfThoseWhoReceiveThem) {
  EXPECT_EQ(received(bob_), Items());
  const auto given = share("team", {account("eve"), account("bob"), account("bob")});
  EXPECT_EQ(given.receivers, (std::vector{Receiver{Receiver::Kind::account, "bob", "bob"},
                                          Receiver{Receiver::Kind::account, "eve", "eve"}}));
  EXPECT_EQ(received(bob_), Items{"team"});
  EXPECT_EQ(received(ada_), Items());
  const auto mounts = run(catalog_->mounts().find(bob_)).value();
  EXPECT_EQ(mounts->person_share(given.share.id.value), &mounts->received.front());
  EXPECT_EQ(mounts->received.front().owner->name, "ada");
  EXPECT_EQ(mounts->share(given.share.id.value), nullptr);
  EXPECT_EQ(run(catalog_->mounts().find_given(ada_)).value()->size(), 1u);
  // It is neither a key nor a link.
  EXPECT_TRUE(run(catalog_->keys().list(ada_, {})).value().empty());
  EXPECT_TRUE(run(catalog_->links().list(ada_)).value().empty());
}

TEST_P(PeopleSharesTest, EndForAllByTheirOwnerAndForOneByTheOne) {
  const auto given = share("team", {account("bob"), account("eve")});
  PeopleShares& shares = other_->people_shares();
  EXPECT_EQ(run(shares.end(AccountId{1}, given.share.id, {})).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(shares.end(bob_, given.share.id, {})));
  EXPECT_EQ(received(bob_), Items());
  EXPECT_EQ(received(eve_), Items{"team"});
  EXPECT_EQ(run(shares.end(bob_, given.share.id, {})).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(shares.end(ada_, given.share.id, {})));
  EXPECT_EQ(received(eve_), Items());
  EXPECT_FALSE(run(shares.exists(given.share.id)).value());
}

TEST_P(PeopleSharesTest, AreReceivedByTheMembersOfGroups) {
  const auto crew = make_group("crew", {"bob", "ada"});
  const auto given = share("team", {group("crew")});
  EXPECT_EQ(received(bob_), Items{"team"});
  EXPECT_EQ(received(ada_), Items());
  GroupChange change;
  change.added_members = {"eve"};
  ASSERT_TRUE(run(other_->groups().change(crew.group.id, change)));
  EXPECT_EQ(received(eve_), Items{"team"});
  // One member takes it away for itself, also where it leaves and comes again.
  ASSERT_TRUE(run(other_->people_shares().end(eve_, given.share.id, {})));
  change.added_members = {"eve"};
  ASSERT_TRUE(run(other_->groups().change(crew.group.id, change)));
  EXPECT_EQ(received(eve_), Items());
  EXPECT_EQ(received(bob_), Items{"team"});
  ASSERT_TRUE(run(other_->groups().remove(crew.group.id, {})));
  EXPECT_EQ(received(bob_), Items());
}

TEST_P(PeopleSharesTest, EndWithTheirLastReceiver) {
  const auto crew = make_group("crew", {"bob"});
  const auto of_crew = share("of crew", {group("crew")});
  share("of both", {group("crew"), account("eve")});
  share("of eve", {account("eve")});
  const auto of_bob = share("of bob", {account("bob")});
  const auto given = [&] {
    Items items;
    const auto shares = run(catalog_->people_shares().list(ada_)).value();
    for (const GivenShare& one : shares) {
      items.push_back(one.share.item.str());
    }
    std::ranges::sort(items);
    return items;
  };
  ASSERT_TRUE(run(other_->groups().remove(crew.group.id, {})));
  EXPECT_EQ(given(), (Items{"of bob", "of both", "of eve"}));
  ASSERT_TRUE(run(other_->people_shares().end(bob_, of_bob.share.id, {})));
  EXPECT_EQ(given(), (Items{"of both", "of eve"}));
  ASSERT_TRUE(run(other_->accounts().remove(eve_)));
  EXPECT_EQ(given(), Items());
  EXPECT_TRUE(run(catalog_->mounts().find_given(ada_)).value()->empty());
  AuditFilter ended;
  ended.kind = AuditKind::item_unshared;
  const auto events = run(catalog_->audit().list(ended)).value();
  EXPECT_EQ(
      std::ranges::count(events, std::string("path=of crew, read, nobody receives it any more"),
                         &AuditEvent::details),
      1);
  EXPECT_EQ(std::ranges::count(events, std::string("ada"), &AuditEvent::subject), 5);
}

TEST_P(PeopleSharesTest, AreLeftWithAllOthersOfTheItem) {
  make_group("crew", {"bob"});
  const auto by_name = share("team", {account("bob"), account("eve")});
  share("team", {group("crew"), account("eve")});
  share("other", {account("bob")});
  ASSERT_TRUE(run(other_->people_shares().end(bob_, by_name.share.id, {})));
  EXPECT_EQ(received(bob_), Items{"other"});
  EXPECT_EQ(received(eve_), (Items{"team", "team"}));
}

TEST_P(PeopleSharesTest, SayHowTheyReachAnAccount) {
  make_group("crew", {"bob"});
  make_group("others", {"eve"});
  const auto given = share("team", {group("crew"), group("others"), account("bob")});
  share("papers", {group("crew")});
  const auto ways = [&] {
    Items found;
    const auto ways_to_bob = run(catalog_->people_shares().ways_to(bob_)).value();
    for (const ReceivedWay& way : ways_to_bob) {
      const bool is_group = way.receiver.kind == Receiver::Kind::group;
      EXPECT_EQ(way.owner, ada_);
      found.push_back(way.item.str() + (is_group ? " by group " : " by ") + way.receiver.name);
    }
    std::ranges::sort(found);
    return found;
  };
  EXPECT_EQ(ways(), (Items{"papers by group crew", "team by bob", "team by group crew"}));
  ASSERT_TRUE(run(other_->people_shares().end(bob_, given.share.id, {})));
  EXPECT_EQ(ways(), Items{"papers by group crew"});
}

TEST_P(PeopleSharesTest, ShowTheirOwnerTheLinksOfThoseWhoReceiveThem) {
  make_group("crew", {"bob"});
  const auto team = share("team", {group("crew")});
  const auto link = [&](AccountId account, const std::string& path) {
    NewLink wanted;
    wanted.key.account = account;
    wanted.key.folder = Path::parse(path).value();
    wanted.key.hash = hash_of(next_hash_++);
    return run(other_->links().create(std::move(wanted), 10)).value().key.id;
  };
  const std::string top = "__adm_" + team.share.id.value;
  const KeyId inner = link(bob_, top + "/a/b");
  link(bob_, "own");
  link(ada_, "team");
  link(eve_, top);  // Who receives nothing opens nothing.
  const auto links_in_shares = [&] {
    Items found;
    const auto links = run(catalog_->links().list_in_shares_of(ada_)).value();
    for (const LinkInShare& one : links) {
      found.push_back(one.maker + ": " + one.link.key.folder->str());
    }
    return found;
  };
  EXPECT_EQ(links_in_shares(), Items{"bob: team/a/b"});
  EXPECT_TRUE(run(catalog_->links().list_in_shares_of(bob_)).value().empty());
  EXPECT_EQ(run(other_->links().end(eve_, inner, {})).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(other_->links().end(ada_, inner, {})));
  EXPECT_EQ(links_in_shares(), Items());
  EXPECT_EQ(run(catalog_->links().list(bob_)).value().size(), 1u);
}

TEST_P(PeopleSharesTest, FollowTheirItemAndEndWithIt) {
  share("team", {account("bob")});
  const auto begin = [&](const char* from) {
    ScopeChange change{.id = "c", .account = ada_, .from = Path::parse(from).value(), .to = {}};
    ASSERT_TRUE(run(other_->scope_changes().begin({change})));
  };
  begin("team");
  auto mounts = run(catalog_->mounts().find(bob_)).value();
  EXPECT_TRUE(mounts->received.at(0).is_in_transit);
  ASSERT_TRUE(
      run(other_->scope_changes().end(Turn::server(), "c", to(Path::parse("crew").value()))));
  EXPECT_EQ(received(bob_), Items{"crew"});
  // Only own files can be shared.
  begin("crew");
  ASSERT_TRUE(run(other_->scope_changes().end(
      Turn::server(), "c", to(Path::parse("__adm_0123456789abcdef0123456789abcdef/x").value()))));
  EXPECT_EQ(received(bob_), Items());
  share("team", {account("bob")});
  begin("team");
  ASSERT_TRUE(run(other_->scope_changes().end(Turn::server(), "c", to(std::nullopt))));
  EXPECT_EQ(received(bob_), Items());
}

TEST_P(PeopleSharesTest, AreOutOfReachWhileTheirOwnerIsDisabled) {
  share("team", {account("bob")});
  AccountChange change;
  change.disabled = true;
  ASSERT_TRUE(run(other_->accounts().change(ada_, change)));
  EXPECT_EQ(received(bob_), Items());
  change.disabled = false;
  ASSERT_TRUE(run(other_->accounts().change(ada_, change)));
  EXPECT_EQ(received(bob_), Items{"team"});
  ASSERT_TRUE(run(other_->accounts().remove(ada_)));
  EXPECT_EQ(received(bob_), Items());
}

TEST_P(PeopleSharesTest, AreForThoseWhomTheOwnerMayFind) {
  make_group("crew", {"ada", "bob"});
  make_group("others", {"eve"});
  const auto strange = Acquaintance::own_groups;
  EXPECT_EQ(try_share("team", {account("eve")}, strange).error().code, ErrorCode::not_found);
  EXPECT_EQ(try_share("team", {group("others")}, strange).error().code, ErrorCode::not_found);
  EXPECT_TRUE(try_share("team", {account("bob"), group("crew")}, strange));
  EXPECT_EQ(try_share("team", {account("nobody")}).error().code, ErrorCode::not_found);
  EXPECT_EQ(try_share("team", {account("ada")}).error().code, ErrorCode::invalid);
  EXPECT_EQ(try_share("team", {}).error().code, ErrorCode::invalid);
  EXPECT_EQ(run(catalog_->people_shares().list(ada_)).value().size(), 1u);
  const auto found = [&](const std::string& text, Acquaintance among) {
    Items names;
    const auto people = run(catalog_->people_shares().search(ada_, text, among, 20)).value();
    for (const Receiver& one : people) names.push_back(one.name);
    return names;
  };
  EXPECT_EQ(found("E", Acquaintance::all), Items{"eve"});
  EXPECT_EQ(found("o", Acquaintance::all), Items{"others"});
  EXPECT_EQ(found("e", strange), Items());
  EXPECT_EQ(found("b", strange), Items{"bob"});
  EXPECT_EQ(found("ada", Acquaintance::all), Items());
}

TEST_P(PeopleSharesTest, TakeTheQuotaOfTheOwnerForUploads) {
  const auto given = share("team", {account("bob")});
  UploadRecord upload;
  upload.id.value = std::string(32, 'a');
  upload.account = bob_;
  upload.quota_account = ada_;
  upload.folder = "__adm_" + given.share.id.value;
  upload.name = "a";
  upload.length_bytes = upload.quota_bytes = 70;
  upload.created_at = upload.touched_at = now();
  ASSERT_TRUE(run(catalog_->uploads().create(upload, {9, 9, 9, 9}, {.bytes = 9})));
  const auto reserved = [&](AccountId account) {
    return run(catalog_->ledger().usage(account)).value().reserved_bytes;
  };
  EXPECT_EQ(reserved(ada_), 70u);
  EXPECT_EQ(reserved(bob_), 0u);
  // With the one who uploads, it is given back.
  ASSERT_TRUE(run(catalog_->accounts().remove(bob_)));
  EXPECT_EQ(reserved(ada_), 0u);
}

TEST_P(PeopleSharesTest, GroupsOfTheProviderFollowIt) {
  GroupChange wanted;
  wanted.from_provider = true;
  wanted.name = "staff";
  wanted.default_quota_bytes.emplace(5);
  const auto staff = run(catalog_->groups().create(wanted)).value();
  wanted.name = "crew";
  wanted.default_quota_bytes.emplace(7);
  const auto crew = run(catalog_->groups().create(wanted)).value();
  const auto local = make_group("local", {"bob"});
  const auto members = [&](const GroupWithMembers& one) {
    return run(catalog_->groups().find(one.group.id)).value().members;
  };
  ASSERT_TRUE(run(catalog_->groups().follow(bob_, {"staff", "local", "none"}, "")));
  EXPECT_EQ(members(staff), Items{"bob"});
  EXPECT_EQ(members(crew), Items());
  ASSERT_TRUE(run(catalog_->groups().follow(bob_, {"crew"}, "")));
  EXPECT_EQ(members(staff), Items());
  EXPECT_EQ(members(crew), Items{"bob"});
  EXPECT_EQ(members(local), Items{"bob"});
  EXPECT_EQ(run(catalog_->groups().default_quota({"staff", "crew", "local"})).value(), 7u);
  EXPECT_EQ(run(catalog_->groups().default_quota({"local"})).value(), std::nullopt);
  GroupChange change;
  change.default_quota_bytes.emplace(0);
  ASSERT_TRUE(run(catalog_->groups().change(staff.group.id, change)));
  EXPECT_EQ(run(catalog_->groups().default_quota({"staff", "crew"})).value(), 0u);
}

}  // namespace
}  // namespace coffer::catalog
