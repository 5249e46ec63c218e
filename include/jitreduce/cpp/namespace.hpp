/* The namespace of the C++ header: one for each version, and hidden in a plug-in with the static library.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_NAMESPACE_HPP
#define JITREDUCE_CPP_NAMESPACE_HPP

#include "../types.h"

/* Inline functions of the same name become one function where shared objects see each other's names (RTLD_GLOBAL). Of
 * two versions of this header they have different names, because of the inline namespace. A shared object that contains
 * libjitreduce.a is compiled with JITREDUCE_STATIC, which hides its copies: they call its own library. CMake's target
 * jitreduce::static defines it. */
#ifdef JITREDUCE_STATIC
#define JR_CPP_VISIBILITY __attribute__((visibility("hidden")))
#else
#define JR_CPP_VISIBILITY
#endif
#define JR_CPP_JOIN(major, minor, patch)    v##major##_##minor##_##patch
#define JR_CPP_VERSION(major, minor, patch) JR_CPP_JOIN(major, minor, patch)
#define JR_CPP_BEGIN                                                                                                   \
    namespace jitreduce JR_CPP_VISIBILITY {                                                                            \
    inline namespace JR_CPP_VERSION(JR_VERSION_MAJOR, JR_VERSION_MINOR, JR_VERSION_PATCH) {
#define JR_CPP_END                                                                                                     \
    }                                                                                                                  \
    }

#endif
