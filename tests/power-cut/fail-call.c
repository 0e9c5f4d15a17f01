/**
 * A library that is loaded before the C library (LD_PRELOAD) and makes one system call on the files of a folder fail.
 * strace's injection counts the calls of each thread separately, and knows files only by their full paths. This library
 * counts the calls of all threads together, and takes patterns of paths below the folder.
 *
 *   FAIL_ROOT   the absolute path of the folder
 *   FAIL_LOG    a file that gets a line for each call, or with FAIL_CALL for each call that fails: the call's kind, and
 *               the path below the folder
 *   FAIL_CALL   "<kind> <pattern of paths> <number> <errno> <kinds>": of the calls of this kind on these paths, the one
 *               with this number fails (from 1). From then on, all calls of the kinds at the end (separated by commas)
 *               fail on any path except the app's logs. With "-" instead of kinds, only the one call fails.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *root;
static int log_fd = -1;
static char kind_to_fail[16], pattern[256], kinds_from_then[256];
static int number, error;
static bool has_begun;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *log = getenv("FAIL_LOG"), *call = getenv("FAIL_CALL");
  root = getenv("FAIL_ROOT");
  if (log != NULL) log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (call != NULL) sscanf(call, "%15s %255s %d %d %255s", kind_to_fail, pattern, &number, &error, kinds_from_then);
}

/** Returns whether `kind` is one of `kinds`, which are separated by commas. */
static bool is_among(const char *kind, const char *kinds) {
  size_t length = strlen(kind);
  for (const char *at = kinds; (at = strstr(at, kind)) != NULL; at += length)
    if ((at == kinds || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return true;
  return false;
}

static bool fails_below(const char *kind, const char *path) {
  pthread_mutex_lock(&lock);
  bool fails = false;
  if (has_begun)
    fails = is_among(kind, kinds_from_then) && strncmp(path, "logs", 4) != 0;
  else if (strcmp(kind, kind_to_fail) == 0 && fnmatch(pattern, path, 0) == 0)
    fails = has_begun = --number == 0;
  if (log_fd >= 0 && (fails || kind_to_fail[0] == '\0')) {
    char line[4096];
    int length = snprintf(line, sizeof line, "%s %s\n", kind, path);
    syscall(SYS_write, log_fd, line, length);
  }
  pthread_mutex_unlock(&lock);
  return fails;
}

/** Returns whether a call on `path` has to fail, and sets `errno` in that case. */
static bool fails_at(const char *kind, const char *path) {
  int before = errno;
  size_t length = root == NULL ? 0 : strlen(root);
  bool fails = length > 0 && path != NULL && strncmp(path, root, length) == 0 &&
               (path[length] == '/' || path[length] == '\0') &&
               fails_below(kind, path[length] == '/' ? path + length + 1 : ".");
  errno = fails ? error : before;
  return fails;
}

/** Returns whether a call on an open file has to fail, as `fails_at` does. */
static bool fails_on(const char *kind, int fd) {
  if (root == NULL || fd <= 2) return false;
  char link[32], path[4096];
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  errno = before;
  if (length <= 0) return false;
  path[length] = '\0';
  return fails_at(kind, path);
}

static bool fails_to_open(const char *path, int flags) {
  return fails_at((flags & O_CREAT) != 0 && syscall(SYS_access, path, F_OK) != 0 ? "create" : "open", path);
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(result, name, parameters, check, failed, arguments) \
  result name parameters {                                        \
    static typeof(&name) real;                                    \
    if (real == NULL) real = REAL(name);                          \
    if (check) return failed;                                     \
    return real arguments;                                        \
  }
#define WRAP_OPEN(name, parameters, arguments)                    \
  int name parameters {                                           \
    static typeof(&name) real;                                    \
    if (real == NULL) real = REAL(name);                          \
    va_list rest;                                                 \
    va_start(rest, flags);                                        \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                 \
    if (fails_to_open(path, flags)) return -1;                    \
    return real arguments;                                        \
  }

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))

WRAP(ssize_t, read, (int fd, void *to, size_t size), fails_on("read", fd), -1, (fd, to, size))
WRAP(ssize_t, readv, (int fd, const struct iovec *to, int n), fails_on("read", fd), -1, (fd, to, n))
WRAP(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), fails_on("read", fd), -1, (fd, to, size, at))
WRAP(ssize_t, write, (int fd, const void *from, size_t size), fails_on("write", fd), -1, (fd, from, size))
WRAP(ssize_t, writev, (int fd, const struct iovec *from, int n), fails_on("write", fd), -1, (fd, from, n))
WRAP(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), fails_on("write", fd), -1, (fd, from, size, at))
WRAP(int, ftruncate64, (int fd, off64_t length), fails_on("truncate", fd), -1, (fd, length))
WRAP(int, truncate, (const char *path, off_t length), fails_at("truncate", path), -1, (path, length))
WRAP(int, rename, (const char *path, const char *to), fails_at("rename", path), -1, (path, to))
WRAP(int, unlink, (const char *path), fails_at("unlink", path), -1, (path))
WRAP(int, unlinkat, (int at, const char *path, int flags), fails_at("unlink", path), -1, (at, path, flags))
WRAP(int, remove, (const char *path), fails_at("unlink", path), -1, (path))
WRAP(int, rmdir, (const char *path), fails_at("unlink", path), -1, (path))
WRAP(int, mkdir, (const char *path, mode_t mode), fails_at("mkdir", path), -1, (path, mode))
WRAP(int, chmod, (const char *path, mode_t mode), fails_at("chmod", path), -1, (path, mode))
WRAP(int, fchmod, (int fd, mode_t mode), fails_on("chmod", fd), -1, (fd, mode))
WRAP(DIR *, opendir, (const char *path), fails_at("list", path), NULL, (path))
WRAP(int, scandir64,
     (const char *path, struct dirent64 ***found, int (*is)(const struct dirent64 *),
      int (*compare)(const struct dirent64 **, const struct dirent64 **)),
     fails_at("list", path), -1, (path, found, is, compare))
WRAP(void *, mmap64, (void *at, size_t size, int may, int flags, int fd, off64_t from),
     fd >= 0 && fails_on("map", fd), MAP_FAILED, (at, size, may, flags, fd, from))

/*
 * After a failed flush, Linux treats the data that it could not write as written, and loses it sooner or later
 * (fsyncgate, 2018). This library loses it at once: it restores the content that the file had after the last flush that
 * succeeded. Linux also reports the error once to each other descriptor of the file. This library reports it to the one
 * that is flushed next.
 */

/** The file whose flush failed, until another descriptor has reported the error, and the descriptor of that flush. */
static ino_t failed_file;
static int failed_fd;

static void copy(int from, int to) {
  char bytes[65536];
  off64_t at = 0;
  for (ssize_t n; (n = syscall(SYS_pread64, from, bytes, sizeof bytes, at)) > 0; at += n) syscall(SYS_pwrite64, to, bytes, n, at);
  syscall(SYS_ftruncate, to, at);
}

static int flush(int fd, int (*real)(int)) {
  struct stat64 file;
  if (strcmp(kind_to_fail, "flush") != 0 || fstat64(fd, &file) != 0 || !S_ISREG(file.st_mode))
    return fails_on("flush", fd) ? -1 : real(fd);
  if (file.st_ino == failed_file && fd != failed_fd) {
    failed_file = 0;
    errno = error;
    return -1;
  }
  bool fails = fails_on("flush", fd);
  int result = fails ? -1 : real(fd), before = errno;
  char path[4096];
  snprintf(path, sizeof path, "%s.%lx", getenv("FAIL_LOG"), (long)file.st_ino);
  int flushed = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fails) {
    copy(flushed, fd);
    failed_file = file.st_ino;
    failed_fd = fd;
  } else if (result == 0)
    copy(fd, flushed);
  syscall(SYS_close, flushed);
  errno = before;
  return result;
}

int fsync(int fd) { return flush(fd, REAL(fsync)); }
int fdatasync(int fd) { return flush(fd, REAL(fdatasync)); }
