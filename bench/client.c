#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

void die(const char* what) {
  fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "unexpected");
  exit(1);
}

char* read_file(const char* name, size_t* size) {
  FILE* file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END)) die(name);
  *size = (size_t)ftell(file);
  rewind(file);
  char* data = malloc(*size + 1);
  if (!data || fread(data, 1, *size, file) != *size) die(name);
  data[*size] = 0;
  fclose(file);
  return data;
}

int connect_to(const char* port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int one = 1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr*)&address, sizeof address)) die("connect");
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) die("TCP_NODELAY");
  return fd;
}

size_t response_head(const char* data, size_t size, unsigned long long* body) {
  const char* end = memmem(data, size, "\r\n\r\n", 4);
  if (!end) return 0;
  if (size < 12 || data[9] != '2') {
    fprintf(stderr, "refused: %.*s\n", (int)(size < 400 ? size : 400), data);
    exit(1);
  }
  for (const char* line = data; line < end; line = (const char*)memmem(line, size, "\r\n", 2) + 2) {
    if (strncasecmp(line, "content-length:", 15) == 0) {
      *body = strtoull(line + 15, NULL, 10);
      return (size_t)(end - data) + 4;
    }
    if (!memmem(line, (size_t)(end - line), "\r\n", 2)) break;
  }
  errno = 0;
  die("a response without Content-Length");
  return 0;
}

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
