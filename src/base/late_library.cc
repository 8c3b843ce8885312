#include "base/late_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace coffer {

void* LateLibrary::find(const char* symbol) {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr) handle_ = ::dlopen(file_, RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    throw std::runtime_error(
        fmt::format("A library cannot be loaded; install it again: {}", ::dlerror()));
  }
  void* const found = ::dlsym(handle_, symbol);
  if (found == nullptr) {
    throw std::runtime_error(
        fmt::format("{} is not the version that is needed, it lacks {}.", file_, symbol));
  }
  return found;
}

}  // namespace coffer
