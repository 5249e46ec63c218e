/* PyTorch's own memory for results of replayed calls. */
#ifndef PYTHON_CALL_TORCH_H
#define PYTHON_CALL_TORCH_H

#include "call_seen.h"

/* Makes a tensor for results that are as large as an array of the call, of its type and shape and in C order, which
 * costs the host half of what an exchange does. like: a torch.Tensor. NULL: another way is to be taken. */
PyObject *pj_torch_make(pj_state *state, const pj_seen *like, const pj_form *form, void **address);

#endif
