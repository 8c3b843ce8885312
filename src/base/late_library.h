#pragma once

#include <atomic>
#include <mutex>

namespace coffer {

/// A shared library that is loaded when it is first needed and stays. For those that most servers
/// never need: what they need themselves takes several MiB of memory (see dlopen(3)). Safe from any
/// thread. Must live as long as the program.
class LateLibrary {
 public:
  /// `file` is the library's soname, such as `libm.so.6`.
  explicit constexpr LateLibrary(const char* file) : file_(file) {}

  /// Returns the address of a symbol. Loads the library before the first. Throws std::runtime_error
  /// with one line if the library or the symbol is missing.
  void* find(const char* symbol);

 private:
  const char* const file_;
  std::mutex mutex_;
  void* handle_ = nullptr;
};

/// A function of a LateLibrary, called as the function itself would be. `Function` is the type of a
/// pointer to it, as its header declares it. Throws as LateLibrary::find does at the first call.
template <typename Function>
class LateFunction {
 public:
  constexpr LateFunction(LateLibrary& library, const char* name) : library_(library), name_(name) {}

  template <typename... Arguments>
  auto operator()(Arguments... arguments) const {
    Function function = found_.load(std::memory_order_acquire);
    if (function == nullptr) {
      function = reinterpret_cast<Function>(library_.find(name_));
      found_.store(function, std::memory_order_release);
    }
    return function(arguments...);
  }

 private:
  LateLibrary& library_;
  const char* const name_;
  mutable std::atomic<Function> found_ = nullptr;
};

}  // namespace coffer
