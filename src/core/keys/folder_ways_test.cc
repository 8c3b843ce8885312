#include "core/keys/folder_ways.h"

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

using Ways = std::map<std::string, std::string>;

/// Where each way comes from, and where it goes to.
Ways ways(const std::string& from, const std::optional<std::string>& to) {
  const auto target = to ? std::optional(path(*to)) : std::nullopt;
  Ways all;
  for (const FolderWay& way : other_ways(kShares, path(from), target)) {
    all.emplace(way.from.str(), way.to ? way.to->str() : "deleted");
  }
  return all;
}

TEST(FolderWays, ADeletedFolderIsDeletedInEachShareThatHoldsIt) {
  EXPECT_EQ(ways("__adm_outer/b/docs", {}),
            (Ways{{"__adm_inner/docs", "deleted"}, {"__adm_same/docs", "deleted"}}));
  EXPECT_EQ(ways("__adm_inner/docs", {}),
            (Ways{{"__adm_outer/b/docs", "deleted"}, {"__adm_same/docs", "deleted"}}));
  EXPECT_EQ(ways("__adm_deep/x", {}), (Ways{{"__adm_outer/b/c/d/x", "deleted"},
                                            {"__adm_inner/c/d/x", "deleted"},
                                            {"__adm_same/c/d/x", "deleted"}}));
  EXPECT_EQ(ways("__adm_outer/docs", {}), Ways());
  EXPECT_EQ(ways("docs", {}), Ways());
  EXPECT_EQ(ways("__conn_x/docs", {}), Ways());
}

TEST(FolderWays, SharesWhoseOwnFolderLiesInItAreConcerned) {
  EXPECT_EQ(ways("__adm_inner/c", {}), (Ways{{"__adm_outer/b/c", "deleted"},
                                             {"__adm_same/c", "deleted"},
                                             {"__adm_deep", "deleted"}}));
  const auto found = other_ways(kShares, path("__adm_inner/c"), path("__adm_inner/e"));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].below, path("d"));
  EXPECT_EQ(found[2].to, path("__adm_inner/e/d"));
}

TEST(FolderWays, AFolderKeepsToTheShareWhereItCanAndElseGoesWhereItGoes) {
  EXPECT_EQ(ways("__adm_outer/b/docs", "__adm_outer/b/new"),
            (Ways{{"__adm_inner/docs", "__adm_inner/new"}, {"__adm_same/docs", "__adm_same/new"}}));
  EXPECT_EQ(
      ways("__adm_outer/b/docs", "__adm_outer/docs"),
      (Ways{{"__adm_inner/docs", "__adm_outer/docs"}, {"__adm_same/docs", "__adm_outer/docs"}}));
  EXPECT_EQ(ways("__adm_outer/b/docs", "docs"),
            (Ways{{"__adm_inner/docs", "docs"}, {"__adm_same/docs", "docs"}}));
}

TEST(FolderWays, SharesOverlapWhereOneLiesInTheOther) {
  EXPECT_EQ(overlapping_tops(kShares, path("__adm_neighbour/x")), std::vector<Path>());
  EXPECT_EQ(overlapping_tops(kShares, path("docs")), std::vector<Path>());
  EXPECT_EQ(overlapping_tops(kShares, path("__adm_deep/x")),
            (std::vector{path("__adm_outer"), path("__adm_inner"), path("__adm_same")}));
}

TEST(FolderWays, AFolderLiesInAnotherByAnyShareThatHoldsIt) {
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
