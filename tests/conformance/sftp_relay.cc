// Stands between sshd and its sftp-server and passes packets on, but for what its orders say. An
// order is a line of a file: a kind of request (the number of its type, or an extension's name),
// how many of these until it counts, and what happens then:
//   drop  it ends before that request is passed on;
//   lose  it ends when that request was done, without passing the answer on;
//   N     it answers with that status itself.
// An order that counted is removed; one with a count of 0 counts each time and stays. The line
// `fold` makes the names that LSTAT asks for differ in case alone from those on the disk. The line
// `sizeless` takes the size out of the attributes of files in all answers to LSTAT, STAT and FSTAT,
// and `typeless` the type.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr auto kServer = "/usr/lib/openssh/sftp-server";
constexpr unsigned char kLstat = 7;
constexpr unsigned char kStatus = 101;
constexpr unsigned char kAttributes = 105;
constexpr unsigned char kExtended = 200;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(at, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::string number(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

bool read_exactly(int from, std::string& into, std::size_t count) {
  into.resize(count);
  for (std::size_t done = 0; done < count;) {
    const auto got = ::read(from, into.data() + done, count - done);
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

/// One packet without its length; false at the end.
bool read_packet(int from, std::string& packet) {
  std::string length;
  return read_exactly(from, length, 4) && read_exactly(from, packet, number_at(length, 0));
}

bool write_packet(int to, const std::string& packet) {
  const std::string whole = number(static_cast<std::uint32_t>(packet.size())) + packet;
  return ::write(to, whole.data(), whole.size()) == static_cast<ssize_t>(whole.size());
}

std::string kind_of(std::string_view packet) {
  const auto type = static_cast<unsigned char>(packet[0]);
  if (type != kExtended) return std::to_string(type);
  return std::string(packet.substr(9, number_at(packet, 5)));
}

bool is_same_but_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(one, other, {}, lower, lower);
}

/// LSTAT of what the disk has under a name of other case.
std::string folded(const std::string& packet) {
  const fs::path asked = packet.substr(9);
  std::error_code error;
  if (fs::exists(fs::symlink_status(asked, error))) return packet;
  for (const auto& item : fs::directory_iterator(asked.parent_path(), error)) {
    const std::string name = item.path();
    if (is_same_but_case(name, asked.native())) return packet.substr(0, 9) + name;
  }
  return packet;
}

/// The attributes of an item without its size, which has eight bytes behind the flags.
std::string sizeless(std::string packet) {
  constexpr std::uint32_t kHasSize = 1;
  const auto flags = number_at(packet, 5);
  if ((flags & kHasSize) == 0) return packet;
  packet.replace(5, 12, number(flags & ~kHasSize));
  return packet;
}

/// The attributes of an item without its type, in the permissions behind the size and the owner.
std::string typeless(std::string packet) {
  constexpr std::size_t kPermissions = 5 + 4 + 8 + 8;
  constexpr std::uint32_t kAllFlags = 0xf;
  constexpr std::uint32_t kNoType = 0xfff;
  if (number_at(packet, 5) != kAllFlags) return packet;
  return packet.replace(kPermissions, 4, number(number_at(packet, kPermissions) & kNoType));
}

class Orders {
 public:
  explicit Orders(const char* file) : file_(file), lock_(::open(file, O_RDWR | O_CLOEXEC)) {}

  /// What is to happen to a request of this kind; nothing if it is empty.
  std::string next(const std::string& kind) {
    ::flock(lock_, LOCK_EX);
    std::ifstream in(file_);
    std::string kept;
    std::string action;
    for (std::string line; std::getline(in, line);) {
      if (action.empty()) action = count(line, kind);
      if (!line.empty()) kept += line + '\n';
    }
    std::ofstream(file_) << kept;
    ::flock(lock_, LOCK_UN);
    return action;
  }
  /// True if a line is this word.
  bool have(const std::string& word) const {
    ::flock(lock_, LOCK_EX);
    std::ifstream in(file_);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ::flock(lock_, LOCK_UN);
    return text.contains(word + '\n');
  }

 private:
  static std::string count(std::string& line, const std::string& kind) {
    std::istringstream words(line);
    std::string of, action;
    int left = 0;
    if (!(words >> of >> left >> action) || of != kind) return {};
    if (left == 0) return action;
    line = left > 1 ? of + ' ' + std::to_string(left - 1) + ' ' + action : "";
    return left > 1 ? "" : action;
  }

  const char* const file_;
  const int lock_;
};

class Relay {
 public:
  Relay(Orders& orders, int to_server, int from_server)
      : orders_(orders), to_server_(to_server), from_server_(from_server) {}

  void pass_requests() {
    for (std::string packet; read_packet(STDIN_FILENO, packet);) {
      if (static_cast<unsigned char>(packet[0]) == kLstat && orders_.have("fold")) {
        packet = folded(packet);
        const auto size = static_cast<std::uint32_t>(packet.size() - 9);
        packet.replace(5, 4, number(size));
      }
      obey(packet, orders_.next(kind_of(packet)));
    }
    ::_exit(0);
  }
  void pass_replies() {
    for (std::string packet; read_packet(from_server_, packet);) {
      const std::lock_guard lock(mutex_);
      if (lost_.contains(number_at(packet, 1))) break;
      if (static_cast<unsigned char>(packet[0]) == kAttributes && orders_.have("sizeless")) {
        packet = sizeless(std::move(packet));
      }
      if (static_cast<unsigned char>(packet[0]) == kAttributes && orders_.have("typeless")) {
        packet = typeless(std::move(packet));
      }
      if (!write_packet(STDOUT_FILENO, packet)) break;
    }
    ::_exit(0);
  }

 private:
  void obey(const std::string& packet, const std::string& action) {
    if (action == "drop") ::_exit(0);
    const std::lock_guard lock(mutex_);
    const auto id = number_at(packet, 1);
    if (action == "lose") lost_.insert(id);
    if (action.empty() || action == "lose") {
      if (!write_packet(to_server_, packet)) ::_exit(0);
      return;
    }
    const auto status = static_cast<std::uint32_t>(std::stoul(action));
    const auto head = static_cast<char>(kStatus) + number(id) + number(status);
    write_packet(STDOUT_FILENO, head + number(0) + number(0));
  }

  Orders& orders_;
  const int to_server_;
  const int from_server_;
  std::mutex mutex_;
  std::set<std::uint32_t> lost_;
};

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  std::array<int, 2> up{};
  std::array<int, 2> down{};
  if (::pipe2(up.data(), O_CLOEXEC) != 0 || ::pipe2(down.data(), O_CLOEXEC) != 0) return 1;
  if (::fork() == 0) {
    ::dup2(up[0], STDIN_FILENO);
    ::dup2(down[1], STDOUT_FILENO);
    ::execl(kServer, kServer, nullptr);
    ::_exit(1);
  }
  ::close(up[0]);
  ::close(down[1]);
  Orders orders(words[1]);
  Relay relay(orders, up[1], down[0]);
  std::jthread replies([&] { relay.pass_replies(); });
  relay.pass_requests();
}
