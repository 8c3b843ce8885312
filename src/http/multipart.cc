#include "http/multipart.h"

#include <algorithm>

#include "http/query.h"
#include "http/syntax.h"

namespace coffer::http {
namespace {

constexpr std::size_t kBlockBytes = 64;

/// True if one of the block's characters is a carriage return and the second one after it a hyphen.
/// Without a branch in its loop this becomes vector code: several times faster than a call of
/// memchr for each line of a text, and as fast for binary files.
bool may_begin_in_block(const char* block) {
  char found = 0;
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    const char first = block[i] == '\r' ? 1 : 0;
    const char third = block[i + 2] == '-' ? 1 : 0;
    found = static_cast<char>(found | (first & third));
  }
  return found != 0;
}

/// The first position from `at` on at which a delimiter may begin; the text's size if there is
/// none.
std::size_t find_start(std::string_view text, std::size_t at) {
  const std::size_t size = text.size();
  while (at + kBlockBytes + 2 <= size && !may_begin_in_block(text.data() + at)) at += kBlockBytes;
  while (at < size && (text[at] != '\r' || (at + 2 < size && text[at + 2] != '-'))) ++at;
  return at;
}

enum class DelimiterMatch : std::uint8_t { none, begun, whole };

/// Compares the start of the text with the delimiter; `begun` if more of the text is needed.
DelimiterMatch match_of(std::string_view text, std::string_view delimiter) {
  const auto common = std::min(text.size(), delimiter.size());
  if (text.substr(0, common) != delimiter.substr(0, common)) return DelimiterMatch::none;
  const auto rest = text.substr(common);
  if (rest.empty() || rest == "-") return DelimiterMatch::begun;
  const bool ends_line = rest.front() == '\r' || rest.front() == ' ' || rest.front() == '\t';
  return ends_line || rest.starts_with("--") ? DelimiterMatch::whole : DelimiterMatch::none;
}

/// MIME headers may be folded: a line that begins with white space continues the one before.
std::string unfold(std::string_view lines) {
  std::string text(lines);
  for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at + 2)) {
    if (at + 2 < text.size() && (text[at + 2] == ' ' || text[at + 2] == '\t')) {
      text[at] = text[at + 1] = ' ';
    }
  }
  return text;
}

bool has_control(std::string_view line) {
  return std::ranges::any_of(line, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  });
}

std::string decode_quotes(std::string_view text) {
  std::string out(text);
  for (auto at = out.find("%22"); at != std::string::npos; at = out.find("%22", at + 1)) {
    out.replace(at, 3, 1, '"');
  }
  return out;
}

/// `UTF-8'language'percent-encoded` (RFC 8187).
std::optional<std::string> decode_extended(std::string_view text) {
  if (!equal_ignoring_case(cut_front(text, '\''), "UTF-8")) return std::nullopt;
  cut_front(text, '\'');
  auto decoded = percent_decode(text, false);
  if (!decoded) return std::nullopt;
  return std::move(*decoded);
}

Result<PartHead> read_disposition(std::string_view value) {
  const auto malformed = [] {
    return fail(ErrorCode::invalid, "A part of the form has a malformed Content-Disposition.");
  };
  const auto parameters = parse_parameters(value);
  if (!parameters || !equal_ignoring_case(parameters->subject, "form-data")) return malformed();
  const auto name = parameters->get("name");
  if (!name) return malformed();
  PartHead head{decode_quotes(*name), std::nullopt};
  if (const auto file_name = parameters->get("filename")) {
    head.file_name = decode_quotes(*file_name);
  } else if (const auto extended = parameters->get("filename*")) {
    head.file_name = decode_extended(*extended);
    if (!head.file_name) return malformed();
  }
  return head;
}

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

DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter) {
  for (auto at = find_start(text, 0); at < text.size(); at = find_start(text, at + 1)) {
    const DelimiterMatch match = match_of(text.substr(at), delimiter);
    if (match != DelimiterMatch::none) return {at, match == DelimiterMatch::whole};
  }
  return {text.size(), false};
}

Result<PartHead> parse_part_head(std::string_view lines) {
  const std::string text = unfold(lines);
  std::optional<std::string_view> disposition;
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(std::min(line.size() + 2, rest.size()));
    std::string_view value = line;
    const auto name = cut_front(value, ':');
    if (name.size() == line.size() || !is_token(name) || has_control(line)) {
      return fail(ErrorCode::invalid, "A part of the form has a malformed header.");
    }
    if (!equal_ignoring_case(name, "Content-Disposition")) continue;
    if (disposition) {
      return fail(ErrorCode::invalid, "A part of the form has two Content-Dispositions.");
    }
    disposition = trim(value);
  }
  if (!disposition) {
    return fail(ErrorCode::invalid, "A part of the form has no Content-Disposition.");
  }
  return read_disposition(*disposition);
}

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
  /// The received bytes that are not used yet: a view of the body's last bytes, or of `joined_`. It
  /// begins as a line break, since there may be none before the first delimiter.
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

/// Adds the next bytes of the body to the window; copies them only if the window is not empty.
Task<Result<void>> MultipartReader::Impl::fill() {
  const bool rest = !window_.empty();
  if (rest) keep_window();
  CO_TRY(const auto bytes, co_await body_.read());
  if (bytes.empty()) co_return malformed("The form ends before its closing boundary.");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
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
    CO_TRY_VOID(co_await fill());
  }
  co_return std::string_view();
}

/// Removes the lines from a delimiter to the blank line, and returns them.
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
    CO_TRY_VOID(co_await fill());
  }
}

Task<Result<void>> MultipartReader::Impl::skip_epilogue() {
  phase_ = Phase::done;
  window_ = {};
  for (;;) {
    CO_TRY(const auto bytes, co_await body_.read());
    if (bytes.empty()) co_return Result<void>();
  }
}

Result<PartHead> MultipartReader::Impl::take_head(std::string_view lines) {
  const auto line_end = lines.find("\r\n");
  if (!trim(lines.substr(0, line_end)).empty()) {
    return malformed("A line of the form begins with the boundary but has other text after it.");
  }
  return parse_part_head(lines.substr(line_end + 2));
}

Task<Result<std::optional<PartHead>>> MultipartReader::Impl::next_part() {
  while (phase_ == Phase::content) {
    CO_TRY([[maybe_unused]] const auto skipped, co_await read());
  }
  if (phase_ == Phase::done) co_return std::nullopt;
  // The search for the delimiter has read at least these two bytes, if there are so many.
  if (window_.starts_with("--")) {
    CO_TRY_VOID(co_await skip_epilogue());
    co_return std::nullopt;
  }
  CO_TRY(const auto lines, co_await read_head_lines());
  CO_TRY(auto head, take_head(lines));
  phase_ = Phase::content;
  co_return std::move(head);
}

Result<std::string> MultipartReader::boundary_of(std::string_view content_type) {
  const auto parameters = parse_parameters(content_type);
  if (!parameters || !equal_ignoring_case(parameters->subject, "multipart/form-data")) {
    return malformed("The body must be multipart/form-data.");
  }
  const auto boundary = parameters->get("boundary");
  if (!boundary || boundary->empty() || boundary->size() > 70 || boundary->ends_with(' ') ||
      !std::ranges::all_of(*boundary, is_boundary_char)) {
    return malformed("The Content-Type has no valid boundary.");
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
  CO_TRY(const auto data, co_await impl_->read());
  co_return std::as_bytes(std::span(data));
}

}  // namespace coffer::http
