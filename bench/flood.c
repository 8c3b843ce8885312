/* Keeps a server busy as somebody would who minds nobody: each connection sends the request, reads
 * the answer to its end, whatever it says, and connects again. Ends by a signal.
 *
 *   flood PORT CONNECTIONS REQUEST_FILE
 *
 * The request must ask for the end of its connection. Each ######## in it becomes the request's
 * number. One thread for each connection. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

enum { kBuffer = 65536, kMarks = 8, kStack = 256 * 1024 };

static const char* port;
static char* pattern;
static size_t pattern_size;
static atomic_long begun;

static void number(char* request) {
  char digits[32];
  snprintf(digits, sizeof digits, "%08ld", atomic_fetch_add(&begun, 1) % 100000000);
  for (char* mark = request;
       (mark = memmem(mark, pattern_size - (size_t)(mark - request), "########", kMarks));
       mark += kMarks) {
    memcpy(mark, digits, kMarks);
  }
}

/* A server that hangs up is asked again. */
static void ask(const char* request, char* buffer) {
  const int fd = connect_to(port);
  size_t sent = 0;
  while (sent < pattern_size) {
    const ssize_t n = send(fd, request + sent, pattern_size - sent, MSG_NOSIGNAL);
    if (n <= 0) break;
    sent += (size_t)n;
  }
  while (recv(fd, buffer, kBuffer, 0) > 0) continue;
  close(fd);
}

static void* run(void* unused) {
  char* request = malloc(pattern_size);
  char* buffer = malloc(kBuffer);
  if (!request || !buffer) die("memory");
  for (;;) {
    memcpy(request, pattern, pattern_size);
    number(request);
    ask(request, buffer);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  port = argv[1];
  pattern = read_file(argv[3], &pattern_size);
  pthread_attr_t small;
  if (pthread_attr_init(&small) || pthread_attr_setstacksize(&small, kStack)) die("attributes");
  for (int i = atoi(argv[2]); i > 0; --i) {
    pthread_t thread;
    if (pthread_create(&thread, &small, run, NULL)) die("thread");
  }
  pause();
  return 0;
}
