#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/json.h"
#include "http/response.h"

namespace coffer::api::v2 {

/// What an endpoint answers that has nothing to say: 204.
struct Nothing {};

/// What a handler answers: the data, and headers besides.
template <class Data>
struct Answer {
  Data data;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

template <class Data>
http::Response response_of(unsigned status, Answer<Data> answer) {
  http::Response response;
  response.status = status;
  response.headers = std::move(answer.headers);
  if constexpr (!std::is_same_v<Data, Nothing>) {
    rapidjson::StringBuffer buffer;
    JsonWriter out(buffer);
    using api::write_json;  // A function of this name in this namespace may hide it.
    write_json(out, answer.data);
    response.headers.emplace_back("Content-Type", "application/json");
    response.body = std::string(buffer.GetString(), buffer.GetSize());
  }
  return response;
}

}  // namespace coffer::api::v2
