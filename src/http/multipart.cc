#include "http/multipart.h"

#include <algorithm>

#include "http/delimiter.h"
#include "http/parameters.h"
#include "http/part_head.h"
#include "http/syntax.h"

namespace coffer::http {
namespace {

constexpr std::size_t kHeadLimit = 16 * 1024;

/// `bchars` of RFC 2046, section 5.1.1.
bool is_boundary_char(char c) {
  const bool alphanumeric =
      (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return alphanumeric || std::string_view("'()+_,-./:=? ").find(c) != std::string_view::npos;
}

std::unexpected<Error> malformed(const char* message) {
  return fail(ErrorCode::invalid, message);
}

}  // namespace

class MultipartReader::Impl {
 public:
  Impl(Body& body, std::string boundary) : body_(body), delimiter_("\r\n--" + boundary) {}

  Task<Result<std::optional<PartHead>>> next_part();
  Task<Result<std::string_view>> read();

 private:
  enum class Phase : std::uint8_t { content, delimiter, done };

  Task<Result<void>> fill();
  void keep_window();
  Task<Result<std::string_view>> read_head_lines();
  Task<Result<void>> skip_epilogue();
  Result<PartHead> take_head(std::string_view lines);

  Body& body_;
  const std::string delimiter_;
  /// What was received and not yet used: a view of the body's last bytes, or of `joined_`. The
  /// line break before the first delimiter may be missing, so one stands here at the beginning.
  std::string joined_ = "\r\n";
  std::string_view window_ = joined_;
  bool window_is_joined_ = true;
  Phase phase_ = Phase::content;
};

void MultipartReader::Impl::keep_window() {
  if (window_is_joined_) {
    joined_.erase(0, static_cast<std::size_t>(window_.data() - joined_.data()));
  } else {
    joined_.assign(window_);
  }
  window_is_joined_ = true;
}

/// Adds the next bytes of the body to the window; they are copied only when something is left
/// there.
Task<Result<void>> MultipartReader::Impl::fill() {
  const bool rest = !window_.empty();
  if (rest) keep_window();
  const auto bytes = co_await body_.read();
  if (!bytes) co_return failure_of(bytes);
  if (bytes->empty()) co_return malformed("The form ends before its closing boundary.");
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (rest) joined_ += text;
  window_ = rest ? std::string_view(joined_) : text;
  window_is_joined_ = rest;
  co_return Result<void>();
}

Task<Result<std::string_view>> MultipartReader::Impl::read() {
  while (phase_ == Phase::content) {
    const auto next = find_delimiter(window_, delimiter_);
    if (next.found && next.at == 0) {
      window_.remove_prefix(delimiter_.size());
      phase_ = Phase::delimiter;
      break;
    }
    const auto data = window_.substr(0, next.at);
    window_.remove_prefix(next.at);
    if (!data.empty()) co_return data;
    const auto filled = co_await fill();
    if (!filled) co_return failure_of(filled);
  }
  co_return std::string_view();
}

/// What follows a delimiter up to the blank line, which is taken too.
Task<Result<std::string_view>> MultipartReader::Impl::read_head_lines() {
  std::size_t searched = 0;
  for (;;) {
    const auto end = window_.find("\r\n\r\n", searched);
    const auto begun_at = window_.size() - std::min<std::size_t>(window_.size(), 3);
    if (std::min(end, begun_at) > kHeadLimit) {
      co_return malformed("A part of the form has too large a head.");
    }
    if (end != std::string_view::npos) {
      const auto lines = window_.substr(0, end + 2);
      window_.remove_prefix(end + 4);
      co_return lines;
    }
    searched = begun_at;
    const auto filled = co_await fill();
    if (!filled) co_return failure_of(filled);
  }
}

Task<Result<void>> MultipartReader::Impl::skip_epilogue() {
  phase_ = Phase::done;
  window_ = {};
  for (;;) {
    const auto bytes = co_await body_.read();
    if (!bytes) co_return failure_of(bytes);
    if (bytes->empty()) co_return Result<void>();
  }
}

Result<PartHead> MultipartReader::Impl::take_head(std::string_view lines) {
  const auto line_end = lines.find("\r\n");
  if (!trim(lines.substr(0, line_end)).empty()) {
    return malformed("A line of the form begins with the boundary but goes on otherwise.");
  }
  return parse_part_head(lines.substr(line_end + 2));
}

Task<Result<std::optional<PartHead>>> MultipartReader::Impl::next_part() {
  while (phase_ == Phase::content) {
    const auto skipped = co_await read();
    if (!skipped) co_return failure_of(skipped);
  }
  if (phase_ == Phase::done) co_return std::nullopt;
  // The search saw at least these two bytes where they are there.
  if (window_.starts_with("--")) {
    const auto skipped = co_await skip_epilogue();
    if (!skipped) co_return failure_of(skipped);
    co_return std::nullopt;
  }
  const auto lines = co_await read_head_lines();
  if (!lines) co_return failure_of(lines);
  auto head = take_head(*lines);
  if (!head) co_return failure_of(head);
  phase_ = Phase::content;
  co_return std::move(*head);
}

Result<std::string> MultipartReader::boundary_of(std::string_view content_type) {
  const auto parameters = parse_parameters(content_type);
  if (!parameters || !equal_ignoring_case(parameters->subject, "multipart/form-data")) {
    return malformed("The body must be multipart/form-data.");
  }
  const auto boundary = parameters->get("boundary");
  if (!boundary || boundary->empty() || boundary->size() > 70 || boundary->ends_with(' ') ||
      !std::ranges::all_of(*boundary, is_boundary_char)) {
    return malformed("The Content-Type names no valid boundary.");
  }
  return std::string(*boundary);
}

MultipartReader::MultipartReader(Body& body, std::string boundary)
    : impl_(std::make_unique<Impl>(body, std::move(boundary))) {}

MultipartReader::~MultipartReader() = default;

Task<Result<std::optional<PartHead>>> MultipartReader::next_part() {
  return impl_->next_part();
}

Task<Result<std::span<const std::byte>>> MultipartReader::read() {
  const auto data = co_await impl_->read();
  if (!data) co_return failure_of(data);
  co_return std::as_bytes(std::span(*data));
}

}  // namespace coffer::http
