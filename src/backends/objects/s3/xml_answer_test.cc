#include "backends/objects/s3/xml_answer.h"

#include <gtest/gtest.h>

namespace coffer::objects::s3 {
namespace {

TEST(XmlAnswer, TellsTheErrorOfARequest) {
  const auto answer = parse_answer(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code><Message>The "
      "&lt;key&gt;"
      "</Message><Key>ab/c&amp;d</Key><RequestId>tx1</RequestId></Error>");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->root, "Error");
  ASSERT_EQ(answer->errors.size(), 1U);
  EXPECT_EQ(answer->errors[0].code, "NoSuchKey");
  EXPECT_EQ(answer->errors[0].key, "ab/c&d");
}

TEST(XmlAnswer, TellsTheErrorsOfManyObjects) {
  const auto answer = parse_answer(
      "<s3:DeleteResult xmlns:s3=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<s3:Deleted><s3:Key>a</s3:Key></s3:Deleted>"
      "<s3:Error><s3:Key>b</s3:Key><s3:Code>AccessDenied</s3:Code></s3:Error>"
      "<s3:Error><s3:Code>InternalError</s3:Code></s3:Error></s3:DeleteResult>");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->root, "DeleteResult");
  ASSERT_EQ(answer->errors.size(), 2U);
  EXPECT_EQ(answer->errors[0].key, "b");
  EXPECT_EQ(answer->errors[0].code, "AccessDenied");
  EXPECT_EQ(answer->errors[1].key, "");
  EXPECT_EQ(answer->errors[1].code, "InternalError");
  EXPECT_TRUE(parse_answer("<DeleteResult/>").value().errors.empty());
}

TEST(XmlAnswer, TakesNothingButXml) {
  for (const char* body : {"", "nonsense", "<Error><Code>A</Code>", "<a></b>", "<a/><b/>",
                           "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>",
                           "<a><a><a><a><a><a><a><a><a/></a></a></a></a></a></a></a></a>"}) {
    EXPECT_FALSE(parse_answer(body)) << body;
  }
}

TEST(XmlAnswer, KeepsCodesToWords) {
  const auto answer =
      parse_answer("<Error><Code>No\nSuch Key\x7f" + std::string(500, 'y') + "</Code></Error>");
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->errors.at(0).code.starts_with("NoSuchKeyy"));
  EXPECT_LE(answer->errors.at(0).code.size(), 64U);
}

}  // namespace
}  // namespace coffer::objects::s3
