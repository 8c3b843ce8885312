#include "http/query.h"

#include <gtest/gtest.h>

namespace coffer::http {
namespace {

std::string decode(std::string_view text, bool plus_is_space = true) {
  const auto decoded = percent_decode(text, plus_is_space);
  return decoded ? *decoded : std::string("(").append(to_string(decoded.error().code)).append(")");
}

std::string value_of(std::string_view query, std::string_view name) {
  const auto parsed = Query::parse(query);
  if (!parsed) return std::string("(").append(parsed.error().message).append(")");
  const auto value = parsed->get(name);
  if (!value) return std::string("(").append(value.error().message).append(")");
  return std::string(value->value_or("(none)"));
}

TEST(PercentDecode, DecodesOnce) {
  EXPECT_EQ(decode(""), "");
  EXPECT_EQ(decode("a%20b%2Fc%2f"), "a b/c/");
  EXPECT_EQ(decode("%252e%252e"), "%2e%2e");
  EXPECT_EQ(decode("%2e%2E"), "..");
  EXPECT_EQ(decode("%E2%82%AC\xE2\x82\xAC"), "\xE2\x82\xAC\xE2\x82\xAC");
  EXPECT_EQ(decode("%41"), "A");
}

TEST(PercentDecode, TakesPlusForASpaceInFormsAlone) {
  EXPECT_EQ(decode("a+b%2Bc"), "a b+c");
  EXPECT_EQ(decode("a+b%2Bc", false), "a+b+c");
}

TEST(PercentDecode, RefusesBrokenEscapes) {
  for (const char* text : {"%", "a%", "%4", "%zz", "%4z", "%z4", "%%41", "%+1", "% 1", "%u0041"}) {
    EXPECT_EQ(decode(text), "(invalid)") << text;
  }
}

TEST(PercentDecode, RefusesControlCharactersAndWhatIsNotUtf8) {
  using namespace std::string_view_literals;
  for (const auto text :
       {"%00"sv, "%0a"sv, "%0D%0A"sv, "%1F"sv, "%7f"sv, "%C2%85"sv, "a\0b"sv, "\n"sv, "%ff"sv,
        "%C3"sv, "%C0%AF"sv, "%ED%A0%80"sv, "\xC3("sv, "%F5%80%80%80"sv}) {
    EXPECT_EQ(decode(text), "(invalid)") << text;
  }
}

TEST(Query, FindsValuesByTheirDecodedNames) {
  EXPECT_EQ(value_of("path=a%2Fb&name=x+y", "path"), "a/b");
  EXPECT_EQ(value_of("path=a%2Fb&name=x+y", "name"), "x y");
  EXPECT_EQ(value_of("p%61th=a", "path"), "a");
  EXPECT_EQ(value_of("path=a", "Path"), "(none)");
  EXPECT_EQ(value_of("", "path"), "(none)");
}

TEST(Query, TellsEmptyValuesFromMissingOnes) {
  EXPECT_EQ(value_of("path=&name=x", "path"), "");
  EXPECT_EQ(value_of("path&name=x", "path"), "");
  EXPECT_EQ(value_of("=x", ""), "x");
  EXPECT_EQ(value_of("=x", "path"), "(none)");
}

TEST(Query, SplitsAtTheFirstEqualsSignAndAtAmpersandsAlone) {
  EXPECT_EQ(value_of("path=a=b==", "path"), "a=b==");
  EXPECT_EQ(value_of("path=a;name=b", "path"), "a;name=b");
  EXPECT_EQ(value_of("path=a%26name%3Db", "path"), "a&name=b");
  EXPECT_EQ(value_of("&&path=a&&&name=b&", "name"), "b");
}

TEST(Query, RefusesAParameterGivenTwice) {
  EXPECT_EQ(value_of("path=a&path=a", "path"), "(The parameter path is given twice.)");
  EXPECT_EQ(value_of("path=&p%61th", "path"), "(The parameter path is given twice.)");
  EXPECT_EQ(value_of("other=a&other=b&path=c", "path"), "c");
}

TEST(Query, NamesTheParameterThatIsBroken) {
  EXPECT_NE(value_of("a=b&path=%zz", "a").find("path"), std::string::npos);
  const auto broken_name = Query::parse("%zz=a");
  ASSERT_FALSE(broken_name);
  EXPECT_EQ(broken_name.error().code, ErrorCode::invalid);
}

TEST(QueryEncode, KeepsLettersDigitsAndSlashes) {
  EXPECT_EQ(query_encode("a/B-9._~"), "a/B-9._~");
  EXPECT_EQ(query_encode("a b&c=d+e%\xC3\xA4"), "a%20b%26c%3Dd%2Be%25%C3%A4");
}

}  // namespace
}  // namespace coffer::http
