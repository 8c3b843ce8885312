#include "core/keys/key_scopes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace coffer::core {
namespace {

Path path(const std::string& text) {
  return Path::parse(text).value();
}

const std::vector<ShareFolder> kShares = {
    {path("__adm_outer"), "/srv/a"},      {path("__adm_inner"), "/srv/a/b"},
    {path("__adm_same"), "/srv/a/b"},     {path("__adm_deep"), "/srv/a/b/c/d"},
    {path("__adm_neighbour"), "/srv/ab"}, {path("__adm_odd"), "/srv/a/b/c\n/d"},
};

constexpr AccountId kAccount{1};

using Views = std::map<std::string, std::string>;

/// From where to where the folder goes in each view.
Views views(const std::string& from, const std::optional<std::string>& to) {
  const auto target = to ? std::optional(path(*to)) : std::nullopt;
  Views all;
  for (const ChangeView& view : views_of_other_shares(kShares, kAccount, path(from), target)) {
    all.emplace(view.from.str(), view.to ? view.to->str() : "deleted");
  }
  return all;
}

TEST(KeyScopes, ADeletedFolderIsDeletedInEachShareThatHoldsIt) {
  EXPECT_EQ(views("__adm_outer/b/docs", {}),
            (Views{{"__adm_inner/docs", "deleted"}, {"__adm_same/docs", "deleted"}}));
  EXPECT_EQ(views("__adm_inner/docs", {}),
            (Views{{"__adm_outer/b/docs", "deleted"}, {"__adm_same/docs", "deleted"}}));
  EXPECT_EQ(views("__adm_deep/x", {}), (Views{{"__adm_outer/b/c/d/x", "deleted"},
                                              {"__adm_inner/c/d/x", "deleted"},
                                              {"__adm_same/c/d/x", "deleted"}}));
  EXPECT_EQ(views("__adm_outer/docs", {}), Views());
  EXPECT_EQ(views("docs", {}), Views());
  EXPECT_EQ(views("__conn_x/docs", {}), Views());
}

TEST(KeyScopes, SharesWhoseOwnFolderLiesInItAreConcerned) {
  EXPECT_EQ(views("__adm_inner/c", {}), (Views{{"__adm_outer/b/c", "deleted"},
                                               {"__adm_same/c", "deleted"},
                                               {"__adm_deep", "deleted"}}));
  const auto found =
      views_of_other_shares(kShares, kAccount, path("__adm_inner/c"), path("__adm_inner/e"));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].below, path("d"));
  EXPECT_EQ(found[2].to, path("__adm_inner/e/d"));
}

TEST(KeyScopes, AFolderKeepsToTheShareWhereItCanAndElseGoesWhereItGoes) {
  EXPECT_EQ(
      views("__adm_outer/b/docs", "__adm_outer/b/new"),
      (Views{{"__adm_inner/docs", "__adm_inner/new"}, {"__adm_same/docs", "__adm_same/new"}}));
  EXPECT_EQ(
      views("__adm_outer/b/docs", "__adm_outer/docs"),
      (Views{{"__adm_inner/docs", "__adm_outer/docs"}, {"__adm_same/docs", "__adm_outer/docs"}}));
  EXPECT_EQ(views("__adm_outer/b/docs", "docs"),
            (Views{{"__adm_inner/docs", "docs"}, {"__adm_same/docs", "docs"}}));
}

TEST(KeyScopes, SharesOverlapWhereOneLiesInTheOther) {
  EXPECT_EQ(overlapping_shares(kShares, path("__adm_neighbour/x")), std::vector<Path>());
  EXPECT_EQ(overlapping_shares(kShares, path("docs")), std::vector<Path>());
  EXPECT_EQ(overlapping_shares(kShares, path("__adm_deep/x")),
            (std::vector{path("__adm_outer"), path("__adm_inner"), path("__adm_same")}));
}

TEST(KeyScopes, AFolderLiesInAnotherThroughAnyShareThatHoldsIt) {
  const auto lies = [](const std::string& place, const std::string& folder) {
    return lies_in(kShares, path(place), path(folder));
  };
  EXPECT_TRUE(lies("__adm_inner", "__adm_outer/b"));
  EXPECT_TRUE(lies("__adm_outer/b", "__adm_same"));
  EXPECT_TRUE(lies("__adm_deep/x", "__adm_outer/b/c"));
  EXPECT_TRUE(lies("__adm_outer/x", "__adm_outer"));
  EXPECT_FALSE(lies("__adm_outer", "__adm_inner"));
  EXPECT_FALSE(lies("__adm_neighbour", "__adm_outer"));
  EXPECT_FALSE(lies("docs/x", "docs"));
  EXPECT_FALSE(lies("__adm_outer", "docs"));
}

}  // namespace
}  // namespace coffer::core
