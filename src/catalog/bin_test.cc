#include "catalog/bin.h"

#include <vector>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class BinTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada");
  }
  /// Kept since so many seconds after 1970.
  void put(const std::string& id, int seconds, const std::string& place = "") {
    BinItem item = item_of(id, seconds, place);
    ASSERT_TRUE(run(bin().add(std::move(item))));
    ASSERT_TRUE(run(bin().keep(account_.id, {id}, true, 7)));
  }
  BinItem item_of(const std::string& id, int seconds, const std::string& place = "") {
    BinItem item;
    item.id.value = id;
    item.account = account_.id;
    item.place = place;
    item.path = "docs/" + id;
    item.leads_to = "there";
    item.deleted_at = Timestamp(std::chrono::seconds(seconds));
    return item;
  }
  std::vector<std::string> ids_of(const Result<std::vector<BinItem>>& items) {
    std::vector<std::string> ids;
    for (const BinItem& item : items.value()) ids.push_back(item.id.value);
    return ids;
  }
  std::vector<std::string> listed() { return ids_of(run(bin().list(account_.id, {}, 10))); }
  Bin& bin() { return catalog_->bin(); }

  using Ids = std::vector<std::string>;
  Account account_;
};
COFFER_ON_BOTH_DATABASES(BinTest);

TEST_P(BinTest, CountsUpToALimit) {
  EXPECT_EQ(run(bin().count(account_.id, 3)).value(), 0U);
  put("a", 1);
  put("b", 2, "__adm_x");
  ASSERT_TRUE(run(bin().add(item_of("c", 3))));
  EXPECT_EQ(run(bin().count(account_.id, 9)).value(), 3U);
  EXPECT_EQ(run(bin().count(account_.id, 2)).value(), 2U);
  EXPECT_EQ(run(bin().count(add_account("bob").id, 2)).value(), 0U);
}

TEST_P(BinTest, KeepsWhatItWasGiven) {
  put("a", 5, "__adm_x");
  const auto found = run(bin().find(account_.id, {"a"})).value();
  EXPECT_EQ(found.account, account_.id);
  EXPECT_EQ(found.place, "__adm_x");
  EXPECT_EQ(found.path, "docs/a");
  EXPECT_EQ(found.leads_to, "there");
  EXPECT_TRUE(found.is_folder);
  EXPECT_EQ(found.size_bytes, 7U);
  EXPECT_EQ(found.deleted_at, Timestamp(std::chrono::seconds(5)));
  EXPECT_EQ(found.state, BinState::kept);
}

TEST_P(BinTest, IsForItsAccountAlone) {
  put("a", 5);
  const Account other = add_account("eve");
  EXPECT_EQ(run(bin().find(other.id, {"a"})).error().code, ErrorCode::not_found);
  EXPECT_EQ(ids_of(run(bin().list(other.id, {}, 10))), Ids());
  BinItem item = item_of("b", 1);
  item.account = AccountId{77};
  EXPECT_EQ(run(bin().add(std::move(item))).error().code, ErrorCode::not_found);
}

TEST_P(BinTest, IsListedNewestFirstInParts) {
  put("a", 5);
  put("b", 7);
  put("c", 7);
  put("d", 3);
  EXPECT_EQ(listed(), Ids({"c", "b", "a", "d"}));
  EXPECT_EQ(ids_of(run(bin().list(account_.id, {}, 2))), Ids({"c", "b"}));
  const Bin::Position place{Timestamp(std::chrono::seconds(7)), "c"};
  EXPECT_EQ(ids_of(run(bin().list(account_.id, place, 2))), Ids({"b", "a"}));
}

TEST_P(BinTest, OneIsClaimedOnceAndShowsAgainWhenItIsReleased) {
  put("a", 5);
  EXPECT_TRUE(run(bin().claim(account_.id, {"a"}, BinState::open)).value());
  EXPECT_FALSE(run(bin().claim(account_.id, {"a"}, BinState::discarding)).value());
  EXPECT_EQ(listed(), Ids());
  EXPECT_EQ(ids_of(run(bin().unfinished())), Ids({"a"}));
  EXPECT_EQ(ids_of(run(bin().unfinished(account_.id))), Ids({"a"}));
  EXPECT_EQ(ids_of(run(bin().unfinished(AccountId{account_.id.value + 1}))), Ids());
  EXPECT_EQ(run(bin().state_of(account_.id, {"a"})).value(), BinState::open);
  EXPECT_EQ(run(bin().state_of(account_.id, {"b"})).value(), std::nullopt);
  ASSERT_TRUE(run(bin().release(account_.id, {"a"})));
  EXPECT_EQ(run(bin().state_of(account_.id, {"a"})).value(), BinState::kept);
  EXPECT_EQ(listed(), Ids({"a"}));
  EXPECT_TRUE(run(bin().claim(account_.id, {"a"}, BinState::discarding)).value());
  EXPECT_EQ(listed(), Ids());
  ASSERT_TRUE(run(bin().release(account_.id, {"a"})));
  EXPECT_EQ(listed(), Ids({"a"}));
  ASSERT_TRUE(run(bin().drop(account_.id, {"a"})));
  EXPECT_EQ(ids_of(run(bin().unfinished())), Ids());
}

TEST_P(BinTest, WhatIsOnItsWayIsNotListed) {
  BinItem item = item_of("a", 5);
  ASSERT_TRUE(run(bin().add(std::move(item))));
  EXPECT_EQ(listed(), Ids());
  EXPECT_EQ(ids_of(run(bin().unfinished())), Ids({"a"}));
}

TEST_P(BinTest, OwnFilesComeOldestFirst) {
  put("a", 5);
  put("b", 3);
  put("c", 1, "__adm_x");
  EXPECT_EQ(ids_of(run(bin().list_own(account_.id))), Ids({"b", "a"}));
}

TEST_P(BinTest, OldOnesAndThoseOfRemovedAccountsAreDue) {
  put("a", 5);
  put("b", 9, "__adm_x");
  const Timestamp before(std::chrono::seconds(7));
  EXPECT_EQ(ids_of(run(bin().due(before))), Ids({"a"}));
  ASSERT_TRUE(run(catalog_->accounts().remove(account_.id)));
  const auto due = run(bin().due(before)).value();
  ASSERT_EQ(due.size(), 1U) << "what lay in its own files went with them";
  EXPECT_EQ(due.front().id.value, "b");
  EXPECT_FALSE(due.front().account);
}

}  // namespace
}  // namespace coffer::catalog
