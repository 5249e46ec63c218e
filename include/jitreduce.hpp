/* jitreduce for C++17 and later: the C library's objects as handles that move, arrays with their types, and errors as
 * exceptions or as results. Header only: link the C library.
 * Manual: cpp.md. */
#ifndef JITREDUCE_HPP
#define JITREDUCE_HPP

#include "jitreduce.h"

#include "jitreduce/cpp/context.hpp"
#include "jitreduce/cpp/group.hpp"
#include "jitreduce/cpp/pack.hpp"

JR_CPP_BEGIN

#ifdef __cpp_exceptions
/* Errors are exceptions (jitreduce::error). */
using context = basic_context<throwing>;
template <class T> using buffer = basic_buffer<T, throwing>;
using stream = basic_stream<throwing>;
using event = basic_event<throwing>;
using graph = basic_graph<throwing>;
using image = basic_image<throwing>;
template <class Signature = any> using kernel = basic_kernel<Signature, throwing>;
template <class Signature = any> using watch = basic_watch<Signature, throwing>;
using group = basic_group<throwing>;
using pack = basic_pack<throwing>;
using replay = basic_replay<throwing>;
#endif

/* Calls return a result, which has a value or an error. It works with -fno-exceptions. */
namespace nothrow {
using context = basic_context<returning>;
template <class T> using buffer = basic_buffer<T, returning>;
using stream = basic_stream<returning>;
using event = basic_event<returning>;
using graph = basic_graph<returning>;
using image = basic_image<returning>;
template <class Signature = any> using kernel = basic_kernel<Signature, returning>;
template <class Signature = any> using watch = basic_watch<Signature, returning>;
using group = basic_group<returning>;
using pack = basic_pack<returning>;
using replay = basic_replay<returning>;
} // namespace nothrow

JR_CPP_END
#endif
