#include "catalog/ticket_lock.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace coffer::catalog {
namespace {

TEST(TicketLock, IsGivenInTheOrderInWhichItWasAskedFor) {
  TicketLock lock;
  std::string order;
  std::vector<std::jthread> threads;
  lock.lock();
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    const auto before = lock.users();
    threads.emplace_back([&, letter] {
      const std::lock_guard held(lock);
      order += letter;
    });
    while (lock.users() == before) std::this_thread::yield();
  }
  lock.unlock();
  threads.clear();
  EXPECT_EQ(order, "abcd");
  EXPECT_EQ(lock.users(), 0U);
}

}  // namespace
}  // namespace coffer::catalog
