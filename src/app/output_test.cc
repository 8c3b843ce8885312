#include "app/output.h"

#include <gtest/gtest.h>

namespace coffer::app {
namespace {

TEST(Output, APrintableTextControlsNoTerminal) {
  EXPECT_EQ(printable("Größe 漢 \u00a0"), "Größe 漢 \u00a0");
  EXPECT_EQ(printable("a\nb\x1b[2J\x7f"), "a\\x0ab\\x1b[2J\\x7f");
  EXPECT_EQ(printable("\u009b31m\u0085"), "\\xc2\\x9b31m\\xc2\\x85");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
}

TEST(Output, ATableAndAMessageAreLinesOfPrintableText) {
  Table table({"NAME", "AGENT"});
  table.add({"ada", "x\u009by\nz"});
  testing::internal::CaptureStdout();
  table.print();
  ASSERT_TRUE(flush_output());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "NAME  AGENT\nada   x\\xc2\\x9by\\x0az\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(complain("no\n\x1b[2J"), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "coffer: no\\x0a\\x1b[2J\n");
}

}  // namespace
}  // namespace coffer::app
