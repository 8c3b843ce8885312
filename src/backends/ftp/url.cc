#include "backends/ftp/url.h"

#include <curl/curl.h>

#include <memory>
#include <new>

namespace coffer::ftp {
namespace {

bool set(CURLU* url, CURLUPart part, const std::string& text, unsigned flags = 0) {
  const auto code = curl_url_set(url, part, text.c_str(), flags);
  if (code == CURLUE_OUT_OF_MEMORY) throw std::bad_alloc();
  return code == CURLUE_OK;
}

}  // namespace

std::string url_of(const FtpOptions& options, std::string_view place) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), &curl_url_cleanup);
  if (!url) throw std::bad_alloc();
  const bool bracketed = options.host.find(':') != std::string::npos;
  const auto host = bracketed ? "[" + options.host + "]" : options.host;
  // The first slash ends the host, the second one begins an absolute path. All that is not plain is
  // encoded, so that no name is taken for more: `;type=`, `%`, `#`, `?`.
  const auto path = "/" + std::string(place);
  const bool whole =
      set(url.get(), CURLUPART_SCHEME, options.tls == Tls::implicit_tls ? "ftps" : "ftp") &&
      set(url.get(), CURLUPART_HOST, host) &&
      set(url.get(), CURLUPART_PORT, std::to_string(options.port)) &&
      set(url.get(), CURLUPART_PATH, path, CURLU_URLENCODE);
  char* text = nullptr;
  if (!whole || curl_url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owned(text, &curl_free);
  return text;
}

}  // namespace coffer::ftp
