#include "catalog/links.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class LinksTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada");
  }
  NewLink wanted(std::uint8_t hash, std::string_view path = "docs") {
    NewLink link;
    link.key.account = account_.id;
    link.key.name = "docs";
    link.key.folder = Path::parse(path).value();
    link.key.hash = hash_of(hash);
    link.sealed_token = "sealed";
    return link;
  }
  Result<Link> create(NewLink link, std::size_t most = 10) {
    return run(catalog_->links().create(std::move(link), most));
  }

  Account account_;
};
COFFER_ON_BOTH_DATABASES(LinksTest);

TEST_P(LinksTest, KeepsWhatItWasGiven) {
  NewLink link = wanted(1, "docs/a.txt");
  link.mode = LinkMode::upload;
  link.is_folder = true;
  link.password_hash = "hash";
  link.most_downloads = 7;
  const auto made = create(std::move(link)).value();
  const auto found = run(catalog_->links().get(account_.id, made.key.id)).value();
  EXPECT_EQ(found.key.folder->str(), "docs/a.txt");
  EXPECT_EQ(found.key.kind, KeyKind::link);
  EXPECT_EQ(found.mode, LinkMode::upload);
  EXPECT_TRUE(found.is_folder);
  EXPECT_EQ(found.sealed_token, "sealed");
  EXPECT_EQ(found.password_hash, "hash");
  EXPECT_EQ(found.most_downloads, 7U);
  EXPECT_EQ(found.downloads, 0U);
  const auto all = run(catalog_->links().list(account_.id)).value();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().key.id, made.key.id);
}

TEST_P(LinksTest, AreNoneOfTheKeys) {
  const auto link = create(wanted(1)).value();
  const auto key = add_key(account_.id, 2);
  const auto keys = run(catalog_->keys().list(account_.id, std::nullopt)).value();
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys.front().id, key.id);
  EXPECT_EQ(run(catalog_->keys().revoke(account_.id, link.key.id, std::nullopt)).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(run(catalog_->links().end(account_.id, key.id, {})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(catalog_->keys().find(hash_of(1))).value()->key.kind, KeyKind::link);
  EXPECT_EQ(run(catalog_->keys().find(hash_of(2))).value()->key.kind, KeyKind::api_key);
}

TEST_P(LinksTest, EndForTheirAccountAlone) {
  const auto other = add_account("ben");
  const auto link = create(wanted(1)).value();
  EXPECT_EQ(run(catalog_->links().end(other.id, link.key.id, {})).error().code,
            ErrorCode::not_found);
  ASSERT_TRUE(run(catalog_->links().end(account_.id, link.key.id, {})));
  EXPECT_EQ(run(catalog_->links().get(account_.id, link.key.id)).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(run(catalog_->keys().find(hash_of(1))).error().code, ErrorCode::unauthenticated);
}

TEST_P(LinksTest, AreAsManyAsMayBe) {
  for (std::uint8_t i = 0; i < 3; ++i) ASSERT_TRUE(create(wanted(i), 3));
  EXPECT_EQ(create(wanted(3), 3).error().code, ErrorCode::rate_limited);
}

TEST_P(LinksTest, DieWithTheirFolder) {
  const auto link = create(wanted(1, "docs/sub/a.txt")).value();
  ScopeChange deletion;
  deletion.id = "change";
  deletion.account = account_.id;
  deletion.from = Path::parse("docs").value();
  ASSERT_FALSE(run(catalog_->scope_changes().begin({deletion})).value().scopes.empty());
  EXPECT_EQ(create(wanted(2, "docs/b.txt")).error().code, ErrorCode::conflict);
  ASSERT_TRUE(run(catalog_->scope_changes().end(
      account_.id, deletion.id, [](const Path&) -> std::optional<Path> { return std::nullopt; })));
  EXPECT_EQ(run(catalog_->links().get(account_.id, link.key.id)).error().code,
            ErrorCode::not_found);
  EXPECT_TRUE(run(catalog_->links().list(account_.id)).value().empty());
}

TEST_P(LinksTest, CountNoMoreDownloadsThanMayBe) {
  NewLink link = wanted(1);
  link.most_downloads = 5;
  const auto id = create(std::move(link)).value().key.id;
  const auto endless = create(wanted(2)).value().key.id;
  std::atomic<int> counted = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 5; ++j) {
          if (run(catalog_->links().count_download(account_.id, id)).value()) ++counted;
        }
      });
    }
  }
  EXPECT_EQ(counted, 5);
  EXPECT_EQ(run(catalog_->links().get(account_.id, id)).value().downloads, 5U);
  EXPECT_TRUE(run(catalog_->links().count_download(account_.id, endless)).value());
  EXPECT_FALSE(run(catalog_->links().count_download(account_.id, KeyId{"none"})).value());
}

class LinkChargesTest : public LinksTest {
 protected:
  static constexpr std::uint64_t kSize = 1000;

  void SetUp() override {
    LinksTest::SetUp();
    NewLink link = wanted(1);
    link.most_downloads = 2;
    link_ = create(std::move(link)).value().key.id;
  }
  /// True if the guest gets the bytes.
  bool take(const std::string& visit, std::uint64_t bytes, const std::string& file = "film") {
    return run(catalog_->links().charge(account_.id, LinkCharge{link_, file, kSize, visit, bytes}))
        .value();
  }
  std::uint64_t downloads() {
    return run(catalog_->links().get(account_.id, link_)).value().downloads;
  }

  KeyId link_;
};
COFFER_ON_BOTH_DATABASES(LinkChargesTest);

TEST_P(LinkChargesTest, ACountBuysTheFileOnceAndHalfOfItIsForAll) {
  for (int part = 0; part < 4; ++part) EXPECT_TRUE(take("ann", 250));
  EXPECT_EQ(downloads(), 1U);
  EXPECT_TRUE(take("ann", 500));
  EXPECT_EQ(downloads(), 1U);
  EXPECT_TRUE(take("ann", 1));
  EXPECT_EQ(downloads(), 2U);
  EXPECT_TRUE(take("ann", 999));
  EXPECT_FALSE(take("ann", 1));
  EXPECT_FALSE(take("ben", 1));
  EXPECT_EQ(downloads(), 2U);
}

TEST_P(LinkChargesTest, TheFirstBytesAreNotCountedBeforeMoreAreTaken) {
  EXPECT_TRUE(take("bot", 100));
  EXPECT_TRUE(take("bot", 25));
  EXPECT_EQ(downloads(), 0U);
  EXPECT_TRUE(take("bot", 1));
  EXPECT_EQ(downloads(), 1U);
  // What it took first is a part of its download, and is for all again.
  EXPECT_TRUE(take("bot", 874));
  EXPECT_TRUE(take("bot", 500));
  EXPECT_EQ(downloads(), 1U);
}

TEST_P(LinkChargesTest, WhoIsInTheMiddleGoesOn) {
  EXPECT_TRUE(take("ann", 200));
  EXPECT_TRUE(take("ben", 1000));
  EXPECT_EQ(downloads(), 2U);
  EXPECT_FALSE(take("cat", 1));
  EXPECT_TRUE(take("ann", 800));
}

TEST_P(LinkChargesTest, EachFileIsADownload) {
  EXPECT_TRUE(take("ann", 1000, "one"));
  EXPECT_TRUE(take("ann", 1000, "two"));
  EXPECT_FALSE(take("ann", 1000, "three"));
  EXPECT_EQ(downloads(), 2U);
}

TEST_P(LinkChargesTest, ManyGuestsGetNoMoreThanTheCountsBuy) {
  std::uint64_t given = 0;
  for (int guest = 0; guest < 40; ++guest) {
    for (const std::uint64_t bytes : {7, 118, 400, 333, 1000}) {
      if (take(std::to_string(guest), bytes)) given += bytes;
    }
  }
  EXPECT_EQ(downloads(), 2U);
  EXPECT_LE(given, kSize * 5 / 2);
}

TEST_P(LinkChargesTest, WhatIsLeftOfAVisitEnds) {
  EXPECT_TRUE(take("ann", 500));
  ASSERT_TRUE(run(catalog_->links().drop_visits(now() + std::chrono::hours(1))));
  EXPECT_TRUE(take("ann", 500));
  EXPECT_EQ(downloads(), 2U);
}

TEST_P(LinkChargesTest, ManyWhoOnlyLookedTakeNothingFromWhoPaid) {
  NewLink link = wanted(2);
  link.most_downloads = 3;
  link_ = create(std::move(link)).value().key.id;
  const auto get = [&](const std::string& visit, std::uint64_t bytes) {
    return run(catalog_->links().charge(account_.id,
                                        LinkCharge{link_, "film", 1'000'000, visit, bytes}))
        .value();
  };
  EXPECT_TRUE(get("ann", 600'000));
  for (int guest = 0; guest < 1100; ++guest) ASSERT_TRUE(get(std::to_string(guest), 1));
  EXPECT_EQ(downloads(), 1U);
  EXPECT_TRUE(get("ann", 400'000));
  EXPECT_EQ(downloads(), 1U);
  EXPECT_TRUE(get("ben", 1'000'000));
  EXPECT_EQ(downloads(), 2U);
}

TEST_P(LinkChargesTest, ALinkWithoutALimitGivesAll) {
  link_ = create(wanted(2)).value().key.id;
  for (int part = 0; part < 9; ++part) EXPECT_TRUE(take("ann", 1000));
  EXPECT_EQ(downloads(), 0U);
  link_.value = "none";
  EXPECT_FALSE(take("ann", 1));
}

}  // namespace
}  // namespace coffer::catalog
