#include "catalog/scope_changes.h"

#include "async/run.h"
#include "base/clock.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

Path path(std::string_view text) {
  return Path::parse(text).value();
}

class ScopeChangesTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ada_ = add_account("ada").id;
    bob_ = add_account("bob").id;
  }

  ScopeChange change(std::string id, std::string_view from, std::optional<std::string> to) const {
    ScopeChange change{.id = std::move(id), .account = ada_, .from = path(from), .to = {}};
    if (to) change.to = path(*to);
    return change;
  }
  static ScopeChanges::Follow follow(const ScopeChange& change) {
    return [change](const Path& scope) -> std::optional<Path> {
      if (!change.to) return std::nullopt;
      return *change.to / scope.relative_to(change.from);
    };
  }
  std::set<Path> begin(const ScopeChange& change) {
    return run(catalog_->scope_changes().begin({change})).value().scopes;
  }
  /// Begins and ends it; true if a key was concerned.
  bool make(const ScopeChange& change) {
    const bool begun = !begin(change).empty();
    EXPECT_TRUE(run(catalog_->scope_changes().end(Turn::server(), change.id, follow(change))));
    return begun;
  }
  void add_upload(AccountId account, const std::string& id, std::string folder) {
    UploadRecord upload;
    upload.id.value = id;
    upload.account = account;
    upload.folder = std::move(folder);
    upload.name = "a";
    upload.length_bytes = 1;
    upload.created_at = upload.touched_at = now();
    ASSERT_TRUE(run(catalog_->uploads().create(upload, {9, 9, 9, 9}, {.bytes = 9})));
  }
  std::string folder_of(AccountId account, const std::string& id) {
    return run(catalog_->uploads().find(account, UploadId{id})).value().folder;
  }
  /// What the audit log says of revoked keys and ended links, the latest first.
  std::vector<std::string> revocations() {
    std::vector<std::string> details;
    const auto events = run(catalog_->audit().list({})).value();
    for (const AuditEvent& event : events) {
      if (event.kind == AuditKind::key_revoked || event.kind == AuditKind::link_ended) {
        details.push_back(event.subject + ": " + event.details);
      }
    }
    return details;
  }
  /// The scope that a request with the key has now; "revoked" if it has none.
  std::string scope(std::uint8_t hash) {
    const auto grant = run(catalog_->keys().find(hash_of(hash)));
    return grant ? (*grant)->key.folder->str() : "revoked";
  }
  std::string change_of(Catalog& catalog, std::uint8_t hash) {
    auto grant = catalog.keys().find_now(hash_of(hash));
    if (!grant) grant = run(catalog.keys().find(hash_of(hash))).value();
    return grant->key.change_id;
  }

  AccountId ada_;
  AccountId bob_;
};
COFFER_ON_BOTH_DATABASES(ScopeChangesTest);

TEST_P(ScopeChangesTest, ScopesFollowTheirFolderAndNoOther) {
  add_key(ada_, 1, "a%");
  add_key(ada_, 2, "a%/é/x");
  add_key(ada_, 3, "a_b/x");
  add_key(ada_, 4, "axb/x");
  add_key(ada_, 5, "A%/x");
  EXPECT_TRUE(make(change("1", "a%", "new/é")));
  EXPECT_TRUE(make(change("2", "a_b", "moved")));
  EXPECT_FALSE(make(change("3", "a_", "nothing")));
  EXPECT_EQ(scope(1), "new/é");
  EXPECT_EQ(scope(2), "new/é/é/x");
  EXPECT_EQ(scope(3), "moved/x");
  EXPECT_EQ(scope(4), "axb/x");
  EXPECT_EQ(scope(5), "A%/x");
}

TEST_P(ScopeChangesTest, KeysOfADeletedFolderAreRevokedByComponents) {
  add_key(ada_, 1, "a_b");
  add_key(ada_, 2, "a_b/é/x");
  add_key(ada_, 3, "axb/x");
  add_key(ada_, 4, "A_B");
  EXPECT_TRUE(make(change("1", "a_b", std::nullopt)));
  EXPECT_EQ(scope(1), "revoked");
  EXPECT_EQ(scope(2), "revoked");
  EXPECT_EQ(scope(3), "axb/x");
  EXPECT_EQ(scope(4), "A_B");
}

TEST_P(ScopeChangesTest, KeysAreInTransitForEveryProcessUntilTheEnd) {
  add_key(ada_, 1, "docs/sub");
  add_key(ada_, 2, "other");
  Catalog* const other = beside();
  ASSERT_EQ(change_of(*other, 1), "");
  const auto renamed = change("1", "docs", "papers");
  EXPECT_EQ(begin(renamed), std::set{path("docs/sub")});
  EXPECT_EQ(change_of(*other, 1), "1");
  EXPECT_EQ(change_of(*other, 2), "");
  EXPECT_TRUE(run(other->scope_changes().concerns(ada_, path("papers"))).value());
  ASSERT_TRUE(run(catalog_->scope_changes().end(Turn::server(), "1", follow(renamed))));
  EXPECT_EQ(change_of(*other, 1), "");
  EXPECT_FALSE(run(other->scope_changes().concerns(ada_, path("docs"))).value());
}

TEST_P(ScopeChangesTest, WhatIsChangingTakesNoKeyAndNoOtherChange) {
  add_key(ada_, 1, "docs");
  ASSERT_FALSE(begin(change("1", "docs", "papers")).empty());
  for (const auto* folder : {"docs", "docs/sub", "papers", "papers/sub"}) {
    NewKey key;
    key.account = ada_;
    key.folder = path(folder);
    key.hash = hash_of(9);
    EXPECT_EQ(run(catalog_->keys().create(key)).error().code, ErrorCode::conflict) << folder;
    const auto again = run(catalog_->scope_changes().begin({change("2", folder, "x")}));
    EXPECT_EQ(again.error().code, ErrorCode::conflict) << folder;
    EXPECT_TRUE(run(catalog_->scope_changes().concerns(ada_, path(folder))).value());
    EXPECT_FALSE(run(catalog_->scope_changes().concerns(bob_, path(folder))).value());
  }
  add_key(ada_, 2, "doc");
  add_key(bob_, 3, "docs");
}

TEST_P(ScopeChangesTest, WhatIsAlwaysRecordedBarsOtherChangesWithoutKeysToo) {
  ScopeChanges& changes = catalog_->scope_changes();
  const auto move = change("1", "__adm_x/p/docs", "__adm_y/docs");
  ASSERT_TRUE(run(changes.begin({move}, ScopeChanges::Record::always)));
  for (const auto* folder : {"__adm_x/p", "__adm_x/p/docs", "__adm_y/docs/sub"}) {
    ScopeChange other = change("2", folder, std::nullopt);
    other.account = bob_;
    EXPECT_EQ(run(changes.begin({other})).error().code, ErrorCode::conflict) << folder;
    EXPECT_TRUE(run(changes.concerns(bob_, path(folder))).value()) << folder;
  }
  add_key(bob_, 1, "__adm_x/p");
  const auto made = change("2", "__adm_x/p", std::nullopt);
  const auto scopes = run(changes.begin({made}, ScopeChanges::Record::made)).value().scopes;
  EXPECT_EQ(scopes, std::set{path("__adm_x/p")}) << "it was made before it was recorded";
  ASSERT_TRUE(run(
      changes.end(Turn::server(), "2", [](const Path& scope) { return std::optional(scope); })));
  ASSERT_TRUE(run(changes.end(Turn::server(), "1", follow(move))));
  EXPECT_FALSE(run(changes.concerns(bob_, path("__adm_y"))).value());
  EXPECT_EQ(scope(1), "__adm_x/p");
}

TEST_P(ScopeChangesTest, AMoveOfWhatOnlyItsAccountSeesBarsNoOthers) {
  ScopeChanges& changes = catalog_->scope_changes();
  add_key(ada_, 1, "__conn_x/d");
  add_key(ada_, 2, "__conn_x/d/s/deep");
  add_key(ada_, 3, "__conn_x/d/t");
  const auto move = change("1", "__conn_x/d", "__adm_y/p/d");
  ASSERT_TRUE(run(changes.begin({move}, ScopeChanges::Record::always)));
  const auto by_bob = [&](std::string id, std::string_view from, std::optional<std::string> to) {
    ScopeChange other = change(std::move(id), from, std::move(to));
    other.account = bob_;
    return other;
  };
  EXPECT_TRUE(run(changes.concerns(bob_, path("__adm_y/p/d/s"))).value());
  EXPECT_TRUE(run(changes.concerns(bob_, path("__adm_y/p"))).value());
  EXPECT_FALSE(run(changes.concerns(bob_, path("__adm_y/q"))).value());
  // Bob's own key for the copy is none of those that move.
  add_key(bob_, 9, "__adm_y/p/d/t");
  EXPECT_EQ(begin(by_bob("2", "__adm_y/p/d/s", std::nullopt)), std::set<Path>());
  EXPECT_EQ(scope(2), "revoked");
  EXPECT_EQ(change_of(*catalog_, 1), "1");
  const std::string why = ", its new place was changed by another account while it was moved";
  ASSERT_EQ(revocations().size(), 1U);
  EXPECT_TRUE(revocations()[0].starts_with("ada: id="));
  EXPECT_TRUE(revocations()[0].ends_with(", folder=__conn_x/d/s/deep" + why));
  // The mover's own changes still wait.
  for (const auto* folder : {"__adm_y/p", "__adm_y/p/d/t", "__conn_x/d"}) {
    const auto own = run(changes.begin({change("3", folder, std::nullopt)}));
    EXPECT_EQ(own.error().code, ErrorCode::conflict) << folder;
  }
  ASSERT_TRUE(run(changes.end(Turn::server(), "1", follow(move))));
  EXPECT_EQ(scope(1), "__adm_y/p/d");
  EXPECT_EQ(scope(3), "__adm_y/p/d/t");
  EXPECT_EQ(scope(9), "__adm_y/p/d/t");
}

TEST_P(ScopeChangesTest, WhoRenamesAboveACopyEndsTheKeysOnTheirWay) {
  ScopeChanges& changes = catalog_->scope_changes();
  add_key(ada_, 1, "d");
  const auto move = change("1", "d", "__adm_y/p/d");
  ASSERT_TRUE(run(changes.begin({move}, ScopeChanges::Record::always)));
  ScopeChange renamed = change("2", "__adm_y/p", "__adm_y/q");
  renamed.account = bob_;
  EXPECT_EQ(begin(renamed), std::set<Path>());
  EXPECT_EQ(scope(1), "revoked");
  ASSERT_TRUE(run(changes.end(Turn::server(), "1", follow(move))));
  EXPECT_EQ(scope(1), "revoked");
}

TEST_P(ScopeChangesTest, WhatHappensInAShareConcernsTheKeysOfAll) {
  add_key(ada_, 1, "__adm_x/docs/sub");
  add_key(bob_, 2, "__adm_x/docs");
  add_key(bob_, 3, "__adm_x2/docs");
  EXPECT_TRUE(run(catalog_->scope_changes().concerns(bob_, path("__adm_x/docs/sub"))).value());
  EXPECT_FALSE(run(catalog_->scope_changes().concerns(ada_, path("__adm_x/doc"))).value());
  EXPECT_TRUE(make(change("1", "__adm_x/docs", "__adm_y/new")));
  EXPECT_EQ(scope(1), "__adm_y/new/sub");
  EXPECT_EQ(scope(2), "__adm_y/new");
  EXPECT_EQ(scope(3), "__adm_x2/docs");
  EXPECT_TRUE(make(change("2", "__adm_y/new", std::nullopt)));
  EXPECT_EQ(scope(1), "revoked");
  EXPECT_EQ(scope(2), "revoked");
}

TEST_P(ScopeChangesTest, WhatHappensElsewhereConcernsOneAccountsKeys) {
  std::uint8_t mine = 1;
  for (const std::string top : {"docs", "__conn_x"}) {
    const auto his = static_cast<std::uint8_t>(mine + 10);
    add_key(bob_, his, top + "/a");
    EXPECT_FALSE(run(catalog_->scope_changes().concerns(ada_, path(top))).value());
    EXPECT_TRUE(run(catalog_->scope_changes().concerns(bob_, path(top))).value());
    add_key(ada_, mine, top + "/a");
    EXPECT_TRUE(make(change("1", top + "/a", "__adm_x/a")));
    EXPECT_EQ(scope(mine), "__adm_x/a");
    EXPECT_EQ(scope(his), top + "/a");
    ++mine;
  }
}

TEST_P(ScopeChangesTest, OutOfAShareTheKeysOfOthersDoNotFollow) {
  std::uint8_t mine = 1;
  for (const std::string to : {"docs/a", "__conn_x/a"}) {
    const auto his = static_cast<std::uint8_t>(mine + 10);
    add_key(ada_, mine, "__adm_x/a/sub");
    add_key(bob_, his, "__adm_x/a/sub");
    EXPECT_TRUE(make(change("1", "__adm_x/a", to)));
    EXPECT_EQ(scope(mine), to + "/sub");
    EXPECT_EQ(scope(his), "revoked");
    ++mine;
  }
}

TEST_P(ScopeChangesTest, AnUnknownOutcomeIsToldOfEachKeyThatItRevokes) {
  const KeyId lost = add_key(ada_, 1, "docs/lost").id;
  add_key(ada_, 2, "docs/kept");
  ASSERT_EQ(begin(change("1", "docs", "papers")).size(), 2u);
  const auto keep = [](const Path& scope) {
    return scope == path("docs/kept") ? std::optional(scope) : std::nullopt;
  };
  const auto revoked =
      run(catalog_->scope_changes().end(Turn::server(), "1", keep, ScopeChanges::Outcome::unknown))
          .value();
  ASSERT_EQ(revoked.size(), 1u);
  EXPECT_EQ(revoked[0].id, lost);
  EXPECT_EQ(revoked[0].account, "ada");
  EXPECT_EQ(revoked[0].scope, path("docs/lost"));
  EXPECT_EQ(scope(1), "revoked");
  EXPECT_EQ(scope(2), "docs/kept");
  EXPECT_EQ(revocations(), std::vector{"ada: id=" + lost.value +
                                       ", folder=docs/lost, its change was interrupted"});
}

TEST_P(ScopeChangesTest, AKnownOutcomeIsToldByItsRequestAlone) {
  add_key(ada_, 1, "docs");
  EXPECT_TRUE(make(change("1", "docs", std::nullopt)));
  EXPECT_EQ(scope(1), "revoked");
  EXPECT_EQ(revocations(), std::vector<std::string>());
}

TEST_P(ScopeChangesTest, AllThatWasInterruptedIsRevoked) {
  add_key(ada_, 1, "docs");
  add_key(bob_, 2, "__adm_x/a");
  add_key(bob_, 3, "__adm_x/b");
  ASSERT_FALSE(begin(change("1", "docs", "papers")).empty());
  ASSERT_FALSE(begin(change("2", "__adm_x/a", std::nullopt)).empty());
  const auto revoked = run(catalog_->scope_changes().revoke_ended()).value();
  EXPECT_EQ(revoked.size(), 2u);
  EXPECT_EQ(revocations().size(), 2u);
  EXPECT_EQ(scope(1), "revoked");
  EXPECT_EQ(scope(2), "revoked");
  EXPECT_EQ(scope(3), "__adm_x/b");
  EXPECT_FALSE(run(catalog_->scope_changes().concerns(ada_, path("docs"))).value());
  add_key(ada_, 4, "papers");
  EXPECT_TRUE(run(catalog_->scope_changes().revoke_ended()).value().empty());
  EXPECT_EQ(scope(4), "papers");
}

TEST_P(ScopeChangesTest, UploadsFollowTheirFolderAndNoOther) {
  add_upload(ada_, "a", "docs");
  add_upload(ada_, "b", "docs/sub");
  add_upload(ada_, "c", "docs2");
  add_upload(bob_, "d", "docs");
  ASSERT_TRUE(run(catalog_->scope_changes().concerns(ada_, path("docs"))).value());
  EXPECT_FALSE(make(change("1", "docs", "new/papers")));
  EXPECT_EQ(folder_of(ada_, "a"), "new/papers");
  EXPECT_EQ(folder_of(ada_, "b"), "new/papers/sub");
  EXPECT_EQ(folder_of(ada_, "c"), "docs2");
  EXPECT_EQ(folder_of(bob_, "d"), "docs");
  EXPECT_FALSE(run(catalog_->scope_changes().concerns(ada_, path("docs"))).value());
}

TEST_P(ScopeChangesTest, UploadsOfAllFollowInAShare) {
  add_upload(ada_, "a", "__adm_0/docs");
  add_upload(bob_, "b", "__adm_0/docs");
  EXPECT_FALSE(make(change("1", "__adm_0/docs", "__adm_0/papers")));
  EXPECT_EQ(folder_of(ada_, "a"), "__adm_0/papers");
  EXPECT_EQ(folder_of(bob_, "b"), "__adm_0/papers");
}

TEST_P(ScopeChangesTest, UploadsStayWhereTheirFolderIsDeletedOrLeavesItsPlace) {
  add_upload(ada_, "a", "docs");
  add_upload(ada_, "b", "__adm_0/docs");
  for (const auto& made :
       {change("1", "docs", std::nullopt), change("2", "docs", "__adm_0/new"),
        change("3", "__adm_0/docs", "new"), change("4", "__adm_0/docs", "__conn_0/docs")}) {
    EXPECT_FALSE(make(made));
  }
  EXPECT_EQ(folder_of(ada_, "a"), "docs");
  EXPECT_EQ(folder_of(ada_, "b"), "__adm_0/docs");
  // A record of an interrupted change bars nothing after a start.
  EXPECT_TRUE(begin(change("5", "docs", "papers")).empty());
  EXPECT_TRUE(run(catalog_->scope_changes().revoke_ended()).value().empty());
  EXPECT_EQ(folder_of(ada_, "a"), "docs");
  EXPECT_FALSE(make(change("6", "docs", "papers")));
  EXPECT_EQ(folder_of(ada_, "a"), "papers");
}

}  // namespace
}  // namespace coffer::catalog
