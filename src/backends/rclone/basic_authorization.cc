#include "backends/rclone/basic_authorization.h"

#include <fmt/format.h>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

namespace coffer::rclone {

std::string basic_authorization(std::string_view user, std::string_view password) {
  using namespace boost::archive::iterators;
  using Base64 = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  std::string text = fmt::format("{}:{}", user, password);
  std::string coded(Base64(text.cbegin()), Base64(text.cend()));
  coded.append((3 - text.size() % 3) % 3, '=');
  return "Basic " + coded;
}

}  // namespace coffer::rclone
