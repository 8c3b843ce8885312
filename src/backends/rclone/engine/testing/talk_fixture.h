#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "async/task.h"

namespace coffer::rclone {

/// Speaks to what listens on this machine. What a test waits for comes, or the test fails.
class TalkTest : public testing::Test {
 protected:
  using tcp = asio::ip::tcp;

  tcp::socket connect_to(std::uint16_t port) {
    tcp::socket socket(context_);
    socket.connect({asio::ip::address_v4::loopback(), port});
    return socket;
  }

  tcp::socket accept_from(tcp::acceptor& acceptor) {
    tcp::socket socket(context_);
    acceptor.async_accept(socket, [](boost::system::error_code error) { EXPECT_FALSE(error); });
    finish(acceptor);
    return socket;
  }

  void send(tcp::socket& socket, std::string_view text) {
    begin_sending(socket, text);
    finish(socket);
  }
  std::string read_to_end(tcp::socket& socket) {
    std::string text;
    boost::system::error_code error;
    asio::async_read(socket, asio::dynamic_buffer(text),
                     [&](boost::system::error_code ended, std::size_t /*size*/) { error = ended; });
    finish(socket);
    return error == asio::error::eof ? text : text + " (broken)";
  }
  /// So much, or what came until the end.
  std::string read_some(tcp::socket& socket, std::size_t size) {
    std::string text(size, '\0');
    begin_reading(socket, text);
    finish(socket);
    return text;
  }

  /// To be followed by finish(), as long as the text lives.
  void begin_sending(tcp::socket& socket, std::string_view text) {
    asio::async_write(
        socket, asio::buffer(text),
        [](boost::system::error_code error, std::size_t /*size*/) { EXPECT_FALSE(error); });
  }
  void begin_reading(tcp::socket& socket, std::string& text) {
    asio::async_read(
        socket, asio::buffer(text),
        [&text](boost::system::error_code /*error*/, std::size_t size) { text.resize(size); });
  }
  /// Waits for all that was begun with these.
  void finish(auto&... waited_for) {
    context_.restart();
    context_.run_for(std::chrono::seconds(20));
    if (context_.stopped()) return;
    ADD_FAILURE() << "Nothing comes.";
    (waited_for.close(), ...);
    context_.run();
  }

  asio::io_context context_;
};

}  // namespace coffer::rclone
