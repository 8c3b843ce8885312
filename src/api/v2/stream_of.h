#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "http/response.h"

namespace coffer::api::v2 {

/// What makes bytes on its way, as the body of a response.
template <class Source>
class StreamOf final : public http::Stream {
 public:
  explicit StreamOf(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  Task<Result<std::optional<std::string_view>>> next() override { return source_->next(); }

 private:
  const std::unique_ptr<Source> source_;
};

}  // namespace coffer::api::v2
