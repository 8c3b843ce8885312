#include "mounts/drive_engines.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "async/run.h"
#include "base/testing/scratch_folder.h"

namespace coffer::mounts {
namespace {

constexpr AccountId kAda{1};
constexpr AccountId kBob{2};
constexpr AccountId kEve{3};

class DriveEnginesTest : public testing::Test {
 protected:
  std::unique_ptr<rclone::RcloneProcess> make(std::size_t number) {
    numbers_.insert(number);
    return std::make_unique<rclone::RcloneProcess>(
        rclone::RcloneOptions{.folder = folder_.path() / "engine", .program = "no-such-rclone"});
  }

  static std::string refusal(rclone::RcloneProcess& engine) {
    const auto run = coffer::run(engine.running());
    return run ? "" : run.error().message;
  }

  ScratchFolder folder_;
  std::multiset<std::size_t> numbers_;
  DriveEngines engines_{[this](std::size_t number) { return make(number); }, 2};
};

TEST_F(DriveEnginesTest, AnAccountHasOneOfItsOwn) {
  const auto of_ada = engines_.of(kAda);
  const auto of_bob = engines_.of(kBob);
  EXPECT_EQ(engines_.of(kAda), of_ada);
  EXPECT_NE(of_ada, of_bob);
  EXPECT_EQ(numbers_, (std::multiset<std::size_t>{0, 1}));
}

TEST_F(DriveEnginesTest, WhatNobodyHoldsIsGivenToTheNext) {
  auto of_ada = engines_.of(kAda);
  auto again = engines_.of(kAda);
  auto* const engine = of_ada.get();
  of_ada.reset();
  EXPECT_NE(engines_.of(kBob).get(), engine);
  again.reset();
  EXPECT_EQ(engines_.of(kEve).get(), engine);
  EXPECT_EQ(numbers_.size(), 2U);
}

TEST_F(DriveEnginesTest, WhenAllAreTakenTheOneOfTheFewestIsShared) {
  const auto of_ada = engines_.of(kAda);
  const auto of_bob = engines_.of(kBob);
  const auto of_eve = engines_.of(kEve);
  const auto of_next = engines_.of(AccountId{4});
  EXPECT_EQ(of_eve.get(), of_ada.get());
  EXPECT_EQ(of_next.get(), of_bob.get());
  EXPECT_EQ(engines_.of(kEve), of_eve);
  EXPECT_EQ(numbers_.size(), 2U);
}

TEST_F(DriveEnginesTest, AnAccountGetsTheOneThatItHadBefore) {
  auto of_ada = engines_.of(kAda);
  auto of_bob = engines_.of(kBob);
  auto* const had = of_bob.get();
  of_ada.reset();
  of_bob.reset();
  EXPECT_EQ(engines_.of(kBob).get(), had);
}

TEST_F(DriveEnginesTest, NoneStartsAfterTheEnd) {
  const auto before = engines_.of(kAda);
  EXPECT_NE(refusal(*before).find("not installed"), std::string::npos);
  engines_.end();
  EXPECT_EQ(refusal(*before), "This server is ending.");
  EXPECT_EQ(refusal(*engines_.of(kBob)), "This server is ending.");
}

}  // namespace
}  // namespace coffer::mounts
