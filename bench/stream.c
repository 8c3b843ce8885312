/* One large transfer over one new connection; prints the seconds from connecting to the last byte.
 *
 *   stream get PORT REQUEST_FILE [BYTES]                 the body is dropped in the kernel
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

/* With `expected` other than 0, a body of another size is an error. */
static void receive(int fd, unsigned long long expected) {
  static char buffer[65536];
  unsigned long long left = 0;
  size_t held = 0, head = 0;
  while (!head) {
    ssize_t n = recv(fd, buffer + held, sizeof buffer - held, 0);
    if (n <= 0) die("recv");
    held += (size_t)n;
    head = response_head(buffer, held, &left);
  }
  if (expected && left != expected) die("a body of another size");
  left -= held - head;
  while (left) {
    /* For TCP, MSG_TRUNC drops the bytes without copying them. */
    ssize_t n = recv(fd, NULL, left < (4u << 20) ? left : (4u << 20), MSG_TRUNC);
    if (n <= 0) die("recv");
    left -= (unsigned long long)n;
  }
}

int main(int argc, char** argv) {
  const int put = argc >= 5 && strcmp(argv[1], "put") == 0;
  if (!put && (argc < 4 || argc > 5 || strcmp(argv[1], "get") != 0)) return 2;
  const double start = seconds_now();
  int fd = connect_to(argv[2]);
  send_file_content(fd, argv[3]);
  if (put) send_body(fd, argv[4]);
  if (put && argc > 5) send_file_content(fd, argv[5]);
  receive(fd, !put && argc == 5 ? strtoull(argv[4], NULL, 10) : 0);
  printf("%.6f\n", seconds_now() - start);
  return 0;
}
