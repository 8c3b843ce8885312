#include "backends/oauth/form_post.h"

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>

namespace coffer::oauth {
namespace {

constexpr std::size_t kLongestAnswerBytes = 64 * 1024;

using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

/// The state of one request.
struct Course {
  const FormPost& post;
  FormAnswer answer = {};
  std::size_t received_bytes = 0;
  bool is_too_long = false;
  bool is_refused_address = false;
  std::optional<Error> lack = {};
};

curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
  Course& course = *static_cast<Course*>(self);
  const bool is_ip = address->family == AF_INET || address->family == AF_INET6;
  if (purpose != CURLSOCKTYPE_IPCXN || !is_ip) return CURL_SOCKET_BAD;
  if (course.post.may_connect && !course.post.may_connect(address->addr)) {
    course.is_refused_address = true;
    return CURL_SOCKET_BAD;
  }
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket >= 0) return socket;
  course.lack = lack_of(errno);
  return CURL_SOCKET_BAD;
}

/// Headers count too: libcurl takes any number of them.
bool fits(Course& course, std::size_t bytes) {
  course.received_bytes += bytes;
  course.is_too_long = course.received_bytes > kLongestAnswerBytes;
  return !course.is_too_long;
}

std::size_t on_header(char* /*data*/, std::size_t size, std::size_t count, void* self) {
  return fits(*static_cast<Course*>(self), size * count) ? size * count : 0;
}

std::size_t on_data(char* data, std::size_t size, std::size_t count, void* self) {
  Course& course = *static_cast<Course*>(self);
  if (!fits(course, size * count)) return 0;
  course.answer.body.append(data, size * count);
  return size * count;
}

int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Course*>(self)->post.deadlines.ending.stop_requested() ? 1 : 0;
}

void set_callbacks(CURL* easy, Course& course) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &course);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &course);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_data);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &course);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &on_progress);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &course);
}

void set_options(CURL* easy, const FormPost& post, const std::string& form, curl_slist* headers) {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  // The body is a secret, and is sent to the checked address alone.
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!post.ca_file.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, post.ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  }
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(post.deadlines.connect.count()));
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(post.deadlines.reply.count()));
  curl_easy_setopt(easy, CURLOPT_URL, post.url.c_str());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(form.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, form.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

std::unexpected<Error> unavailable(std::string message) {
  return fail(ErrorCode::unavailable, std::move(message));
}

std::unexpected<Error> failure(CURLcode code, const Course& course) {
  if (course.lack) return std::unexpected(*course.lack);
  if (course.is_refused_address) {
    return unavailable("Connections to the provider's token address are not allowed.");
  }
  if (course.is_too_long) return unavailable("The provider's answer is too long.");
  switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
      return storage::fail_ending();
    case CURLE_OPERATION_TIMEDOUT:
      return fail(ErrorCode::timed_out, "The provider did not answer in time. Sign in again.");
    case CURLE_COULDNT_RESOLVE_HOST:
      return unavailable("The name of the provider's token address is not known.");
    case CURLE_COULDNT_CONNECT:
      return unavailable("The provider's token address cannot be reached.");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return unavailable("The certificate of the provider's token address is not trusted.");
    case CURLE_SSL_CACERT_BADFILE:
      return fail(ErrorCode::failed, "The certificates to trust cannot be read.");
    case CURLE_OUT_OF_MEMORY:
      throw std::bad_alloc();
    default:
      return unavailable("The connection to the provider's token address broke.");
  }
}

}  // namespace

Result<FormAnswer> send_form(const FormPost& post) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy(curl_easy_init(),
                                                                 &curl_easy_cleanup);
  const Headers headers(curl_slist_append(nullptr, "Accept: application/json"),
                        &curl_slist_free_all);
  if (!easy || !headers) throw std::bad_alloc();
  const std::string form = to_form(post.fields);
  Course course{post};
  set_options(easy.get(), post, form, headers.get());
  set_callbacks(easy.get(), course);
  const CURLcode code = curl_easy_perform(easy.get());
  if (code != CURLE_OK) return failure(code, course);
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &course.answer.status);
  return std::move(course.answer);
}

}  // namespace coffer::oauth
