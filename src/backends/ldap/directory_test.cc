#include "backends/ldap/directory.h"

#include <gtest/gtest.h>

namespace coffer::ldap {
namespace {

TEST(LdapDirectory, NamesHaveNoMeaningInAFilter) {
  EXPECT_EQ(escaped_for_filter("ann.b-c_d@x y"), "ann.b-c_d@x y");
  EXPECT_EQ(escaped_for_filter("*)(uid=*"), "\\2a\\29\\28uid\\3d\\2a");
  EXPECT_EQ(escaped_for_filter(std::string_view("a\0\\", 3)), "a\\00\\5c");
  EXPECT_EQ(filter_for("(|(uid={name})(mail={name}))", "*"), "(|(uid=\\2a)(mail=\\2a))");
  EXPECT_EQ(filter_for("(uid={name})", "{name}"), "(uid=\\7bname\\7d)");
}

TEST(LdapDirectory, IdsAreTextsAndFindTheirEntry) {
  EXPECT_EQ(id_text("5f0c2a9d-1b7e"), "5f0c2a9d-1b7e");
  EXPECT_EQ(id_text(std::string_view("\x01\xff\x00", 3)), "hex:01ff00");
  EXPECT_EQ(id_text("hex:00"), "hex:6865783a3030");
  EXPECT_EQ(filter_for_id("entryUUID", "5f0c-1"), "(entryUUID=5f0c-1)");
  EXPECT_EQ(filter_for_id("objectGUID", "hex:01ff00"), "(objectGUID=\\01\\ff\\00)");
}

TEST(LdapDirectory, GroupsAreCalledByTheirFirstPartToo) {
  const std::vector<std::string> names = group_names({"cn=staff,ou=groups,dc=example", "plain"});
  EXPECT_EQ(names, (std::vector<std::string>{"cn=staff,ou=groups,dc=example", "staff", "plain"}));
  EXPECT_TRUE(group_names({std::string(300, 'x'), "\xff"}).empty());
}

TEST(LdapDirectory, AnEmptyPasswordIsWrongWithoutBeingAskedFor) {
  DirectoryOptions options;
  options.url = "ldap://127.0.0.1:9";
  const Directory directory(options);
  EXPECT_FALSE(directory.check("ann", "").value());
  EXPECT_FALSE(directory.check("", "secret").value());
  EXPECT_EQ(directory.check("ann", "secret").error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace coffer::ldap
