#include "backends/curl/request.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>

#include "backends/curl/curl.h"

namespace coffer::curl {
namespace {

/// The state of one request.
struct Course {
  const Request& request;
  Answer answer = {};
  std::size_t received_bytes = 0;
  bool is_too_long = false;
  bool is_refused_address = false;
  std::optional<Error> lack = {};
};

curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
  Course& course = *static_cast<Course*>(self);
  const bool is_ip = address->family == AF_INET || address->family == AF_INET6;
  if (purpose != CURLSOCKTYPE_IPCXN || !is_ip) return CURL_SOCKET_BAD;
  if (course.request.may_connect && !course.request.may_connect(address->addr)) {
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
  course.is_too_long = course.received_bytes > course.request.limit_bytes;
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
  return static_cast<Course*>(self)->request.deadlines.ending.stop_requested() ? 1 : 0;
}

void set_callbacks(CURL* easy, Course& course) {
  easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &course);
  easy_setopt(easy, CURLOPT_HEADERFUNCTION, &on_header);
  easy_setopt(easy, CURLOPT_HEADERDATA, &course);
  easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_data);
  easy_setopt(easy, CURLOPT_WRITEDATA, &course);
  easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &on_progress);
  easy_setopt(easy, CURLOPT_XFERINFODATA, &course);
}

void set_options(CURL* easy, const Request& request, curl_slist* headers) {
  easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  easy_setopt(easy, CURLOPT_PROXY, "");
  // What is sent may be a secret, and is sent to the checked address alone.
  easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!request.ca_file.empty()) {
    easy_setopt(easy, CURLOPT_CAINFO, request.ca_file.c_str());
    easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  }
  easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
              static_cast<long>(request.deadlines.connect.count()));
  easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.deadlines.reply.count()));
  easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

std::unexpected<Error> unavailable(std::string message) {
  return fail(ErrorCode::unavailable, std::move(message));
}

std::unexpected<Error> failure(CURLcode code, const Course& course) {
  const std::string& server = course.request.server;
  if (course.lack) return std::unexpected(*course.lack);
  if (course.is_refused_address) {
    return unavailable(fmt::format("Connections to {} are not allowed.", server));
  }
  if (course.is_too_long) return unavailable(fmt::format("The answer of {} is too long.", server));
  switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
      return storage::fail_ending();
    case CURLE_OPERATION_TIMEDOUT:
      return fail(ErrorCode::timed_out,
                  fmt::format("The answer of {} did not come in time. Try again.", server));
    case CURLE_COULDNT_RESOLVE_HOST:
      return unavailable(fmt::format("The name of {} is not known.", server));
    case CURLE_COULDNT_CONNECT:
      return unavailable(fmt::format("There is no connection: {} cannot be reached.", server));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return unavailable(fmt::format("The certificate of {} is not trusted.", server));
    case CURLE_SSL_CACERT_BADFILE:
      return fail(ErrorCode::failed, "The certificates to trust cannot be read.");
    case CURLE_OUT_OF_MEMORY:
      throw std::bad_alloc();
    default:
      return unavailable(fmt::format("The connection to {} broke.", server));
  }
}

List header_list(const std::vector<std::string>& lines) {
  List list(slist_append(nullptr, "Accept: application/json"));
  if (!list) throw std::bad_alloc();
  for (const std::string& line : lines) {
    if (slist_append(list.get(), line.c_str()) == nullptr) throw std::bad_alloc();
  }
  return list;
}

}  // namespace

Result<Answer> send(const Request& request) {
  const Easy easy(easy_init());
  if (!easy) throw std::bad_alloc();
  const List headers = header_list(request.headers);
  const std::string form = request.form ? to_form(*request.form) : std::string();
  Course course{request};
  set_options(easy.get(), request, headers.get());
  if (request.form) {
    easy_setopt(easy.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(form.size()));
    easy_setopt(easy.get(), CURLOPT_POSTFIELDS, form.c_str());
  }
  set_callbacks(easy.get(), course);
  const CURLcode code = easy_perform(easy.get());
  if (code != CURLE_OK) return failure(code, course);
  easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &course.answer.status);
  return std::move(course.answer);
}

}  // namespace coffer::curl
