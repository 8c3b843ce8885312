#include "base/normal_form.h"

#include <gtest/gtest.h>

namespace coffer {
namespace {

TEST(NormalForm, TurnsOneIntoTheOther) {
  const std::string composed = "Z\u00FCrich \u00E9";
  const std::string decomposed = "Zu\u0308rich e\u0301";
  for (const std::string& text : {composed, decomposed}) {
    EXPECT_EQ(normalized(text, NormalForm::composed), composed);
    EXPECT_EQ(normalized(text, NormalForm::decomposed), decomposed);
  }
}

TEST(NormalForm, LeavesOtherTextAsItIs) {
  for (const char* text : {"", "plain", "\xFF\xFE", "\U0001F600"}) {
    EXPECT_EQ(normalized(text, NormalForm::composed), text);
    EXPECT_EQ(normalized(text, NormalForm::decomposed), text);
  }
}

}  // namespace
}  // namespace coffer
