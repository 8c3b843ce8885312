#include "sql/value.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace coffer::sql {
namespace {

enum class Colour : std::uint8_t { red, green };
constexpr auto words_of(Colour) {
  return enum_words<Colour>({{Colour::red, "red"}, {Colour::green, "green"}});
}

template <class T>
T there_and_back(const T& value) {
  return Codec<T>::from(to_value(value));
}

TEST(Value, ComesBackAsItWas) {
  EXPECT_EQ(there_and_back(-5), -5);
  EXPECT_EQ(there_and_back(true), true);
  EXPECT_EQ(there_and_back(std::string("a\nb")), "a\nb");
  EXPECT_EQ(there_and_back(kLatest), kLatest);
  EXPECT_EQ(there_and_back(AccountId{7}), AccountId{7});
  EXPECT_EQ(there_and_back(KeyId{"id"}), KeyId{"id"});
  EXPECT_EQ(there_and_back(Colour::green), Colour::green);
  EXPECT_EQ(there_and_back(Path::parse("a/b").value()), Path::parse("a/b").value());
  EXPECT_EQ(there_and_back(std::optional<int>()), std::nullopt);
  EXPECT_EQ(there_and_back(std::optional<std::string>("")), "");
}

TEST(Value, AColumnHoldsNoGreaterNumber) {
  EXPECT_EQ(there_and_back(std::numeric_limits<std::uint64_t>::max()),
            std::uint64_t{std::numeric_limits<std::int64_t>::max()});
}

TEST(Value, IntegersOfPostgresAreTexts) {
  EXPECT_EQ(Codec<int>::from(std::string("-12")), -12);
  EXPECT_EQ(Codec<bool>::from(std::string("1")), true);
}

TEST(Value, WhatTheTypeCannotHoldIsToldAsSuch) {
  EXPECT_THROW(Codec<int>::from(std::string("12x")), Failure);
  EXPECT_THROW(Codec<int>::from(std::string()), Failure);
  EXPECT_THROW(Codec<int>::from(Value()), Failure);
  EXPECT_THROW(Codec<int>::from(Value(std::int64_t{1} << 40)), Failure);
  EXPECT_THROW(Codec<std::uint64_t>::from(Value(std::int64_t{-1})), Failure);
  EXPECT_THROW(Codec<std::string>::from(Value()), Failure);
  EXPECT_THROW(Codec<Colour>::from(std::string("blue")), Failure);
  EXPECT_THROW(Codec<Path>::from(std::string("a/../b")), Failure);
}

}  // namespace
}  // namespace coffer::sql
