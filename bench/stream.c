/* One large transfer over one new connection; prints the seconds from connecting to the last byte.
 *
 *   stream get PORT REQUEST_FILE [BYTES]                 the body is dropped in the kernel
 *   stream keep PORT REQUEST_FILE TARGET_FILE            the body goes to a new file
 *   stream put PORT HEAD_FILE BODY_FILE [TAIL_FILE]      the body goes by sendfile */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"

static void send_file_content(int fd, const char* name) {
  size_t size;
  char* data = read_file(name, &size);
  for (size_t sent = 0; sent < size;) {
    ssize_t n = send(fd, data + sent, size - sent, MSG_NOSIGNAL);
    if (n <= 0) die("send");
    sent += (size_t)n;
  }
  free(data);
}

static void send_body(int fd, const char* name) {
  struct stat info;
  int body = open(name, O_RDONLY | O_CLOEXEC);
  if (body < 0 || fstat(body, &info)) die(name);
  for (off_t at = 0; at < info.st_size;) {
    if (sendfile(fd, body, &at, (size_t)(info.st_size - at)) <= 0) die("sendfile");
  }
  close(body);
}

/* Reads the head of the answer into `buffer`; returns how much of the body is behind it, and sets
 * its start and the bytes of the body that are to come. */
static size_t receive_head(int fd, char* buffer, size_t size, char** body,
                           unsigned long long* left) {
  size_t held = 0, head = 0;
  while (!head) {
    ssize_t n = recv(fd, buffer + held, size - held, 0);
    if (n <= 0) die("recv");
    held += (size_t)n;
    head = response_head(buffer, held, left);
  }
  *body = buffer + head;
  *left -= held - head;
  return held - head;
}

/* With `expected` other than 0, a body of another size is an error. */
static void receive(int fd, unsigned long long expected) {
  static char buffer[65536];
  char* body;
  unsigned long long left = 0;
  const size_t got = receive_head(fd, buffer, sizeof buffer, &body, &left);
  if (expected && left + got != expected) die("a body of another size");
  while (left) {
    /* For TCP, MSG_TRUNC drops the bytes without copying them. */
    ssize_t n = recv(fd, NULL, left < (4u << 20) ? left : (4u << 20), MSG_TRUNC);
    if (n <= 0) die("recv");
    left -= (unsigned long long)n;
  }
}

static void write_all(int fd, const char* data, size_t size) {
  while (size) {
    ssize_t n = write(fd, data, size);
    if (n <= 0) die("write");
    data += n;
    size -= (size_t)n;
  }
}

static void keep(int fd, const char* name) {
  static char buffer[32 * 1024];
  char* body;
  unsigned long long left = 0;
  int target = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (target < 0) die(name);
  const size_t got = receive_head(fd, buffer, sizeof buffer, &body, &left);
  write_all(target, body, got);
  while (left) {
    ssize_t n = recv(fd, buffer, left < sizeof buffer ? left : sizeof buffer, 0);
    if (n <= 0) die("recv");
    write_all(target, buffer, (size_t)n);
    left -= (unsigned long long)n;
  }
  if (close(target)) die("close");
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  const int get = !strcmp(way, "get") && (argc == 4 || argc == 5);
  const int keeps = !strcmp(way, "keep") && argc == 5;
  const int put = !strcmp(way, "put") && argc >= 5;
  if (!get && !keeps && !put) return 2;
  const double start = seconds_now();
  int fd = connect_to(argv[2]);
  send_file_content(fd, argv[3]);
  if (put) send_body(fd, argv[4]);
  if (put && argc > 5) send_file_content(fd, argv[5]);
  if (keeps) {
    keep(fd, argv[4]);
  } else {
    receive(fd, get && argc == 5 ? strtoull(argv[4], NULL, 10) : 0);
  }
  printf("%.6f\n", seconds_now() - start);
  return 0;
}
