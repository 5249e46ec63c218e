/* The fixed tree of JR_ACCURACY_REPRODUCIBLE (kernels_src/fold/tree.cuh): what its algorithms share. */
#ifndef JR_PLAN_TREE_H
#define JR_PLAN_TREE_H

#include "plan.h"

/* Elements of a chunk, a power of two, when count elements are reduced: so many chunks that all warps have several,
 * and no more nodes than one block folds quickly. most: elements that a chunk may have, 32 packs at least. */
uint64_t jr_tree_chunk(const jr_plan *plan, uint64_t count, uint64_t most);

/* Elements of a tile of a warp, a power of two. */
uint64_t jr_tree_tile(const jr_plan *plan);

/* Elements of a chunk of pieces of a segment: the same whatever is chosen, as pieces are cut before that. */
uint64_t jr_tree_granule(const jr_reduction *reduction);

/* The chunks of a part, of run->flat.chunk elements each, which plan and whole count determine; 0: the run is the
 * whole. */
jr_tree_cut jr_tree_chunks_of(const jr_plan *plan, const jr_run *run);

/* As a row's: of a run of count elements, where a block has chunks for all its warps; the room for nodes; and loads of
 * a thread. */
int jr_tree_grid(const jr_plan *plan, uint64_t count);
size_t jr_tree_workspace(const jr_plan *plan);
uint64_t jr_tree_moved(const jr_plan *plan, uint64_t count);
extern const jr_algorithm_choices jr_tree_choices;

#endif
