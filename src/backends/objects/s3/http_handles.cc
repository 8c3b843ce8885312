#include "backends/objects/s3/http_handles.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "backends/curl/curl.h"
#include "base/text.h"

namespace coffer::objects::s3 {
namespace {

constexpr std::size_t kMostBodyBytes = 1024 * 1024;  // A thousand errors of a removal fit.
constexpr std::size_t kMostHeaderBytes = 64 * 1024;

using ErrorText = std::array<char, CURL_ERROR_SIZE>;

/// The state of one request.
struct Course {
  CURL* easy;
  const HttpRequest& request;
  const HttpHandles::Settings& settings;
  HttpAnswer answer = {};
  std::size_t header_bytes = 0;
  bool has_whole_head = false;
  /// How many bytes of contents went either way, and since when not more.
  curl_off_t moved_bytes = 0;
  std::chrono::steady_clock::time_point moved_at = {};
  bool has_stalled = false;
  std::optional<Error> lack = {};
};

Course& course_of(void* self) {
  return *static_cast<Course*>(self);
}

curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
  const bool is_ip = address->family == AF_INET || address->family == AF_INET6;
  if (purpose != CURLSOCKTYPE_IPCXN || !is_ip) return CURL_SOCKET_BAD;
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket >= 0) return socket;
  course_of(self).lack = lack_of(errno);
  return CURL_SOCKET_BAD;
}

std::string_view without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

void note_header(HttpAnswer& answer, std::string_view line) {
  // Each answer begins anew, and one of 1xx may come before the real one.
  if (line.starts_with("HTTP/")) answer = {};
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  for (const auto& [wanted, value] : {std::pair{"date", &answer.date},
                                      {"retry-after", &answer.retry_after},
                                      {"content-range", &answer.content_range}}) {
    if (equal_ignoring_case(name, wanted)) *value = without_blanks(line.substr(colon + 1));
  }
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) {
  Course& course = course_of(self);
  course.header_bytes += size * count;
  if (course.header_bytes > kMostHeaderBytes) return 0;
  const std::string_view line(data, size * count);
  note_header(course.answer, line);
  if (line.starts_with("HTTP/")) course.has_whole_head = false;
  if (without_blanks(line).empty()) course.has_whole_head = true;
  return size * count;
}

/// The contents that were asked for.
bool take_contents(Course& course, const char* data, std::size_t size) {
  HttpAnswer& answer = course.answer;
  const std::span<std::byte> out = course.request.out;
  answer.is_too_long = size > out.size() - answer.received_bytes;
  if (answer.is_too_long) return false;
  std::memcpy(out.data() + answer.received_bytes, data, size);
  answer.received_bytes += size;
  return true;
}

bool take_text(HttpAnswer& answer, const char* data, std::size_t size) {
  answer.is_too_long = size > kMostBodyBytes - answer.body.size();
  if (answer.is_too_long) return false;
  answer.body.append(data, size);
  return true;
}

std::size_t on_data(char* data, std::size_t size, std::size_t count, void* self) {
  Course& course = course_of(self);
  const std::size_t bytes = size * count;
  long status = 0;
  curl::easy_getinfo(course.easy, CURLINFO_RESPONSE_CODE, &status);
  const bool is_taken =
      status == 206 ? take_contents(course, data, bytes) : take_text(course.answer, data, bytes);
  return is_taken ? bytes : 0;
}

/// True if contents are on their way, and none has moved for too long.
bool stalls(Course& course, curl_off_t received, curl_off_t sent) {
  const auto time = std::chrono::steady_clock::now();
  if (received + sent != course.moved_bytes) {
    course.moved_bytes = received + sent;
    course.moved_at = time;
  }
  const bool is_sending = sent > 0 && std::cmp_less(sent, course.request.body.size());
  return (is_sending || received > 0) && time - course.moved_at > course.settings.stall_limit;
}

/// Called once a second at least.
int on_progress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  Course& course = course_of(self);
  if (course.settings.ending.stop_requested()) return 1;
  course.has_stalled = stalls(course, received, sent);
  return course.has_stalled ? 1 : 0;
}

void set_callbacks(CURL* easy, Course& course) {
  curl::easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  curl::easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &course);
  curl::easy_setopt(easy, CURLOPT_HEADERFUNCTION, &on_header);
  curl::easy_setopt(easy, CURLOPT_HEADERDATA, &course);
  curl::easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_data);
  curl::easy_setopt(easy, CURLOPT_WRITEDATA, &course);
  curl::easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl::easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &on_progress);
  curl::easy_setopt(easy, CURLOPT_XFERINFODATA, &course);
}

void set_connection(CURL* easy, const HttpHandles::Settings& settings) {
  curl::easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl::easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl::easy_setopt(easy, CURLOPT_PROXY, "");
  curl::easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl::easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl::easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl::easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl::easy_setopt(easy, CURLOPT_BUFFERSIZE, 256L * 1024);
  curl::easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024);
  curl::easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                    static_cast<long>(settings.connect_limit.count()));
  curl::easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (settings.ca_file.empty()) return;
  curl::easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  curl::easy_setopt(easy, CURLOPT_CAPATH, nullptr);
}

void set_request(CURL* easy, const HttpRequest& request, curl_slist* headers) {
  const bool has_body = request.method == "PUT" || request.method == "POST";
  // A body in memory that stays can be sent again by libcurl, on another connection.
  if (has_body) {
    curl::easy_setopt(easy, CURLOPT_POST, 1L);
    curl::easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                      static_cast<curl_off_t>(request.body.size()));
    curl::easy_setopt(
        easy, CURLOPT_POSTFIELDS,
        request.body.empty() ? "" : reinterpret_cast<const char*>(request.body.data()));
  }
  curl::easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl::easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl::easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl::easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.limit.count()));
}

curl::List make_headers(const HttpRequest& request) {
  curl::List list;
  const auto append = [&](const char* line) {
    curl_slist* const longer = curl::slist_append(list.get(), line);
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
  };
  for (const std::string& line : request.headers) append(line.c_str());
  append("Expect:");  // Without it, some stores make libcurl wait a second for their consent.
  append("Accept:");
  return list;
}

HttpFailure::Kind kind_of(CURLcode code) {
  using enum HttpFailure::Kind;
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
      return unreachable;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
      return no_tls;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return untrusted;
    case CURLE_SSL_CACERT_BADFILE:
      return bad_ca_file;
    case CURLE_OPERATION_TIMEDOUT:
      return timed_out;
    case CURLE_ABORTED_BY_CALLBACK:
      return ending;
    case CURLE_UNSUPPORTED_PROTOCOL:  // Also of an answer that does not begin as HTTP does.
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_WRITE_ERROR:  // Headers without an end.
      return not_http;
    default:
      return cut;
  }
}

HttpFailure failure_of(CURLcode code, Course& course, const ErrorText& text) {
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (course.lack) return {.kind = HttpFailure::Kind::lack, .lack = std::move(course.lack)};
  if (course.has_stalled) {
    return {.kind = HttpFailure::Kind::timed_out, .detail = "the transfer stopped in its middle"};
  }
  return {.kind = kind_of(code), .detail = text[0] != 0 ? text.data() : curl::easy_strerror(code)};
}

}  // namespace

HttpHandles::HttpHandles(Settings settings) : settings_(std::move(settings)) {}

HttpHandles::~HttpHandles() = default;

void HttpHandles::Close::operator()(void* easy) const {
  curl::easy_cleanup(easy);
}

HttpHandles::Handle HttpHandles::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return Handle(curl::easy_init());
  Handle handle = std::move(idle_.back());
  idle_.pop_back();
  return handle;
}

void HttpHandles::give_back(Handle handle) {
  curl::easy_reset(handle.get());  // Keeps its connections.
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(handle));
}

std::expected<HttpAnswer, HttpFailure> HttpHandles::perform(const HttpRequest& request) {
  Handle handle = take();
  if (!handle) throw std::bad_alloc();
  const curl::List headers = make_headers(request);
  ErrorText text{};
  Course course{.easy = handle.get(), .request = request, .settings = settings_};
  set_connection(handle.get(), settings_);
  set_request(handle.get(), request, headers.get());
  set_callbacks(handle.get(), course);
  curl::easy_setopt(handle.get(), CURLOPT_ERRORBUFFER, text.data());
  const CURLcode code = curl::easy_perform(handle.get());
  curl::easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &course.answer.status);
  give_back(std::move(handle));
  // libcurl takes a head that ends early with its connection as whole.
  if (code == CURLE_OK && !course.has_whole_head) {
    return std::unexpected(HttpFailure{HttpFailure::Kind::cut, "the head of the answer was cut"});
  }
  const bool is_answer = code == CURLE_OK || course.answer.is_too_long;
  if (!is_answer) return std::unexpected(failure_of(code, course, text));
  return std::move(course.answer);
}

}  // namespace coffer::objects::s3
