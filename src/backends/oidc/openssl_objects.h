#pragma once

#include <memory>
#include <new>
#include <string_view>

namespace coffer::oidc {

/// What frees an object of OpenSSL.
template <auto kFree>
struct OpenSslFree {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};
template <typename Object, auto kFree>
using OpenSslPtr = std::unique_ptr<Object, OpenSslFree<kFree>>;

/// Returns the pointer; throws std::bad_alloc if it is null.
template <typename Pointer>
Pointer not_null(Pointer pointer) {
  if (!pointer) throw std::bad_alloc();
  return pointer;
}

inline const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace coffer::oidc
