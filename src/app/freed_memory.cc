#include "app/freed_memory.h"

#include <malloc.h>

#include <cstddef>

namespace coffer::app {
namespace {

constexpr std::size_t kMuchBytes = 32UL * 1024 * 1024;

}  // namespace

void return_freed_memory() {
  if (::mallinfo2().fordblks >= kMuchBytes) ::malloc_trim(0);
}

}  // namespace coffer::app
