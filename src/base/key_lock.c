/* Locks that belong to the open file, so that threads of one process wait for each other, too. */
#include "key_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

#define FILE_NAME ".jitreduce-claims"

/* Which byte of the file is the key's: below 2^62, the end of what files have. */
static int64_t place_of(const uint8_t key[JR_DIGEST_BYTES]) {
    uint64_t first;
    memcpy(&first, key, sizeof first);
    return (int64_t)(first >> 2);
}

static int set_lock(const jr_key_lock *lock, short type) {
    struct flock wanted = {.l_type = type, .l_whence = SEEK_SET, .l_start = lock->place, .l_len = 1};
    int result;
    do result = fcntl(lock->file, F_OFD_SETLK, &wanted);
    while (result != 0 && errno == EINTR);
    return result;
}

bool jr_key_lock_is_of_others(const jr_key_lock *lock) {
    struct flock asked = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = lock->place, .l_len = 1};
    return lock->file >= 0 && fcntl(lock->file, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

jr_key_lock jr_key_lock_open(const char *folder, const uint8_t key[JR_DIGEST_BYTES]) {
    char path[JR_PATH_BYTES];
    jr_key_lock lock = {-1, place_of(key)};
    if (*folder != '\0' && jr_path_join(path, folder, FILE_NAME))
        lock.file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return lock;
}

jr_key_lock_state jr_key_lock_try(jr_key_lock *lock) {
    if (lock->file < 0) return JR_KEY_LOCK_NONE;
    if (set_lock(lock, F_WRLCK) == 0) return JR_KEY_LOCK_TAKEN;
    if (errno == EAGAIN || errno == EACCES) return JR_KEY_LOCK_OF_OTHERS;
    close(lock->file);
    lock->file = -1;
    return JR_KEY_LOCK_NONE;
}

/* A process that was forked meanwhile has the open file, too: to close it is not enough. */
void jr_key_lock_close(jr_key_lock *lock) {
    if (lock->file < 0) return;
    set_lock(lock, F_UNLCK);
    close(lock->file);
    lock->file = -1;
}
