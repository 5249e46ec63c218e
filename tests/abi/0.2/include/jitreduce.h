/* The interface as it was released, by tests/abi/freeze.sh. */
#include <stddef.h>
#if defined(__GNUC__)
#define JR_API __attribute__((visibility("default")))
#else
#define JR_API
#endif
#define JR_STATUSES(XX)                                                                                                \
    XX(JR_OK, 0, "success")                                                                                            \
    XX(JR_ERROR_INVALID_ARGUMENT, -100, "an argument is not allowed")                                                  \
    XX(JR_ERROR_OUT_OF_MEMORY, -101, "the host is out of memory")                                                      \
    XX(JR_ERROR_FILE, -102, "a file or folder could not be used")                                                      \
    XX(JR_ERROR_DRIVER_NOT_FOUND, -200, "no CUDA driver was found")                                                    \
    XX(JR_ERROR_NVRTC_NOT_FOUND, -201, "no NVRTC library was found")                                                   \
    XX(JR_ERROR_SIMULATOR_NOT_FOUND, -202, "the PTX simulator library was not found")                                  \
    XX(JR_ERROR_MISSING_FUNCTION, -203, "a library lacks a required function")                                         \
    XX(JR_ERROR_UNSUPPORTED_TYPE, -300, "the operator does not take this element type")                                \
    XX(JR_ERROR_INVALID_EXPRESSION, -301, "an operator expression is not allowed")                                     \
    XX(JR_ERROR_STATE, -302, "the stored state cannot be used")                                                        \
    XX(JR_ERROR_COMPILE, -400, "NVRTC could not compile the program")                                                  \
    XX(JR_ERROR_ARCHITECTURE, -401, "NVRTC cannot target this device")                                                 \
    XX(JR_ERROR_CACHE, -402, "the disk cache could not be used")                                                       \
    XX(JR_ERROR_PACK, -403, "a pack of compiled kernels cannot be used")                                               \
    XX(JR_ERROR_DRIVER, -500, "the CUDA driver reported an error")                                                     \
    XX(JR_ERROR_NO_DEVICE, -501, "there is no such device")                                                            \
    XX(JR_ERROR_DEVICE_OUT_OF_MEMORY, -502, "the device is out of memory")                                             \
    XX(JR_ERROR_DEVICE_FAULT, -503, "a kernel faulted; its context is lost")                                           \
    XX(JR_ERROR_WRONG_CONTEXT, -504, "a stream or pointer belongs to another context")                                 \
    XX(JR_ERROR_LOAD, -505, "the driver could not load the compiled image")                                            \
    XX(JR_ERROR_LAUNCH_RESOURCES, -600, "the kernel needs more than the device has")                                   \
    XX(JR_ERROR_EMPTY_INPUT, -700, "the operator has no value for an empty input")                                     \
    XX(JR_ERROR_NOT_APPLICABLE, -701, "the algorithm cannot do what was asked")                                        \
    XX(JR_ERROR_WISDOM, -800, "stored tunings cannot be used")                                                         \
    XX(JR_ERROR_TRANSPORT, -900, "the ranks of a group could not exchange")                                            \
    XX(JR_ERROR_RANK, -901, "another rank of the group failed")                                                        \
    XX(JR_ERROR_RANKS_DIFFER, -902, "the ranks of a group do not mean the same")
typedef enum jr_status {
#define JR_STATUS_ENUM(name, number, text) name = (number),
    JR_STATUSES(JR_STATUS_ENUM)
#undef JR_STATUS_ENUM
} jr_status;
typedef struct jr_error {
    size_t size;
    jr_status status;
    const char *stage;
    const char *message;
    const char *driver_name;
    const char *log;
} jr_error;
/* Since: 0.2. */
JR_API const jr_error *jr_last_error(void);
JR_API const char *jr_status_text(jr_status status);
JR_API const char *jr_status_name(jr_status status);
typedef enum jr_log_level { JR_LOG_DEBUG = 0, JR_LOG_INFO = 1, JR_LOG_WARNING = 2, JR_LOG_ERROR = 3 } jr_log_level;
typedef void (*jr_log_callback)(void *user, jr_log_level level, const char *line);
JR_API void jr_log_set(jr_log_callback callback, void *user);
#include <stdint.h>
#ifdef __cplusplus
#define JR_INIT(type) jr_init<type>()
extern "C++" {
template <typename Type> inline Type jr_init() {
    Type made = Type();
    made.size = sizeof(Type);
    return made;
}
}
#else
#define JR_INIT(...)          JR_INIT_OF(__VA_ARGS__, )
#define JR_INIT_OF(type, ...) ((type){.size = sizeof(type), __VA_ARGS__})
#endif
#define JR_VERSION_MAJOR  0
#define JR_VERSION_MINOR  2
#define JR_VERSION_PATCH  0
#define JR_VERSION_NUMBER (JR_VERSION_MAJOR * 10000 + JR_VERSION_MINOR * 100 + JR_VERSION_PATCH)
#define JR_TYPES(XX)                                                                                                   \
    XX(I32, 1, "i32")                                                                                                  \
    XX(U32, 2, "u32")                                                                                                  \
    XX(I64, 3, "i64")                                                                                                  \
    XX(U64, 4, "u64")                                                                                                  \
    XX(F32, 5, "f32")                                                                                                  \
    XX(F64, 6, "f64")                                                                                                  \
    XX(I8, 7, "i8")                                                                                                    \
    XX(U8, 8, "u8")                                                                                                    \
    XX(I16, 9, "i16")                                                                                                  \
    XX(U16, 10, "u16")                                                                                                 \
    XX(F16, 11, "f16")                                                                                                 \
    XX(BF16, 12, "bf16")                                                                                               \
    XX(BOOL, 13, "bool")                                                                                               \
    XX(E4M3, 14, "e4m3")                                                                                               \
    XX(E5M2, 15, "e5m2")
typedef enum jr_type {
    JR_TYPE_NONE = 0,
#define JR_TYPE_ENUM(name, number, text) JR_##name = (number),
    JR_TYPES(JR_TYPE_ENUM)
#undef JR_TYPE_ENUM
        JR_STRUCT = 100
} jr_type;
typedef enum jr_type_class {
    JR_CLASS_NONE = 0,
    JR_CLASS_SIGNED = 1,
    JR_CLASS_UNSIGNED = 2,
    JR_CLASS_BOOLEAN = 3,
    JR_CLASS_FLOAT = 4
} jr_type_class;
#define JR_OPS(XX)                                                                                                     \
    XX(SUM, 1, "sum")                                                                                                  \
    XX(PROD, 2, "prod")                                                                                                \
    XX(MIN, 3, "min")                                                                                                  \
    XX(MAX, 4, "max")                                                                                                  \
    XX(AND, 5, "and")                                                                                                  \
    XX(OR, 6, "or")                                                                                                    \
    XX(XOR, 7, "xor")                                                                                                  \
    XX(ANY, 8, "any")                                                                                                  \
    XX(ALL, 9, "all")                                                                                                  \
    XX(COUNT_NONZERO, 10, "count_nonzero")                                                                             \
    XX(ARGMIN, 11, "argmin")                                                                                           \
    XX(ARGMAX, 12, "argmax")                                                                                           \
    XX(MEAN, 13, "mean")                                                                                               \
    XX(VAR, 14, "var")                                                                                                 \
    XX(STD, 15, "std")                                                                                                 \
    XX(NORM1, 16, "norm1")                                                                                             \
    XX(NORM2, 17, "norm2")                                                                                             \
    XX(NORMINF, 18, "norminf")                                                                                         \
    XX(SUMSQ, 19, "sumsq")                                                                                             \
    XX(DOT, 20, "dot")                                                                                                 \
    XX(LOGSUMEXP, 21, "logsumexp")                                                                                     \
    XX(CUSTOM, 22, "custom")
typedef enum jr_op {
    JR_OP_NONE = 0,
#define JR_OP_ENUM(name, number, text) JR_OP_##name = (number),
    JR_OPS(JR_OP_ENUM)
#undef JR_OP_ENUM
} jr_op;
typedef enum jr_op_flag {
    JR_OP_FLAG_FLOATS = 1,
    JR_OP_FLAG_INITIAL = 2,
    JR_OP_FLAG_NO_EMPTY = 4,
    JR_OP_FLAG_SELECTS = 8
} jr_op_flag;
#define JR_ALGORITHMS(XX)                                                                                              \
    XX(SINGLE_PASS, 1, "single_pass")                                                                                  \
    XX(TWO_PASS, 2, "two_pass")                                                                                        \
    XX(ONE_BLOCK, 3, "one_block")                                                                                      \
    XX(ROWS, 4, "rows")                                                                                                \
    XX(TOURNAMENT, 5, "tournament")                                                                                    \
    XX(TOURNAMENT_SERIAL, 6, "tournament_serial")                                                                      \
    XX(STRIDED, 7, "strided")                                                                                          \
    XX(ATOMIC, 8, "atomic")                                                                                            \
    XX(BULK_COPY, 9, "bulk_copy")
#define JR_SCAN_ALGORITHMS(XX)                                                                                         \
    XX(THREE_PASS, 100, "three_pass")                                                                                  \
    XX(WAVE, 101, "wave")
typedef enum jr_algorithm {
    JR_ALGORITHM_AUTO = 0,
#define JR_ALGORITHM_ENUM(name, number, text) JR_ALGORITHM_##name = (number),
    JR_ALGORITHMS(JR_ALGORITHM_ENUM) JR_SCAN_ALGORITHMS(JR_ALGORITHM_ENUM)
#undef JR_ALGORITHM_ENUM
} jr_algorithm;
enum { JR_STRUCT_BYTES_MAX = 64 };
typedef struct jr_value {
    jr_type type;
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        uint16_t f16;
        uint16_t bf16;
        uint8_t e4m3;
        uint8_t e5m2;
        uint8_t boolean;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        unsigned char bytes[JR_STRUCT_BYTES_MAX];
    } as;
} jr_value;
JR_API const char *jr_version(void);
JR_API int jr_version_number(void);
JR_API const char *jr_type_name(jr_type type);
JR_API const char *jr_op_name(jr_op op);
JR_API const char *jr_algorithm_name(jr_algorithm algorithm);
JR_API jr_status jr_type_find(const char *name, jr_type *type);
JR_API jr_status jr_op_find(const char *name, jr_op *op);
JR_API jr_status jr_algorithm_find(const char *name, jr_algorithm *algorithm);
JR_API size_t jr_type_size(jr_type type);
JR_API jr_type_class jr_type_class_of(jr_type type);
JR_API int jr_type_fraction_bits(jr_type type);
JR_API jr_status jr_value_of_number(jr_type type, double number, jr_value *value);
JR_API jr_status jr_value_number(const jr_value *value, double *number);
JR_API unsigned jr_op_flags(jr_op op);
JR_API jr_status jr_result_type(jr_op op, jr_type type, jr_type *result);
JR_API jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes);
typedef struct jr_context jr_context;
struct CUstream_st;
typedef void *(*jr_allocate_function)(void *allocator, uint64_t bytes, struct CUstream_st *stream);
typedef void (*jr_free_function)(void *allocator, void *address, struct CUstream_st *stream);
typedef struct jr_options {
    size_t size;
    const char *device;
    const char *driver;
    const char *nvrtc;
    const char *simulator;
    const char *cache_dir;
    int start_in_background;
    uint64_t cache_bytes;
    const char *wisdom;
    double compile_limit_ms;
    jr_allocate_function allocate;
    jr_free_function free;
    void *allocator;
    const char *packs;
} jr_options;
typedef struct jr_device_info {
    size_t size;
    char name[128];
    int ordinal;
    int simulated;
    int capability_major, capability_minor;
    int driver_version;
    int multiprocessor_count;
    int warp_size;
    int max_threads_per_block;
    int max_threads_per_multiprocessor;
    int max_blocks_per_multiprocessor;
    int registers_per_multiprocessor;
    uint64_t shared_bytes_per_block;
    uint64_t shared_bytes_per_block_optin;
    uint64_t shared_bytes_per_multiprocessor;
    uint64_t l2_bytes;
    uint64_t memory_bytes;
    uint64_t free_memory_bytes;
    int memory_clock_khz;
    int memory_bus_bits;
    int clock_khz;
    int kernel_timeout;
} jr_device_info;
typedef enum jr_origin {
    JR_ORIGIN_NONE = 0,
    JR_ORIGIN_MEMORY = 1,
    JR_ORIGIN_DISK = 2,
    JR_ORIGIN_COMPILED = 3,
    JR_ORIGIN_IMAGE = 4,
    JR_ORIGIN_PACK = 5
} jr_origin;
enum { JR_TUNED_BY_BYTES = 256 };
typedef struct jr_stats {
    size_t size;
    jr_origin origin;
    double nvrtc_ms;
    double cache_ms;
    double load_ms;
    double launch_ms;
    double kernel_ms;
    double copy_ms;
    int launches;
    int grid, block, unroll;
    jr_algorithm algorithm;
    int compiled_again;
    char tuned_by[JR_TUNED_BY_BYTES];
    uint64_t parts;
} jr_stats;
typedef struct jr_counters {
    size_t size;
    uint64_t memory_hits, disk_hits, compiles, cache_failures;
    uint64_t compiles_again;
    uint64_t pack_hits, pack_failures;
} jr_counters;
JR_API jr_status jr_context_open(const jr_options *options, jr_context **context);
JR_API void jr_context_close(jr_context *context);
JR_API int jr_context_is_simulated(const jr_context *context);
JR_API jr_status jr_context_device_info(jr_context *context, jr_device_info *info);
JR_API jr_status jr_context_stats(jr_context *context, jr_stats *stats);
JR_API jr_status jr_context_counters(jr_context *context, jr_counters *counters);
typedef struct jr_finding {
    size_t size;
    const char *component;
    const char *origin;
    const char *path;
    int chosen;
    const char *detail;
} jr_finding;
typedef void (*jr_finding_callback)(void *user, const jr_finding *finding);
JR_API jr_status jr_doctor(const jr_options *options, jr_finding_callback callback, void *user);
typedef struct jr_variable {
    const char *name;
    const char *text;
    const char *value;
} jr_variable;
JR_API int jr_variable_count(void);
JR_API jr_variable jr_variable_get(int index);
typedef enum jr_shared { JR_SHARED_AUTO = 0, JR_SHARED_STATIC = 1, JR_SHARED_DYNAMIC = 2 } jr_shared;
typedef enum jr_nan { JR_NAN_PROPAGATE = 0, JR_NAN_IGNORE = 1 } jr_nan;
typedef enum jr_accuracy { JR_ACCURACY_FAST = 0, JR_ACCURACY_EXACT = 1, JR_ACCURACY_REPRODUCIBLE = 2 } jr_accuracy;
typedef struct jr_structure {
    size_t size;
    const char *name;
    const char *source;
    size_t bytes;
    size_t alignment;
} jr_structure;
typedef struct jr_parameter {
    const char *name;
    jr_value value;
} jr_parameter;
enum { JR_INPUTS_MAX = 4, JR_OPS_MAX = 8, JR_PARAMETERS_MAX = 16 };
#define JR_UNROLL_MAX                    16
#define JR_BLOCK_STEP                    32
#define JR_BLOCK_MAX                     1024
#define JR_GRID_MAX                      65535
#define JR_BLOCKS_PER_MULTIPROCESSOR_MAX 64
typedef struct jr_spec {
    size_t size;
    jr_op op;
    jr_type type;
    jr_algorithm algorithm;
    int unroll;
    int block;
    int grid;
    int blocks_per_multiprocessor;
    jr_shared shared;
    const jr_value *initial;
    const jr_op *ops;
    int op_count;
    jr_type accumulate;
    jr_type result;
    jr_nan nan;
    double ddof;
    const char *combine;
    const char *identity;
    const char *map;
    jr_type map_type;
    const char *where;
    const char *finish;
    int commutative;
    int kept;
    int input_count;
    jr_type more_types[JR_INPUTS_MAX - 1];
    const jr_structure *structure;
    const jr_parameter *parameters;
    int parameter_count;
    uint64_t capacity;
    double max_launch_ms;
    uint64_t device_bytes;
    jr_accuracy accuracy;
    int unused;
} jr_spec;
JR_API jr_status jr_reduce_check(const jr_spec *spec, jr_type *types);
typedef struct jr_result_layout {
    size_t size;
    int count;
    jr_type types[JR_OPS_MAX];
    size_t offsets[JR_OPS_MAX];
    size_t bytes;
    size_t alignment;
} jr_result_layout;
JR_API jr_status jr_result_layout_of(const jr_spec *spec, jr_result_layout *layout);
JR_API jr_status jr_reduce_host(jr_context *context, const jr_spec *spec, const void *data, uint64_t count,
                                jr_value *value);
JR_API jr_status jr_reduce_host_arrays(jr_context *context, const jr_spec *spec, const void *const *data,
                                       uint64_t count, jr_value *values);
typedef struct CUstream_st *jr_stream;
typedef struct CUevent_st *jr_event;
typedef struct CUgraphExec_st *jr_graph;
typedef enum jr_stream_flag { JR_STREAM_NON_BLOCKING = 1 } jr_stream_flag;
typedef enum jr_event_flag { JR_EVENT_BLOCKING = 1, JR_EVENT_NO_TIMING = 2 } jr_event_flag;
JR_API jr_status jr_stream_create(jr_context *context, unsigned flags, jr_stream *stream);
JR_API jr_status jr_stream_destroy(jr_context *context, jr_stream stream);
JR_API jr_status jr_stream_wait(jr_context *context, jr_stream stream);
JR_API jr_status jr_stream_query(jr_context *context, jr_stream stream, int *done);
JR_API jr_status jr_stream_wait_event(jr_context *context, jr_stream stream, jr_event event);
JR_API jr_status jr_context_wait(jr_context *context);
JR_API jr_status jr_stream_write(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_read(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_copy(jr_context *context, void *to, const void *from, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_stream_clear(jr_context *context, void *address, uint64_t bytes, jr_stream stream);
JR_API jr_status jr_pinned_new(jr_context *context, uint64_t bytes, void **address);
JR_API void jr_pinned_free(jr_context *context, void *address);
JR_API jr_status jr_event_create(jr_context *context, unsigned flags, jr_event *event);
JR_API jr_status jr_event_destroy(jr_context *context, jr_event event);
JR_API jr_status jr_event_record(jr_context *context, jr_event event, jr_stream stream);
JR_API jr_status jr_event_wait(jr_context *context, jr_event event);
JR_API jr_status jr_event_query(jr_context *context, jr_event event, int *done);
JR_API jr_status jr_event_elapsed(jr_context *context, jr_event begin, jr_event end, double *milliseconds);
JR_API jr_status jr_capture_begin(jr_context *context, jr_stream stream);
JR_API jr_status jr_capture_end(jr_context *context, jr_stream stream, jr_graph *graph);
JR_API jr_status jr_capture_query(jr_context *context, jr_stream stream, int *captured);
JR_API jr_status jr_graph_launch(jr_context *context, jr_graph graph, jr_stream stream);
JR_API jr_status jr_graph_destroy(jr_context *context, jr_graph graph);
typedef struct jr_plan jr_plan;
JR_API jr_status jr_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);
JR_API void jr_plan_destroy(jr_plan *plan);
JR_API jr_status jr_plan_run(jr_plan *plan, const void *d_in, uint64_t count, void *d_out, void *workspace,
                             jr_stream stream);
JR_API jr_status jr_plan_run_arrays(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out,
                                    void *workspace, jr_stream stream);
JR_API jr_status jr_plan_value(jr_plan *plan, const void *const *d_in, uint64_t count, jr_stream stream,
                               jr_value *values);
JR_API jr_status jr_plan_parameter_set(jr_plan *plan, const char *name, const jr_value *value);
JR_API int jr_plan_result_count(const jr_plan *plan);
JR_API size_t jr_plan_result_bytes(const jr_plan *plan);
JR_API size_t jr_plan_result_offset(const jr_plan *plan, int index);
JR_API size_t jr_plan_workspace_bytes(const jr_plan *plan);
JR_API jr_status jr_plan_workspace_prepare(jr_plan *plan, void *workspace, jr_stream stream);
JR_API jr_type jr_plan_result_type(const jr_plan *plan);
JR_API jr_type jr_plan_result_type_at(const jr_plan *plan, int index);
JR_API jr_status jr_plan_stats(const jr_plan *plan, jr_stats *stats);
JR_API unsigned jr_plan_kernel_count(const jr_plan *plan);
typedef struct jr_run_cost {
    size_t size;
    double kernel_ms;
    int launches;
    uint64_t moved_bytes;
} jr_run_cost;
JR_API jr_status jr_plan_time(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out, int rounds,
                              jr_run_cost *cost);
enum { JR_DIMENSIONS_MAX = 8 };
typedef enum jr_segment_kind {
    JR_SEGMENTS_EQUAL = 1,
    JR_SEGMENTS_OFFSETS = 2,
    JR_SEGMENTS_STRIDED = 3,
    JR_SEGMENTS_KEYS = 4,
    JR_SEGMENTS_AXES = 5
} jr_segment_kind;
typedef struct jr_segment_layout {
    size_t size;
    jr_segment_kind kind;
    uint64_t length;
    uint64_t inner;
    jr_type key_type;
    int dimensions;
    uint64_t shape[JR_DIMENSIONS_MAX];
    unsigned reduced;
    int unused;
} jr_segment_layout;
typedef struct jr_segments {
    size_t size;
    uint64_t count;
    const uint64_t *offsets;
    const void *keys;
    uint64_t elements;
    const jr_segment_layout *layout;
    void *run_keys;
    uint64_t *run_count;
} jr_segments;
typedef struct jr_axis {
    size_t size;
    const uint64_t *shape;
    int dimensions;
    int axis;
    const int *axes;
    size_t axis_count;
} jr_axis;
JR_API jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);
JR_API jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                        jr_plan **plan);
JR_API jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream);
JR_API jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments,
                                            void *d_out, void *workspace, jr_stream stream);
JR_API jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                         const void *const *data, const jr_segments *segments, void *results);
JR_API jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data,
                                     const jr_axis *axis, void *results);
typedef enum jr_scan_kind { JR_SCAN_INCLUSIVE = 0, JR_SCAN_EXCLUSIVE = 1 } jr_scan_kind;
JR_API jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan);
JR_API jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data,
                              uint64_t count, void *out);
JR_API jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const void *const *data, uint64_t count, void *out);
JR_API jr_status jr_scan_segment_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                             const jr_segment_layout *layout, jr_plan **plan);
JR_API jr_status jr_scan_host_segments(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                       const void *const *data, const jr_segments *segments, void *out);
JR_API jr_status jr_scan_host_axis(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                   const jr_axis *axis, void *out);
typedef struct jr_part {
    size_t size;
    const void *const *d_in;
    uint64_t count;
    uint64_t first;
} jr_part;
typedef enum jr_merge_kind { JR_MERGE_TO_RESULT = 0, JR_MERGE_TO_STATE = 1 } jr_merge_kind;
JR_API jr_status jr_state_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);
JR_API jr_status jr_state_plan_run(jr_plan *plan, const jr_part *part, void *d_state, void *workspace,
                                   jr_stream stream);
JR_API jr_status jr_merge_plan_create(jr_context *context, const jr_spec *spec, jr_merge_kind kind, jr_plan **plan);
JR_API size_t jr_merge_plan_state_bytes(const jr_plan *plan);
typedef struct jr_states {
    size_t size;
    const void *d_states;
    uint64_t count;
    uint64_t elements;
} jr_states;
JR_API jr_status jr_merge_plan_run(jr_plan *plan, const jr_states *states, void *d_out, jr_stream stream);
enum { JR_GROUP_DEVICES_MAX = 64 };
typedef struct jr_group jr_group;
typedef struct jr_group_plan jr_group_plan;
typedef int (*jr_allgather)(void *user, const void *mine, size_t bytes, void *all);
typedef struct jr_group_options {
    size_t size;
    const char *devices;
    jr_context *const *contexts;
    size_t context_count;
    const jr_options *context_options;
    jr_allgather allgather;
    void *user;
    int rank, ranks;
    double wait_limit_ms;
    double launch_look_us;
} jr_group_options;
JR_API jr_status jr_group_open(const jr_group_options *options, jr_group **group);
JR_API void jr_group_close(jr_group *group);
JR_API size_t jr_group_size(const jr_group *group);
JR_API size_t jr_group_local_count(const jr_group *group);
JR_API size_t jr_group_first(const jr_group *group);
JR_API jr_context *jr_group_context(const jr_group *group, size_t index);
JR_API jr_status jr_group_plan_create(jr_group *group, const jr_spec *spec, jr_group_plan **plan);
JR_API jr_status jr_group_plan_parameter_set(jr_group_plan *plan, const char *name, const jr_value *value);
JR_API void jr_group_plan_destroy(jr_group_plan *plan);
typedef struct jr_group_parts {
    size_t size;
    const void *const *const *d_in;
    const uint64_t *counts;
    const jr_stream *streams;
} jr_group_parts;
JR_API jr_status jr_group_plan_value(jr_group_plan *plan, const jr_group_parts *parts, jr_value *values);
JR_API jr_status jr_group_segment_plan_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                              jr_group_plan **plan);
JR_API jr_status jr_group_segment_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *results);
JR_API jr_status jr_group_scan_plan_create(jr_group *group, const jr_spec *spec, jr_scan_kind kind,
                                           jr_group_plan **plan);
JR_API jr_status jr_group_scan_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out);
JR_API jr_status jr_group_reduce_host(jr_group *group, const jr_spec *spec, const void *const *data, uint64_t count,
                                      jr_value *values);
JR_API jr_status jr_group_reduce_host_segments(jr_group *group, const jr_spec *spec, const jr_segment_layout *layout,
                                               const void *const *data, const jr_segments *segments, void *results);
JR_API jr_status jr_group_scan_host(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                    uint64_t count, void *out);
JR_API jr_status jr_group_scan_host_segments(jr_group *group, const jr_spec *spec, jr_scan_kind kind,
                                             const void *const *data, const jr_segments *segments, void *out);
JR_API jr_status jr_group_stats(const jr_group *group, jr_stats *stats);
typedef struct jr_allreduce jr_allreduce;
typedef enum jr_allreduce_way {
    JR_ALLREDUCE_AUTO = 0,
    JR_ALLREDUCE_PEERS = 1,
    JR_ALLREDUCE_NCCL = 2,
    JR_ALLREDUCE_HOST = 3
} jr_allreduce_way;
typedef struct jr_allreduce_options {
    size_t size;
    jr_allreduce_way way;
    double wait_limit_ms;
    const char *nccl;
} jr_allreduce_options;
JR_API jr_status jr_allreduce_create(jr_group *group, const jr_spec *spec, const jr_allreduce_options *options,
                                     jr_allreduce **allreduce);
JR_API jr_status jr_allreduce_segment_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                             const jr_allreduce_options *options, jr_allreduce **allreduce);
JR_API void jr_allreduce_destroy(jr_allreduce *allreduce);
JR_API jr_status jr_allreduce_run(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out);
JR_API jr_status jr_allreduce_wait(jr_allreduce *allreduce);
JR_API jr_allreduce_way jr_allreduce_way_of(const jr_allreduce *allreduce);
JR_API size_t jr_allreduce_result_bytes(const jr_allreduce *allreduce);
typedef struct jr_exact_state jr_exact_state;
JR_API jr_status jr_exact_state_create(jr_context *context, const jr_spec *spec, jr_exact_state **state);
JR_API void jr_exact_state_destroy(jr_exact_state *state);
JR_API jr_status jr_exact_state_fold_host(jr_exact_state *state, const void *const *data, uint64_t count,
                                          uint64_t first);
JR_API jr_status jr_exact_state_fold_plan(jr_exact_state *state, const jr_plan *plan, const void *left,
                                          uint64_t elements);
JR_API jr_status jr_exact_state_add(jr_exact_state *state, const jr_exact_state *other);
JR_API jr_status jr_exact_state_add_bytes(jr_exact_state *state, const void *bytes, size_t size);
JR_API jr_status jr_exact_state_write(const jr_exact_state *state, void *bytes, size_t room, size_t *size);
JR_API jr_status jr_exact_state_value(const jr_exact_state *state, jr_value *values);
JR_API uint64_t jr_exact_state_elements(const jr_exact_state *state);
typedef struct jr_exact_state_info {
    size_t size;
    int op_count;
    int input_count;
    jr_op ops[JR_OPS_MAX];
    jr_type types[JR_INPUTS_MAX];
    uint64_t elements;
    uint64_t kept;
} jr_exact_state_info;
JR_API jr_status jr_exact_state_look(const void *bytes, size_t size, jr_exact_state_info *info);
typedef struct jr_named_text {
    const char *name;
    const char *text;
} jr_named_text;
typedef struct jr_program {
    size_t size;
    const char *name;
    const char *source;
    const char *entry;
    const jr_named_text *constants;
    size_t constant_count;
    const jr_named_text *headers;
    size_t header_count;
    const char *const *options;
    size_t option_count;
    const char *const *include_folders;
    size_t include_folder_count;
    int toolkit_headers;
    int unused;
} jr_program;
typedef struct jr_kernel_parameter {
    size_t bytes, alignment;
    char type[16];
} jr_kernel_parameter;
typedef struct jr_kernel jr_kernel;
typedef struct jr_image jr_image;
typedef struct jr_launch {
    size_t size;
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
    int dependent;
    jr_stream stream;
} jr_launch;
typedef struct jr_kernel_info {
    size_t size;
    int registers;
    int shared_bytes;
    int local_bytes;
    int constant_bytes;
    int max_threads_per_block;
    int ptx_version, binary_version;
    int max_dynamic_shared_bytes;
    int parameter_count;
    int parameter_bytes;
} jr_kernel_info;
JR_API jr_status jr_kernel_get(jr_context *context, const jr_program *program, jr_kernel **kernel);
JR_API jr_status jr_plan_kernel(const jr_plan *plan, unsigned index, jr_kernel **kernel);
JR_API jr_status jr_plan_launch_get(const jr_plan *plan, unsigned index, jr_launch *launch);
JR_API const char *jr_kernel_name(const jr_kernel *kernel);
JR_API jr_status jr_kernel_launch(jr_kernel *kernel, const jr_launch *launch, void **args);
JR_API jr_status jr_kernel_info_get(jr_kernel *kernel, jr_kernel_info *info);
JR_API jr_status jr_kernel_occupancy(jr_kernel *kernel, int block, size_t shared_bytes, int *blocks);
JR_API jr_status jr_kernel_block_choose(jr_kernel *kernel, size_t shared_bytes, int *block, int *grid);
JR_API jr_status jr_kernel_global_find(jr_kernel *kernel, const char *name, void **address, size_t *bytes);
JR_API jr_status jr_image_compile(const jr_options *options, const jr_program *program, const char *architecture,
                                  jr_image **image);
JR_API jr_status jr_image_compile_for(jr_context *context, const jr_program *program, jr_image **image);
JR_API const void *jr_image_data(const jr_image *image, size_t *bytes);
JR_API const char *jr_image_ptx(const jr_image *image);
JR_API const void *jr_image_cubin(const jr_image *image, size_t *bytes);
JR_API jr_status jr_image_read(const void *data, size_t bytes, jr_image **image);
JR_API jr_status jr_image_read_ptx(const char *ptx, const char *entry, jr_image **image);
JR_API jr_status jr_image_parameters(const jr_image *image, jr_kernel_parameter *parameters, size_t room,
                                     size_t *count);
JR_API void jr_image_destroy(jr_image *image);
JR_API jr_status jr_kernel_load(jr_context *context, const jr_image *image, jr_kernel **kernel);
typedef enum jr_measure_mode { JR_MEASURE_LAUNCHES = 0, JR_MEASURE_GRAPH = 1, JR_MEASURE_HOST = 2 } jr_measure_mode;
typedef struct jr_measured {
    jr_status (*run)(void *user, uint64_t run, jr_stream stream);
    void *user;
} jr_measured;
enum { JR_MEASURE_ROUNDS = 21, JR_MEASURE_BATCH_MAX = 64 };
typedef struct jr_measure_options {
    size_t size;
    jr_measure_mode mode;
    int rounds;
    int batch;
    double limit_ms;
    const jr_measured *before;
} jr_measure_options;
JR_API jr_status jr_measure(jr_context *context, const jr_measure_options *options, const jr_measured *items, int count,
                            double *microseconds, int *rounds);
typedef struct jr_spread {
    double median, lower_quartile, upper_quartile, least, most;
} jr_spread;
JR_API jr_status jr_spread_of(const double *numbers, int count, jr_spread *spread);
typedef struct jr_line {
    double intercept, slope;
} jr_line;
JR_API jr_status jr_line_fit(const double *x, const double *y, int count, jr_line *line);
JR_API jr_status jr_memory_new(jr_context *context, uint64_t bytes, void **address);
JR_API void jr_memory_free(jr_context *context, void *address);
JR_API jr_status jr_memory_write(jr_context *context, void *to, const void *from, uint64_t bytes);
JR_API jr_status jr_memory_read(jr_context *context, void *to, const void *from, uint64_t bytes);
typedef struct jr_pack jr_pack;
typedef struct jr_pack_options {
    size_t size;
    const char *const *architectures;
    size_t architecture_count;
    int plain;
    int unused;
} jr_pack_options;
enum { JR_PACK_TEXT_BYTES = 256 };
typedef struct jr_pack_info {
    size_t size;
    char library[JR_PACK_TEXT_BYTES];
    char compiler[JR_PACK_TEXT_BYTES];
    char architectures[JR_PACK_TEXT_BYTES];
    uint64_t image_count;
    uint64_t image_bytes;
    uint64_t bytes;
} jr_pack_info;
JR_API jr_status jr_pack_create(const jr_options *options, const jr_pack_options *how, jr_pack **pack);
JR_API jr_status jr_pack_add(jr_pack *pack, const jr_program *program);
JR_API jr_status jr_pack_add_spec(jr_pack *pack, const jr_spec *spec);
JR_API jr_status jr_pack_add_scan(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind);
JR_API jr_status jr_pack_add_segments(jr_pack *pack, const jr_spec *spec, const jr_segment_layout *layout);
JR_API jr_status jr_pack_add_scan_segments(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind,
                                           const jr_segment_layout *layout);
JR_API jr_status jr_pack_write(jr_pack *pack, const char *path);
JR_API void jr_pack_destroy(jr_pack *pack);
JR_API jr_status jr_pack_look(const char *path, jr_pack_info *info);
typedef struct jr_replay jr_replay;
enum { JR_REPLAY_TEXT_BYTES = 256 };
typedef struct jr_replay_info {
    size_t size;
    char library[JR_REPLAY_TEXT_BYTES];
    char device[JR_REPLAY_TEXT_BYTES];
    char failure[JR_REPLAY_TEXT_BYTES];
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    int dependent;
    uint64_t argument_count, buffer_count;
    uint64_t bytes;
} jr_replay_info;
typedef struct jr_replay_argument {
    const void *value;
    size_t bytes;
    int64_t buffer;
    uint64_t offset;
    char type[16];
} jr_replay_argument;
typedef struct jr_replay_buffer {
    uint64_t bytes;
    const void *before;
    const void *after;
} jr_replay_buffer;
JR_API jr_status jr_replay_open(const char *path, jr_replay **replay);
JR_API jr_status jr_replay_look(const jr_replay *replay, jr_replay_info *info);
JR_API const jr_program *jr_replay_program(const jr_replay *replay);
JR_API const jr_image *jr_replay_image(const jr_replay *replay);
JR_API jr_status jr_replay_argument_get(const jr_replay *replay, uint64_t index, jr_replay_argument *argument);
JR_API jr_status jr_replay_buffer_get(const jr_replay *replay, uint64_t index, jr_replay_buffer *buffer);
JR_API void jr_replay_close(jr_replay *replay);
enum { JR_WISDOM_PATH_BYTES = 4096, JR_REASON_BYTES = 512 };
typedef struct jr_wisdom_info {
    size_t size;
    char path[JR_WISDOM_PATH_BYTES];
    const char *origin;
    int found;
    char refused[JR_REASON_BYTES];
    uint64_t own_count;
    uint64_t usable_count;
    uint64_t other_count;
} jr_wisdom_info;
JR_API jr_status jr_wisdom_info_get(jr_context *context, jr_wisdom_info *info);
typedef struct jr_tune_candidate {
    jr_algorithm algorithm;
    int unroll, block;
    int blocks_per_multiprocessor;
    int grid;
    double us;
    double gain;
    char failure[JR_REASON_BYTES];
    uint64_t reserved[8];
} jr_tune_candidate;
typedef struct jr_tune_progress {
    size_t size;
    int done, planned;
    const jr_tune_candidate *candidate;
    const jr_tune_candidate *best;
} jr_tune_progress;
typedef struct jr_tune_options {
    size_t size;
    double limit_ms;
    int (*progress)(void *user, const jr_tune_progress *progress);
    void *user;
} jr_tune_options;
typedef struct jr_tuned {
    size_t size;
    uint64_t count;
    jr_tune_candidate estimate;
    jr_tune_candidate best;
    int better;
    int complete;
    int measured, failed;
} jr_tuned;
JR_API jr_status jr_tune(jr_context *context, const jr_spec *spec, uint64_t count, const jr_tune_options *options,
                         jr_tuned *tuned);
JR_API jr_status jr_tuned_store(jr_context *context, const jr_spec *spec, const jr_tuned *tuned);
JR_API jr_status jr_tune_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, uint64_t count,
                              const jr_tune_options *options, jr_tuned *tuned);
JR_API jr_status jr_tuned_store_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const jr_tuned *tuned);
JR_API jr_status jr_formula_compute(const char *text, const jr_named_text *names, size_t name_count, int64_t *value);
enum {
    JR_TUNABLE_PARAMETERS_MAX = 16,
    JR_TUNABLE_SIZES_MAX = 8,
    JR_SETTING_BYTES = 512,
    JR_TUNABLE_SETTINGS_MOST = 16384
};
typedef struct jr_tunable {
    size_t size;
    const jr_program *program;
    const jr_named_text *parameters;
    size_t parameter_count;
    const char *const *restrictions;
    size_t restriction_count;
    const char *const *sizes;
    size_t size_count;
    const char *grid;
    const char *block;
    const char *shared;
    const char *preferred;
} jr_tunable;
typedef struct jr_tunable_setting {
    int64_t values[JR_TUNABLE_PARAMETERS_MAX];
    char text[JR_SETTING_BYTES];
    double us;
    double gain;
    char failure[JR_REASON_BYTES];
    uint64_t reserved[8];
} jr_tunable_setting;
typedef struct jr_tunable_output {
    void *address;
    uint64_t bytes;
    const void *expected;
    jr_type type;
    double absolute, relative;
} jr_tunable_output;
typedef struct jr_tunable_problem {
    size_t size;
    const int64_t *sizes;
    void **args;
    const jr_tunable_output *outputs;
    size_t output_count;
} jr_tunable_problem;
typedef struct jr_tunable_progress {
    size_t size;
    uint64_t done, planned;
    int begins;
    const jr_tunable_setting *setting;
    const jr_tunable_setting *best;
} jr_tunable_progress;
typedef struct jr_tunable_options {
    size_t size;
    double limit_ms;
    uint64_t settings_most;
    const jr_tunable_setting *excluded;
    size_t excluded_count;
    int (*progress)(void *user, const jr_tunable_progress *progress);
    void *user;
} jr_tunable_options;
typedef struct jr_tunable_found {
    size_t size;
    jr_tunable_setting preferred;
    jr_tunable_setting best;
    int better;
    int complete;
    uint64_t measured, failed;
    uint64_t possible;
} jr_tunable_found;
JR_API jr_status jr_tunable_tune(jr_context *context, const jr_tunable *tunable, const jr_tunable_problem *problem,
                                 const jr_tunable_options *options, jr_tunable_found *found);
JR_API jr_status jr_tunable_store(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                                  const jr_tunable_found *found);
typedef struct jr_tunable_choice {
    size_t size;
    jr_kernel *kernel;
    jr_launch launch;
    jr_tunable_setting setting;
    char why[JR_REASON_BYTES];
} jr_tunable_choice;
JR_API jr_status jr_tunable_get(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                                jr_tunable_choice *choice);
