#include "app/freed_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <memory>
#include <vector>

namespace coffer::app {
namespace {

std::size_t resident_bytes() {
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(FreedMemory, GoesBackToTheSystemAlsoFromBelowWhatIsInUse) {
  constexpr std::size_t kBlockBytes = 16UL * 1024;
  constexpr std::size_t kBlocks = 8'000;
  const std::size_t before = resident_bytes();
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(std::make_unique<char[]>(kBlockBytes));
  const std::size_t full = resident_bytes();
  ASSERT_GT(full, before + kBlocks * kBlockBytes / 2);
  blocks.erase(blocks.begin(), blocks.end() - 1);
  return_freed_memory();
  EXPECT_LT(resident_bytes(), before + (full - before) / 4);
}

}  // namespace
}  // namespace coffer::app
