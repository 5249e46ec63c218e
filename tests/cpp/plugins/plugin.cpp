/* A plug-in that contains the static library: compiled twice, and loaded side by side by host.cpp. */
#include <jitreduce.hpp>

#include <vector>

struct plugin {
    float (*sum)(const float *data, std::size_t count);
    const void *library; /* the address of one of the library's functions, and of one of the header's */
    const void *header;
};

static float sum(const float *data, std::size_t count) {
    std::vector<jitreduce::context> contexts;
    contexts.push_back(jitreduce::context::open());
    auto numbers = contexts[0].upload(jitreduce::host_span<const float>(data, count));
    auto plan = contexts[0].plan(jitreduce::spec<float, JR_OP_SUM>());
    return plan.value(plan.on(numbers));
}

#ifndef PLUGIN
#define PLUGIN plugin_of_cmake
#endif
extern "C" const plugin PLUGIN;
const plugin PLUGIN = {sum, reinterpret_cast<const void *>(jr_version),
                       reinterpret_cast<const void *>(jitreduce::error::last)};
