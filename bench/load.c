/* Sends one request again and again over kept-alive connections, and prints the requests per
 * second.
 *
 *   load PORT CONNECTIONS REQUESTS REQUEST_FILE...
 *
 * Several files, which must be alike but for such as keys, are taken by the connections in turn.
 * Each ######## in the request becomes the request's number, so that uploads have names of their
 * own. One thread and epoll: it is the same for both sides of a comparison. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

enum { kBuffer = 16384, kMarks = 8 };

struct connection {
  int fd;
  size_t sent, held;
  unsigned long long body_left;
  int in_body;
  char* request;
  char buffer[kBuffer];
};

static char* pattern;
static size_t pattern_size;
static long begun, finished, wanted;

static void number(char* request, long value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%08ld", value % 100000000);
  for (const char* mark = pattern;
       (mark = memmem(mark, pattern_size - (size_t)(mark - pattern), "########", kMarks));
       mark += kMarks) {
    memcpy(request + (mark - pattern), digits, kMarks);
  }
}

static void send_more(struct connection* c) {
  while (c->sent < pattern_size) {
    ssize_t n = send(c->fd, c->request + c->sent, pattern_size - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) die("send");
    c->sent += (size_t)n;
  }
}

static void begin(struct connection* c) {
  if (begun == wanted) return;
  number(c->request, begun++);
  c->sent = c->held = 0;
  c->in_body = 0;
  send_more(c);
}

/* Takes what has arrived: 1 when a response is complete, 0 when more may be there, -1 when not. */
static int take(struct connection* c) {
  ssize_t n = recv(c->fd, c->buffer + c->held, kBuffer - c->held, 0);
  if (n < 0 && errno == EAGAIN) return -1;
  if (n <= 0) die("recv");
  size_t got = (size_t)n;
  if (!c->in_body) {
    c->held += got;
    size_t head = response_head(c->buffer, c->held, &c->body_left);
    if (!head) {
      if (c->held == kBuffer) die("a head too large");
      return 0;
    }
    c->in_body = 1;
    got = c->held - head;
    c->held = 0;
  }
  if (got > c->body_left) die("more than one response");
  c->body_left -= got;
  return c->body_left == 0;
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int count = atoi(argv[2]);
  wanted = atol(argv[3]);
  pattern = read_file(argv[4], &pattern_size);
  struct connection* all = calloc((size_t)count, sizeof *all);
  int poll = epoll_create1(0);
  if (!all || poll < 0) die("epoll");
  for (int i = 0; i < count; ++i) {
    all[i].fd = connect_to(argv[1]);
    all[i].request = malloc(pattern_size);
    size_t size = 0;
    const char* request = read_file(argv[4 + i % (argc - 4)], &size);
    if (size != pattern_size) die("requests of several sizes");
    if (!all[i].request || fcntl(all[i].fd, F_SETFL, O_NONBLOCK)) die("connection");
    memcpy(all[i].request, request, pattern_size);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = &all[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event)) die("epoll_ctl");
  }
  const double start = seconds_now();
  for (int i = 0; i < count; ++i) begin(&all[i]);
  struct epoll_event events[64];
  while (finished < wanted) {
    int ready = epoll_wait(poll, events, 64, 30000);
    if (ready <= 0) die("no answer");
    for (int i = 0; i < ready; ++i) {
      struct connection* c = events[i].data.ptr;
      if (c->request && c->sent < pattern_size) send_more(c);
      if (!(events[i].events & (EPOLLIN | EPOLLHUP))) continue;
      int done = 0;
      while (!done) done = take(c);
      if (done > 0 && ++finished <= wanted) begin(c);
    }
  }
  printf("%.3f\n", (double)wanted / (seconds_now() - start));
  return 0;
}
