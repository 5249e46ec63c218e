/* Settings from the environment: the one place that calls getenv, and the one list of names. */
#ifndef JR_BASE_SETTINGS_H
#define JR_BASE_SETTINGS_H

/* id, environment variable, what it does (shown by `jitreduce doctor` and in README). */
#define JR_SETTINGS(XX)                                                                                                \
    XX(DEVICE, "JITREDUCE_DEVICE", "default device: auto, cuda, cuda:N, sim, sim#N; of a group also cuda:all, sim:4")  \
    XX(DRIVER, "JITREDUCE_DRIVER", "path of the CUDA driver library (libcuda.so.1)")                                   \
    XX(NVRTC, "JITREDUCE_NVRTC", "path of the NVRTC library (libnvrtc.so.*)")                                          \
    XX(TOOLKIT, "JITREDUCE_TOOLKIT", "folder of the CUDA toolkit's headers (cuda_fp16.h); empty: none is used")        \
    XX(NVJITLINK, "JITREDUCE_NVJITLINK", "path of nvJitLink (libnvJitLink.so.*), for linking; empty: none is used")    \
    XX(NCCL, "JITREDUCE_NCCL", "path of the NCCL library (libnccl.so.2), for groups")                                  \
    XX(SIMULATOR, "JITREDUCE_SIM", "path of the PTX simulator (libjrsim.so)")                                          \
    XX(CACHE_DIR, "JITREDUCE_CACHE_DIR", "disk cache folder; empty: no disk cache")                                    \
    XX(CACHE_BYTES, "JITREDUCE_CACHE_BYTES", "cap of the disk cache in bytes")                                         \
    XX(PCH_BYTES, "JITREDUCE_PCH_BYTES", "cap of precompiled headers in the disk cache; 0: none; default: 536870912")  \
    XX(WISDOM, "JITREDUCE_WISDOM", "file of stored tunings; empty: stored tunings are off")                            \
    XX(PACKS, "JITREDUCE_PACKS", "packs of compiled kernels: files and folders, separated by ':'; empty: off")         \
    XX(PACK_RECORD, "JITREDUCE_PACK_RECORD", "file[:architectures] of a pack to which contexts add what they used")    \
    XX(CAPTURE, "JITREDUCE_CAPTURE", "folder[:pattern] into which launches of kernels are captured, with their data")  \
    XX(CAPTURE_BYTES, "JITREDUCE_CAPTURE_BYTES", "bytes that a captured launch may point to; default: 268435456")      \
    XX(CAPTURE_COUNT, "JITREDUCE_CAPTURE_COUNT", "captured launches in the folder, at most; default: 16")              \
    XX(DEBUG, "JITREDUCE_DEBUG", "debug information of kernels, with their sources as files: lines or full")           \
    XX(TIME_TRACE, "JITREDUCE_TIME_TRACE", "folder into which NVRTC's time trace of each compile is written")          \
    XX(LOG, "JITREDUCE_LOG", "log of the command and Python on standard error: error, warning, info, debug")           \
    XX(NVTX, "NVTX_INJECTION64_PATH",                                                                                  \
       "library of a profiler, which gets ranges of compiles, loads and launches (NVTX)")                              \
    XX(CUDA_HOME, "CUDA_HOME", "CUDA toolkit folder, searched for NVRTC")                                              \
    XX(CUDA_PATH, "CUDA_PATH", "CUDA toolkit folder, searched for NVRTC")                                              \
    XX(VIRTUAL_ENV, "VIRTUAL_ENV", "Python environment, searched for NVRTC wheels")                                    \
    XX(CONDA_PREFIX, "CONDA_PREFIX", "conda environment, searched for NVRTC")                                          \
    XX(LD_LIBRARY_PATH, "LD_LIBRARY_PATH", "the linker's folders, searched for NVRTC")                                 \
    XX(XDG_CACHE_HOME, "XDG_CACHE_HOME", "parent of the default cache folder")                                         \
    XX(XDG_DATA_HOME, "XDG_DATA_HOME", "parent of the folder of the default file of stored tunings")                   \
    XX(HOME, "HOME", "home folder")                                                                                    \
    XX(SIM_DEVICES, "JRSIM_DEVICES", "devices of the simulator, 1 to 16; default: 1")                                  \
    XX(SIM_THREADS, "JRSIM_THREADS", "CPU threads of a simulated kernel, 1 to 1024; default: all cores")               \
    XX(SIM_MEMORY_BYTES, "JRSIM_MEMORY_BYTES", "memory of a simulated device; default: half of the host's in all")     \
    XX(SIM_SEED, "JRSIM_SEED", "shuffles the order of warps in the simulator; default 0: in order")                    \
    XX(SIM_STEP_LIMIT, "JRSIM_STEP_LIMIT", "warp instructions without progress after which a kernel is stopped")       \
    XX(SIM_JUDGE, "JRSIM_JUDGE", "races and undefined values in the simulator: strict (default), warn or off")         \
    XX(SIM_NATIVE, "JRSIM_NATIVE", "kernels that run long become machine code in the simulator: on, off or only")      \
    XX(SIM_CC, "JRSIM_CC", "path of the C compiler for them; default: cc of the system; empty: none is used")          \
    XX(SIM_TRACE, "JRSIM_TRACE", "kernel:block:warp of the simulator whose instructions and registers are printed")    \
    XX(SIM_ROUNDS, "JRSIM_ROUNDS", "file for what threads of simulated kernels store, load and exchange, by barriers") \
    XX(SIM_LOG, "JRSIM_LOG", "file for the simulator's notes and traces; default: standard error")                     \
    XX(SIM_FAIL, "JRSIM_FAIL", "driver call of the simulator that fails: name[:nth[:error number]]")

typedef enum jr_setting {
#define JR_SETTING_ENUM(id, variable, text) JR_SETTING_##id,
    JR_SETTINGS(JR_SETTING_ENUM)
#undef JR_SETTING_ENUM
        JR_SETTING_COUNT
} jr_setting;

/* The value of a setting, NULL when it is not set (an empty value is returned as ""). */
const char *jr_setting_get(jr_setting setting);
const char *jr_setting_variable(jr_setting setting);
const char *jr_setting_text(jr_setting setting);

#endif
