/* The dynamic linker's own list of libraries, /etc/ld.so.cache. */
#ifndef JR_LOADER_LINKER_CACHE_H
#define JR_LOADER_LINKER_CACHE_H

/* Calls found for each library of the cache file whose name begins with prefix, in the file's order. The strings live
 * until it returns. A file that is absent, damaged or of another format has no libraries. */
void jr_linker_cache_find(const char *file, const char *prefix,
                          void (*found)(void *user, const char *name, const char *path), void *user);

#endif
