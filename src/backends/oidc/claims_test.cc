#include "backends/oidc/claims.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace coffer::oidc {
namespace {

namespace json = boost::json;

using Groups = std::optional<std::vector<std::string>>;

json::object object_of(const char* text) {
  return json::parse(text).as_object();
}

Groups groups_in(const char* id_token, const std::string& claim, const char* userinfo = "{}") {
  ClaimNames names;
  names.groups = claim;
  return person_of(object_of(id_token), object_of(userinfo), names).groups;
}

std::optional<std::uint64_t> quota_in(const char* id_token) {
  ClaimNames names;
  names.quota = "quota";
  return person_of(object_of(id_token), {}, names).quota_bytes;
}

TEST(Claims, AreFoundByTheirNameThenByAPath) {
  EXPECT_EQ(groups_in(R"({"groups":["a","b"]})", "groups"), (Groups({"a", "b"})));
  EXPECT_EQ(groups_in(R"({"https://example.org/groups":["a"]})", "https://example.org/groups"),
            Groups({"a"}));
  EXPECT_EQ(groups_in(R"({"realm_access":{"roles":["a"]}})", "realm_access.roles"), Groups({"a"}));
  EXPECT_EQ(groups_in(R"({"a.b":["literal"],"a":{"b":["path"]}})", "a.b"), Groups({"literal"}));
  EXPECT_EQ(groups_in(R"({"a.b":null,"a":{"b":["path"]}})", "a.b"), Groups({"path"}));
  EXPECT_EQ(groups_in(R"({"a":{"b":{"c":["deep"]}}})", "a.b.c"), Groups({"deep"}));
  for (const char* token : {"{}", R"({"a":["x"]})", R"({"a":{"b":7}})", R"({"a":{}})"}) {
    EXPECT_EQ(groups_in(token, "a.b.c"), std::nullopt) << token;
  }
  EXPECT_EQ(groups_in(R"({"groups":["a"],"":["b"]})", ""), std::nullopt);
}

TEST(Claims, OfGroupsAreAListOrOneText) {
  EXPECT_EQ(groups_in(R"({"groups":[]})", "groups"), Groups(std::vector<std::string>()));
  EXPECT_EQ(groups_in(R"({"groups":"staff"})", "groups"), Groups({"staff"}));
  EXPECT_EQ(groups_in(R"({"groups":["a",7,null,["b"]]})", "groups"), Groups({"a"}));
  for (const char* token : {"{}", R"({"groups":null})", R"({"groups":7})", R"({"groups":{}})"}) {
    EXPECT_EQ(groups_in(token, "groups"), std::nullopt) << token;
  }
}

TEST(Claims, AreOfUserinfoWhereTheIdTokenLacksThem) {
  EXPECT_EQ(groups_in("{}", "groups", R"({"groups":["a"]})"), Groups({"a"}));
  EXPECT_EQ(groups_in(R"({"groups":[]})", "groups", R"({"groups":["a"]})"),
            Groups(std::vector<std::string>()));
  ClaimNames names;
  names.groups = "groups";
  EXPECT_TRUE(needs_userinfo(object_of(R"({"preferred_username":"ann"})"), names));
  EXPECT_TRUE(needs_userinfo(object_of(R"({"groups":[]})"), names));
  EXPECT_FALSE(needs_userinfo(object_of(R"({"preferred_username":"ann","groups":[]})"), names));
  names.groups.clear();
  EXPECT_FALSE(needs_userinfo(object_of(R"({"preferred_username":"ann"})"), names));
}

TEST(Claims, NameThePerson) {
  ClaimNames names;
  const Person person = person_of(object_of(R"({"preferred_username":"ann"})"),
                                  object_of(R"({"name":"Ann"})"), names);
  EXPECT_EQ(person.name, "ann");
  EXPECT_EQ(person.display_name, "Ann");
  names.name = "email";
  EXPECT_EQ(person_of(object_of(R"({"email":["x"]})"), {}, names).name, "");
}

TEST(Claims, OfAQuotaAreBytesOrASize) {
  EXPECT_EQ(quota_in(R"({"quota":1048576})"), 1048576U);
  EXPECT_EQ(quota_in(R"({"quota":0})"), 0U);
  EXPECT_EQ(quota_in(R"({"quota":"1 GiB"})"), 1073741824U);
  EXPECT_EQ(quota_in(R"({"quota":"42"})"), 42U);
  for (const char* token :
       {"{}", R"({"quota":null})", R"({"quota":-1})", R"({"quota":1.5})", R"({"quota":1e30})",
        R"({"quota":"much"})", R"({"quota":""})", R"({"quota":[1]})", R"({"quota":true})",
        R"({"quota":18446744073709551615})"}) {
    EXPECT_EQ(quota_in(token), std::nullopt) << token;
  }
}

}  // namespace
}  // namespace coffer::oidc
