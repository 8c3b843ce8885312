#include <gtest/gtest.h>

#include "http/multipart.h"

namespace coffer::http {
namespace {

std::string file_name_of(std::string_view parameters) {
  const auto head = parse_part_head("Content-Disposition: form-data; name=f; " +
                                    std::string(parameters) + "\r\n");
  if (!head) return std::string("(").append(to_string(head.error().code)).append(")");
  return head->file_name.value_or("(none)");
}

std::string name_of(std::string_view lines) {
  const auto head = parse_part_head(lines);
  return head ? head->name : std::string("(").append(to_string(head.error().code)).append(")");
}

TEST(PartHead, ReadsFileNamesAsClientsWriteThem) {
  EXPECT_EQ(file_name_of(""), "(none)");
  EXPECT_EQ(file_name_of("filename=plain.txt"), "plain.txt");
  EXPECT_EQ(file_name_of("filename=\"a;b=c.txt\""), "a;b=c.txt");
  EXPECT_EQ(file_name_of("filename=\"a\\\"b\\\\c.txt\""), "a\"b\\c.txt");
  EXPECT_EQ(file_name_of("filename=\"a%22b.txt\""), "a\"b.txt");
  EXPECT_EQ(file_name_of("filename=\"100%25 %0D\""), "100%25 %0D");
  EXPECT_EQ(file_name_of("filename=\"\xC3\xA4\xE2\x82\xAC.txt\""), "\xC3\xA4\xE2\x82\xAC.txt");
  EXPECT_EQ(file_name_of("filename=\"\""), "");
  EXPECT_EQ(file_name_of("FILENAME = \"a\" ;"), "a");
}

TEST(PartHead, KeepsFoldersAsSent) {
  EXPECT_EQ(file_name_of("filename=\"a/../b.txt\""), "a/../b.txt");
  EXPECT_EQ(file_name_of("filename=\"C:\\dir\\b.txt\""), "C:\\dir\\b.txt");
}

TEST(PartHead, TakesTheExtendedFileNameOnlyWhereItStandsAlone) {
  EXPECT_EQ(file_name_of("filename*=UTF-8''%E2%82%AC%20x.txt"), "\xE2\x82\xAC x.txt");
  EXPECT_EQ(file_name_of("filename*=utf-8'en'a+b"), "a+b");
  EXPECT_EQ(file_name_of("filename=a; filename*=UTF-8''b"), "a");
  EXPECT_EQ(file_name_of("filename*=UTF-8''b; filename=a"), "a");
  EXPECT_EQ(file_name_of("filename*=ISO-8859-1''b"), "(invalid)");
  EXPECT_EQ(file_name_of("filename*=UTF-8''%zz"), "(invalid)");
  EXPECT_EQ(file_name_of("filename*=UTF-8''a%0D%0Ab"), "(invalid)");
}

TEST(PartHead, RefusesParametersThatAreMalformedOrStandTwice) {
  for (const char* parameters :
       {"filename=\"open", "filename=\"a\"b", "filename", "=a", "x y=a", "filename=a; filename=b",
        "filename=a; FileName=\"a\"", "name=g"}) {
    EXPECT_EQ(file_name_of(parameters), "(invalid)") << parameters;
  }
}

TEST(PartHead, ReadsHeadersInAnyCaseAndOrder) {
  EXPECT_EQ(name_of("CONTENT-TYPE: a/b\r\ncontent-disposition:FORM-DATA;NAME=\"x\"\r\nZ:\r\n"),
            "x");
  EXPECT_EQ(name_of("Content-Disposition: form-data;\r\n\tname=\"x\"\r\nZ: y\r\n z\r\n"), "x");
  EXPECT_EQ(name_of("Content-Disposition: form-data; name=\"\"\r\n"), "");
  EXPECT_EQ(name_of("Content-Disposition: form-data; name=\"a%22b\"\r\n"), "a\"b");
}

TEST(PartHead, RefusesMalformedHeaders) {
  using namespace std::string_literals;
  const std::string good = "Content-Disposition: form-data; name=a\r\n";
  ASSERT_EQ(name_of(good), "a");
  for (const std::string& lines :
       {good + good, good + "no colon\r\n", good + ": x\r\n", good + "X : y\r\n", " " + good,
        good + "X: a\0b\r\n"s, good + "X: a\rb\r\n", good + "X: a\nb\r\n", good + "X: \x7F\r\n",
        "Content-Disposition: form-data; name=\"a\x01\"\r\n"s, "Content-Type: a/b\r\n"s, ""s}) {
    EXPECT_EQ(name_of(lines), "(invalid)") << lines;
  }
}

}  // namespace
}  // namespace coffer::http
