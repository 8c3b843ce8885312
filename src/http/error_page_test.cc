#include "http/error_page.h"

#include <gtest/gtest.h>

#include "http/problem.h"

namespace coffer::http {
namespace {

Request opened_by_a_person() {
  Request request;
  request.method = Method::get;
  request.headers = {{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"},
                     {"Sec-Fetch-Mode", "navigate"},
                     {"Sec-Fetch-Dest", "document"}};
  return request;
}

const Response kMissing = problem_response(404, "There is no such address.");

TEST(ErrorPage, IsForWhoOpensAnAddress) {
  EXPECT_TRUE(wants_error_page(opened_by_a_person(), kMissing));
  Request old_browser = opened_by_a_person();
  old_browser.headers.resize(1);
  EXPECT_TRUE(wants_error_page(old_browser, kMissing));
  EXPECT_FALSE(wants_error_page(opened_by_a_person(), Response()));
  Response text = kMissing;
  text.headers = {{"Content-Type", "text/plain"}};
  EXPECT_FALSE(wants_error_page(opened_by_a_person(), text));
}

TEST(ErrorPage, IsNotForPrograms) {
  Request of_script = opened_by_a_person();
  of_script.headers[1].value = "cors";
  EXPECT_FALSE(wants_error_page(of_script, kMissing));
  Request of_frame = opened_by_a_person();
  of_frame.headers[2].value = "iframe";
  EXPECT_FALSE(wants_error_page(of_frame, kMissing));
  Request with_key = opened_by_a_person();
  with_key.headers.push_back({"X-API-Key", "cfr_x"});
  EXPECT_FALSE(wants_error_page(with_key, kMissing));
  Request of_program = opened_by_a_person();
  of_program.headers = {{"Accept", "*/*"}};
  EXPECT_FALSE(wants_error_page(of_program, kMissing));
  Request posted = opened_by_a_person();
  posted.method = Method::post;
  EXPECT_FALSE(wants_error_page(posted, kMissing));
}

TEST(ErrorPage, KeepsTheStatusAndWhatHelps) {
  Response error = problem_response(429, "Too many.");
  error.headers.emplace_back("Retry-After", "3");
  Response page;
  page.headers = {{"Content-Type", "text/html"}, {"ETag", "\"1\""}, {"Cache-Control", "no-cache"}};
  page.body = "<html>";
  show_in_page(std::move(page), error);
  EXPECT_EQ(error.status, 429U);
  EXPECT_EQ(std::get<std::string>(error.body), "<html>");
  const std::vector<std::pair<std::string, std::string>> wanted = {{"Content-Type", "text/html"},
                                                                   {"Cache-Control", "no-store"},
                                                                   {"Vary", "Accept"},
                                                                   {"Retry-After", "3"}};
  EXPECT_EQ(error.headers, wanted);
}

}  // namespace
}  // namespace coffer::http
