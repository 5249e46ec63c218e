/* Loads two plug-ins so that they see each other's names, and uses both: each must have its own library and header.
 * usage: host ONE.so TWO.so. Prints the sums, and whether functions are shared. */
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>

struct plugin {
    float (*sum)(const float *data, std::size_t count);
    const void *library, *header;
};

int main(int, char **arguments) {
    const float data[] = {1, 2, 3, 4};
    void *const one = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL), *const two =
                                                                        dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL);
    if (one == nullptr || two == nullptr) {
        std::puts(dlerror());
        return 1;
    }
    const auto *const first = static_cast<const plugin *>(dlsym(one, "one"));
    const auto *const second = static_cast<const plugin *>(dlsym(two, "two"));
    if (first == nullptr || second == nullptr) return 2;
    std::printf("%g %g\n", double(first->sum(data, 4)), double(second->sum(data, 3)));
    std::printf("library %s\n", first->library == second->library ? "shared" : "apart");
    std::printf("header %s\n", first->header == second->header ? "shared" : "apart");
    dlclose(one);
    std::printf("%g\n", double(second->sum(data, 2)));
    return dlclose(two);
}
