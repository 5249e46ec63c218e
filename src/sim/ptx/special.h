/* Special registers: one list. */
#ifndef JRS_PTX_SPECIAL_H
#define JRS_PTX_SPECIAL_H

/* The system's part of a block's shared memory, after the kernel's own: only for kernels that name it; its bytes start
 * as 0.
 */
#define JRS_RESERVED "%reserved_smem_offset_"
enum { JRS_RESERVED_BYTES = 1024 };

/* The one special register that is a predicate. */
#define JRS_EXPLICIT_CLUSTER "%is_explicit_cluster"

/* identifier, PTX name, value for a lane (in exec/instructions/special.c: warp, block, run, launch, lane, thread[3]) */
#define JRS_SPECIALS(XX)                                                                                               \
    XX(TID_X, "%tid.x", thread[0])                                                                                     \
    XX(TID_Y, "%tid.y", thread[1])                                                                                     \
    XX(TID_Z, "%tid.z", thread[2])                                                                                     \
    XX(NTID_X, "%ntid.x", launch->block[0])                                                                            \
    XX(NTID_Y, "%ntid.y", launch->block[1])                                                                            \
    XX(NTID_Z, "%ntid.z", launch->block[2])                                                                            \
    XX(CTAID_X, "%ctaid.x", block->index[0])                                                                           \
    XX(CTAID_Y, "%ctaid.y", block->index[1])                                                                           \
    XX(CTAID_Z, "%ctaid.z", block->index[2])                                                                           \
    XX(NCTAID_X, "%nctaid.x", launch->grid[0])                                                                         \
    XX(NCTAID_Y, "%nctaid.y", launch->grid[1])                                                                         \
    XX(NCTAID_Z, "%nctaid.z", launch->grid[2])                                                                         \
    XX(LANEID, "%laneid", lane)                                                                                        \
    XX(WARPID, "%warpid", warp->number)                                                                                \
    XX(NWARPID, "%nwarpid", run->warp_count)                                                                           \
    XX(SMID, "%smid", block->number % multiprocessors)                                                                 \
    XX(NSMID, "%nsmid", multiprocessors)                                                                               \
    XX(GRIDID, "%gridid", run->grid_id)                                                                                \
    XX(LANEMASK_EQ, "%lanemask_eq", 1u << lane)                                                                        \
    XX(LANEMASK_LT, "%lanemask_lt", (1u << lane) - 1)                                                                  \
    XX(LANEMASK_LE, "%lanemask_le", (2u << lane) - 1)                                                                  \
    XX(LANEMASK_GT, "%lanemask_gt", ~((2u << lane) - 1))                                                               \
    XX(LANEMASK_GE, "%lanemask_ge", ~((1u << lane) - 1))                                                               \
    XX(CLOCK, "%clock", now)                                                                                           \
    XX(CLOCK_HI, "%clock_hi", now >> 32)                                                                               \
    XX(CLOCK64, "%clock64", now)                                                                                       \
    XX(GLOBALTIMER, "%globaltimer", now)                                                                               \
    XX(GLOBALTIMER_LO, "%globaltimer_lo", now & 0xffffffffu)                                                           \
    XX(GLOBALTIMER_HI, "%globaltimer_hi", now >> 32)                                                                   \
    XX(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size", launch->shared_bytes)                                                  \
    XX(TOTAL_SMEM_SIZE, "%total_smem_size", run->own_shared)                                                           \
    XX(AGGR_SMEM_SIZE, "%aggr_smem_size", run->shared_bytes)                                                           \
    XX(RESERVED_BEGIN, "%reserved_smem_offset_begin", run->reserved_shared)                                            \
    XX(RESERVED_0, "%reserved_smem_offset_0", run->reserved_shared)                                                    \
    XX(RESERVED_1, "%reserved_smem_offset_1", run->reserved_shared + JRS_RESERVED_BYTES / 2)                           \
    XX(RESERVED_END, "%reserved_smem_offset_end", run->reserved_shared + JRS_RESERVED_BYTES)                           \
    XX(RESERVED_CAP, "%reserved_smem_offset_cap", JRS_RESERVED_BYTES)                                                  \
    XX(ENVREG1, "%envreg1", launch->grid_workspace >> 32)                                                              \
    XX(ENVREG2, "%envreg2", launch->grid_workspace & 0xffffffffu)                                                      \
    XX(CURRENT_GRAPH_EXEC, "%current_graph_exec", 0)                                                                   \
    XX(CLUSTER_CTAID_X, "%cluster_ctaid.x", block->index[0] % run->cluster[0])                                         \
    XX(CLUSTER_CTAID_Y, "%cluster_ctaid.y", block->index[1] % run->cluster[1])                                         \
    XX(CLUSTER_CTAID_Z, "%cluster_ctaid.z", block->index[2] % run->cluster[2])                                         \
    XX(CLUSTER_NCTAID_X, "%cluster_nctaid.x", run->cluster[0])                                                         \
    XX(CLUSTER_NCTAID_Y, "%cluster_nctaid.y", run->cluster[1])                                                         \
    XX(CLUSTER_NCTAID_Z, "%cluster_nctaid.z", run->cluster[2])                                                         \
    XX(CLUSTERID_X, "%clusterid.x", block->cluster->index[0])                                                          \
    XX(CLUSTERID_Y, "%clusterid.y", block->cluster->index[1])                                                          \
    XX(CLUSTERID_Z, "%clusterid.z", block->cluster->index[2])                                                          \
    XX(NCLUSTERID_X, "%nclusterid.x", run->clusters[0])                                                                \
    XX(NCLUSTERID_Y, "%nclusterid.y", run->clusters[1])                                                                \
    XX(NCLUSTERID_Z, "%nclusterid.z", run->clusters[2])                                                                \
    XX(CLUSTER_CTARANK, "%cluster_ctarank", block->rank)                                                               \
    XX(CLUSTER_NCTARANK, "%cluster_nctarank", run->cluster_size)                                                       \
    XX(IS_EXPLICIT_CLUSTER, JRS_EXPLICIT_CLUSTER, run->clustered)

#endif
