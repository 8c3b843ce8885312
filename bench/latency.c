/* Has one request to send every five milliseconds for a while, over one connection, and prints the
 * median, the 75th and the 99th percentile and the longest of the seconds until each was answered.
 * A request that an earlier one delays has waited from the moment when it was due.
 *
 *   latency PORT SECONDS REQUEST_FILE */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

static const double kEvery = 0.005;
enum { kBuffer = 65536 };

static void ask(int fd, const char* request, size_t size) {
  static char buffer[kBuffer];
  for (size_t sent = 0; sent < size;) {
    ssize_t n = send(fd, request + sent, size - sent, MSG_NOSIGNAL);
    if (n <= 0) die("send");
    sent += (size_t)n;
  }
  size_t held = 0, head = 0;
  unsigned long long body = 0;
  while (!head || held < head + body) {
    if (head + body > sizeof buffer) die("a large answer");
    ssize_t n = recv(fd, buffer + held, sizeof buffer - held, 0);
    if (n <= 0) die("recv");
    held += (size_t)n;
    if (!head) head = response_head(buffer, held, &body);
  }
}

static int compare(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  size_t size;
  const char* request = read_file(argv[3], &size);
  const int fd = connect_to(argv[1]);
  const size_t count = (size_t)(atof(argv[2]) / kEvery) + 1;
  double* all = malloc(count * sizeof *all);
  if (!all) die("memory");
  const double start = seconds_now();
  for (size_t i = 0; i < count; ++i) {
    const double due = start + (double)i * kEvery;
    const double early = due - seconds_now();
    if (early > 0) usleep((useconds_t)(early * 1e6));
    ask(fd, request, size);
    all[i] = seconds_now() - due;
  }
  qsort(all, count, sizeof *all, compare);
  const double percents[] = {0.5, 0.75, 0.99};
  for (int i = 0; i < 3; ++i) printf("%.6f ", all[(size_t)((double)(count - 1) * percents[i])]);
  printf("%.6f\n", all[count - 1]);
  return 0;
}
