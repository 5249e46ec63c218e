/* Streams and graphs as objects of Python. */
#ifndef PYTHON_STREAM_H
#define PYTHON_STREAM_H

#include "py_module.h"

extern PyType_Spec pj_stream_spec, pj_graph_spec;

#endif
