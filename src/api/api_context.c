/* The public context functions (context.h). */
#include "jitreduce/context.h"

#include "base/error.h"
#include "base/settings.h"
#include "device/memory.h"
#include "guard.h"
#include "kernel/pack_record.h"
#include "size.h"
#include "wisdom/advice.h"

jr_status jr_context_open(const jr_options *options, jr_context **context) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context));
    jr_context *made = NULL;
    jr_options own = {0};
    jr_status status = options != NULL ? jr_size_read(&jr_options_sized, options, &own) : JR_OK;
    if (status == JR_OK) status = jr_context_make(&own, &made);
    if (status == JR_OK) status = jr_advice_open(made, own.wisdom);
    if (status == JR_OK)
        *context = made;
    else
        jr_context_free(made);
    return status;
}

void jr_context_close(jr_context *context) {
    JR_GUARD_CALL;
    jr_pack_record_write(context);
    jr_context_free(context);
}

int jr_context_is_simulated(const jr_context *context) {
    return context != NULL && context->device.driver.simulated;
}

jr_status jr_context_device_info(jr_context *context, jr_device_info *info) {
    JR_GUARD_CALL;
    uint64_t free_bytes = 0;
    JR_TRY(JR_GIVEN(context, info));
    const jr_device *device = &context->device;
    JR_TRY(jr_size_check(&jr_device_info_sized, info));
    JR_IN_DEVICE(device);
    JR_TRY(jr_memory_free_bytes(device, &free_bytes));
    jr_device_info found = device->info;
    found.free_memory_bytes = free_bytes;
    jr_size_write(&jr_device_info_sized, &found, info);
    return JR_OK;
}

jr_status jr_context_stats(jr_context *context, jr_stats *stats) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, stats));
    JR_TRY(jr_size_check(&jr_stats_sized, stats));
    const jr_stats found = jr_context_kept(context);
    jr_size_write(&jr_stats_sized, &found, stats);
    return JR_OK;
}

jr_status jr_context_counters(jr_context *context, jr_counters *counters) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, counters));
    JR_TRY(jr_size_check(&jr_counters_sized, counters));
    pthread_mutex_lock(&context->lock);
    jr_counters found = context->counters;
    pthread_mutex_unlock(&context->lock);
    found.cache_failures = jr_cache_failures(context->cache);
    found.pack_failures = jr_packs_failures(context->packs);
    jr_size_write(&jr_counters_sized, &found, counters);
    return JR_OK;
}

int jr_variable_count(void) {
    return JR_SETTING_COUNT;
}

jr_variable jr_variable_get(int index) {
    if (index < 0 || index >= JR_SETTING_COUNT) return (jr_variable){0};
    const jr_setting setting = (jr_setting)index;
    return (jr_variable){jr_setting_variable(setting), jr_setting_text(setting), jr_setting_get(setting)};
}
