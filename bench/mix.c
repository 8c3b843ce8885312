/* Sends the requests of files again and again, one after the other on each connection, and prints
 * how many of each kind were answered, by the first digit of the status, and the seconds.
 *
 *   mix SECONDS ROUNDS PORT FILE [PORT FILE]...       a connection for each pair; it ends after so
 * many rounds, or seconds
 *
 * A file has for each request a letter, its kind, the decimal number of its bytes, a line feed and
 * those bytes. Each ######## in them becomes the number of the round, which goes on from FIRST of
 * the environment. A lower-case kind is not counted. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

enum { kBuffer = 65536, kMarks = 8, kMostRequests = 256 };

struct request {
  char kind, *bytes;
  size_t size;
};

struct connection {
  int fd, in_body, status;
  size_t sent, held, next;
  unsigned long long body_left;
  long round;
  size_t count;
  struct request requests[kMostRequests];
  char buffer[kBuffer];
};

static long done[256][10], rounds;
static double end;
static int running;

static void read_requests(struct connection* c, const char* name) {
  size_t size;
  char* data = read_file(name, &size);
  for (char *at = data, *last = data + size; at < last;) {
    struct request* one = &c->requests[c->count++];
    if (c->count == kMostRequests) die("too many requests");
    one->kind = *at++;
    one->size = strtoul(at, &at, 10);
    one->bytes = ++at;
    at += one->size;
  }
}

static void number(struct request* one, long value, size_t* marks, size_t* count) {
  char digits[32];
  snprintf(digits, sizeof digits, "%08ld", value % 100000000);
  *count = 0;
  for (char* mark = one->bytes;
       *count < 8 &&
       (mark = memmem(mark, one->size - (size_t)(mark - one->bytes), "########", kMarks));) {
    marks[(*count)++] = (size_t)(mark - one->bytes);
    memcpy(mark, digits, kMarks);
  }
}

/* The marks are written back when the request was sent, so that the next round finds them. */
static size_t marks[8], marked;

static void send_request(struct connection* c) {
  struct request* one = &c->requests[c->next];
  number(one, c->round, marks, &marked);
  for (size_t sent = 0; sent < one->size;) {
    ssize_t n = send(c->fd, one->bytes + sent, one->size - sent, MSG_NOSIGNAL);
    if (n <= 0) die("send");
    sent += (size_t)n;
  }
  for (size_t i = 0; i < marked; ++i) memcpy(one->bytes + marks[i], "########", kMarks);
  c->held = 0;
  c->in_body = 0;
}

static void finish(struct connection* c) {
  ++done[(unsigned char)c->requests[c->next].kind][c->status];
  if (++c->next == c->count) {
    c->next = 0;
    ++c->round;
    if (c->round >= rounds || seconds_now() >= end) {
      --running;
      return;
    }
  }
  send_request(c);
}

/* One read of what has arrived. */
static void take(struct connection* c) {
  ssize_t n = recv(c->fd, c->buffer + c->held, kBuffer - c->held, MSG_DONTWAIT);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) die("recv");
  size_t got = (size_t)n;
  if (!c->in_body) {
    c->held += got;
    if (c->held < 12) return;
    c->status = c->buffer[9] - '0';
    char kept = c->buffer[9];
    c->buffer[9] = '2'; /* Other statuses are counted here. */
    size_t head = response_head(c->buffer, c->held, &c->body_left);
    c->buffer[9] = kept;
    if (!head) return;
    c->in_body = 1;
    got = c->held - head;
    c->held = 0;
  }
  c->body_left -= got;
  if (c->body_left == 0) finish(c);
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int count = (argc - 3) / 2;
  const char* first = getenv("FIRST");
  const long base = first ? atol(first) : 0;
  rounds = base + atol(argv[2]);
  struct connection* all = calloc((size_t)count, sizeof *all);
  int poll = epoll_create1(0);
  if (!all || poll < 0) die("epoll");
  for (int i = 0; i < count; ++i) {
    all[i].fd = connect_to(argv[3 + 2 * i]);
    all[i].round = base;
    read_requests(&all[i], argv[4 + 2 * i]);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event)) die("epoll_ctl");
  }
  const double start = seconds_now();
  end = start + atof(argv[1]);
  running = count;
  for (int i = 0; i < count; ++i) send_request(&all[i]);
  struct epoll_event events[64];
  while (running > 0) {
    int ready = epoll_wait(poll, events, 64, 60000);
    if (ready <= 0) die("no answer");
    for (int i = 0; i < ready; ++i) take(events[i].data.ptr);
  }
  printf("%.6f\n", seconds_now() - start);
  for (int kind = 'A'; kind <= 'Z'; ++kind) {
    for (int status = 1; status < 10; ++status) {
      if (done[kind][status]) printf("%c %d %ld\n", kind, status, done[kind][status]);
    }
  }
  return 0;
}
