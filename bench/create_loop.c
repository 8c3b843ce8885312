/* Creates files as fast as threads can; prints the files per second.
 *
 *   create_loop FOLDER FILES BYTES THREADS FILES_PER_FOLDER fsync|cached
 *
 * The bare loop that durable small uploads are held against, and the maker of trees. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"

static const char* folder;
static long files, bytes, per_folder;
static int synced;
static char* content;
static atomic_long next_file;

static void* work(void* unused) {
  char name[4096];
  for (long i; (i = atomic_fetch_add(&next_file, 1)) < files;) {
    snprintf(name, sizeof name, "%s/%04ld/file%06ld.bin", folder, i / per_folder, i);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, content, (size_t)bytes) != bytes) die(name);
    if (synced && fsync(fd)) die("fsync");
    if (close(fd)) die("close");
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  folder = argv[1];
  files = atol(argv[2]);
  bytes = atol(argv[3]);
  const int threads = atoi(argv[4]);
  per_folder = atol(argv[5]);
  synced = strcmp(argv[6], "fsync") == 0;
  content = malloc((size_t)bytes);
  pthread_t* all = calloc((size_t)threads, sizeof *all);
  if (!content || !all) die("memory");
  memset(content, 'x', (size_t)bytes);
  if (mkdir(folder, 0755)) die(folder);
  for (long i = 0; i * per_folder < files; ++i) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%04ld", folder, i);
    if (mkdir(name, 0755)) die(name);
  }
  const double start = seconds_now();
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&all[i], NULL, work, NULL)) die("thread");
  }
  for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
  printf("%.3f\n", (double)files / (seconds_now() - start));
  return 0;
}
