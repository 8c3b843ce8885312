#include "core/identity/person_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::core {
namespace {

using catalog::Role;

constexpr std::uint64_t kGibibyte = 1ULL << 30;

PersonRules rules() {
  PersonRules rules;
  rules.allowed_groups = {"staff", "guests"};
  rules.admin_groups = {"admins", "/it/admins"};
  rules.group_quotas = {{"staff", 100 * kGibibyte}, {"guests", kGibibyte}, {"lab", 0}};
  return rules;
}

ProvidedPerson in_groups(std::optional<std::vector<std::string>> groups) {
  ProvidedPerson person;
  person.groups = std::move(groups);
  return person;
}

ProvidedPerson named(const std::string& name) {
  ProvidedPerson person;
  person.name = name;
  return person;
}

TEST(PersonRules, NameWhoMaySignIn) {
  EXPECT_TRUE(check_is_allowed(rules(), in_groups({{"x", "guests"}})));
  EXPECT_EQ(check_is_allowed(rules(), in_groups({{"Staff"}})).error().code, ErrorCode::forbidden);
  EXPECT_EQ(check_is_allowed(rules(), in_groups({{}})).error().code, ErrorCode::forbidden);
  EXPECT_EQ(check_is_allowed(rules(), in_groups({})).error().code, ErrorCode::forbidden);
  EXPECT_TRUE(check_is_allowed({}, in_groups({})));
  EXPECT_TRUE(check_is_allowed({}, in_groups({{}})));
}

TEST(PersonRules, GiveARole) {
  EXPECT_EQ(rights_of(rules(), in_groups({{"x", "/it/admins"}})).role, Role::admin);
  EXPECT_EQ(rights_of(rules(), in_groups({{"staff"}})).role, Role::user);
  EXPECT_EQ(rights_of(rules(), in_groups({{}})).role, Role::user);
  EXPECT_EQ(rights_of(rules(), in_groups({})).role, std::nullopt) << "nothing is said of groups";
  EXPECT_EQ(rights_of({}, in_groups({{"admins"}})).role, std::nullopt);
}

TEST(PersonRules, GiveAQuota) {
  const auto quota = [](std::vector<std::string> groups) {
    return rights_of(rules(), in_groups(std::move(groups))).quota_bytes;
  };
  EXPECT_EQ(quota({"staff"}), 100 * kGibibyte);
  EXPECT_EQ(quota({"guests", "staff"}), 100 * kGibibyte);
  EXPECT_EQ(quota({"guests", "lab", "staff"}), 0U);
  EXPECT_EQ(quota({"other"}), std::nullopt);
  EXPECT_EQ(rights_of(rules(), in_groups({})).quota_bytes, std::nullopt);
  PersonRules for_all = rules();
  for_all.group_quotas.push_back({"*", 5});
  EXPECT_EQ(rights_of(for_all, in_groups({{"other"}})).quota_bytes, 5U);
  EXPECT_EQ(rights_of(for_all, in_groups({{"guests"}})).quota_bytes, kGibibyte);
  EXPECT_EQ(rights_of(for_all, in_groups({})).quota_bytes, std::nullopt);
  ProvidedPerson person = in_groups({{"staff"}});
  person.quota_bytes = 7;
  EXPECT_EQ(rights_of(rules(), person).quota_bytes, 7U);
}

TEST(PersonRules, AreWrittenAsGroupAndSize) {
  EXPECT_EQ(parse_group_quota("staff=100GiB"), (GroupQuota{"staff", 100 * kGibibyte}));
  EXPECT_EQ(parse_group_quota("cn=staff,dc=example=0"), (GroupQuota{"cn=staff,dc=example", 0}));
  for (const char* text : {"", "staff", "=1GiB", "staff=", "staff=much", "staff=-1"}) {
    EXPECT_EQ(parse_group_quota(text), std::nullopt) << text;
  }
}

TEST(AccountName, IsMadeOfAnyName) {
  const auto name = [](const std::string& given, unsigned number = 1) {
    return account_name_of(named(given), number);
  };
  EXPECT_EQ(name("ann"), "ann");
  EXPECT_EQ(name("Ann.Example@example.org"), "ann.example");
  EXPECT_EQ(name("José Núñez"), "jose-nunez");
  EXPECT_EQ(name("DOMAIN\\ann"), "domain-ann");
  EXPECT_EQ(name("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(name("@example.org"), "user");
  EXPECT_EQ(name(""), "user");
  EXPECT_EQ(name("李"), "user");
  EXPECT_EQ(name("李4"), "4");
  EXPECT_EQ(name("ann", 2), "ann2");
  EXPECT_EQ(name(std::string(100, 'x')), std::string(64, 'x'));
  EXPECT_EQ(name(std::string(100, 'x'), 12), std::string(62, 'x') + "12");
  EXPECT_EQ(name("\xff\xfe"), "user");
}

TEST(DisplayName, IsWhatCanBeShown) {
  ProvidedPerson person = named("ann");
  EXPECT_EQ(display_name_of(person), "ann");
  person.display_name = "Ann Examplé";
  EXPECT_EQ(display_name_of(person), "Ann Examplé");
  person.display_name = "a\nb";
  EXPECT_EQ(display_name_of(person), std::nullopt);
  std::string many;
  for (int count = 0; count < 101; ++count) many += "é";
  person.display_name = many;
  EXPECT_EQ(display_name_of(person), many.substr(2));
  EXPECT_EQ(display_name_of({}), std::nullopt);
}

}  // namespace
}  // namespace coffer::core
