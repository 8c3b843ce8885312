#pragma once

#include <curl/curl.h>

#include <memory>
#include <type_traits>

#include "base/late_library.h"

/// libcurl, which is loaded when one of its functions is called first: with what it needs itself,
/// GnuTLS among it, it takes two MiB that a server with its own files alone would have for nothing.
/// Each function is that of the same name in libcurl's manual, without its `curl_`.
namespace coffer::curl {

extern LateLibrary library;

#define COFFER_CURL_FUNCTION_(name) \
  inline const LateFunction<decltype(&::curl_##name)> name(library, "curl_" #name)
COFFER_CURL_FUNCTION_(easy_cleanup);
COFFER_CURL_FUNCTION_(easy_init);
COFFER_CURL_FUNCTION_(easy_pause);
COFFER_CURL_FUNCTION_(easy_perform);
COFFER_CURL_FUNCTION_(easy_reset);
COFFER_CURL_FUNCTION_(easy_strerror);
COFFER_CURL_FUNCTION_(free);
COFFER_CURL_FUNCTION_(global_init);
COFFER_CURL_FUNCTION_(multi_add_handle);
COFFER_CURL_FUNCTION_(multi_cleanup);
COFFER_CURL_FUNCTION_(multi_info_read);
COFFER_CURL_FUNCTION_(multi_init);
COFFER_CURL_FUNCTION_(multi_perform);
COFFER_CURL_FUNCTION_(multi_poll);
COFFER_CURL_FUNCTION_(multi_remove_handle);
COFFER_CURL_FUNCTION_(slist_append);
COFFER_CURL_FUNCTION_(slist_free_all);
COFFER_CURL_FUNCTION_(url);
COFFER_CURL_FUNCTION_(url_cleanup);
COFFER_CURL_FUNCTION_(url_get);
COFFER_CURL_FUNCTION_(url_set);
namespace details {
COFFER_CURL_FUNCTION_(easy_getinfo);
COFFER_CURL_FUNCTION_(easy_setopt);
COFFER_CURL_FUNCTION_(multi_setopt);
}  // namespace details
#undef COFFER_CURL_FUNCTION_

/// The types of value that curl_easy_setopt(3) takes: an `int` would be read as a `long`.
template <typename Value>
concept OptionValue = std::is_pointer_v<Value> || std::is_null_pointer_v<Value> ||
                      std::is_same_v<Value, long> || std::is_same_v<Value, curl_off_t>;

template <OptionValue Value>
CURLcode easy_setopt(CURL* easy, CURLoption option, Value value) {
  return details::easy_setopt(easy, option, value);
}

template <OptionValue Value>
CURLMcode multi_setopt(CURLM* multi, CURLMoption option, Value value) {
  return details::multi_setopt(multi, option, value);
}

template <typename Value>
CURLcode easy_getinfo(CURL* easy, CURLINFO info, Value* value) {
  return details::easy_getinfo(easy, info, value);
}

/// What frees an object of the library.
template <const auto& kFree>
struct Freeing {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};
using Easy = std::unique_ptr<CURL, Freeing<easy_cleanup>>;
using List = std::unique_ptr<curl_slist, Freeing<slist_free_all>>;
using Url = std::unique_ptr<CURLU, Freeing<url_cleanup>>;
using Text = std::unique_ptr<char, Freeing<free>>;

}  // namespace coffer::curl
