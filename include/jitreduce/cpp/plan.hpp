/* Plans: the slow work is done once; runs on device memory are quick.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_PLAN_HPP
#define JITREDUCE_CPP_PLAN_HPP

#include "../plan.h"
#include "data.hpp"
#include "memory.hpp"

JR_CPP_BEGIN

/* A plan of a work. */
template <class Work, class Errors> class basic_plan : public handle<jr_plan *, jr_plan_destroy> {
    using owner = handle<jr_plan *, jr_plan_destroy>;
    using spec = typename Work::spec_type;
    using data = data_of<Work, true>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    basic_plan(jr_plan *plan, jr_context *context, const Work &work) : owner(plan, context), work_(work) {}

    /* The data of a run: arrays in device memory (buffers, device_span). It refers to the plan. */
    template <class... Arrays> auto on(const Arrays &...arrays) const {
        static_assert((is_on_device<const Arrays> && ...), "a plan runs on device memory: copy into a buffer first");
        if constexpr (sizeof...(Arrays) == 0)
            return data(&work_); // of many arrays, which are the work's own
        else
            return work_.on(arrays...);
    }

    /* Enqueues a run and returns: results are written when the stream reaches it. `workspace`: see workspace(). */
    result<void> run(const data &of, stream_argument stream = {}, device_span<unsigned char> workspace = {}) {
        return Errors::give(checked(of, stream, [&](const jr_work_data &c) {
            return jr_work_plan_run(this->get(), &c, workspace.data(), stream.get());
        }));
    }
    /* Runs a reduction without a layout, and waits for its value: the shortest way to a number on the host. */
    result<typename spec::value> value(const data &of, stream_argument stream = {}) {
        jr_value values[spec::outputs::count];
        const outcome ended = checked(of, stream, [&](const jr_work_data &c) {
            return jr_plan_value(this->get(), c.in, c.count, stream.get(), values);
        });
        return Errors::give(ended, [&] { return spec::outputs::read(values); });
    }
    /* Changes a parameter of the spec's expressions for the runs that follow. */
    template <class Number> result<void> parameter(const char *name, Number number) {
        const jr_value value = to_value(number);
        return Errors::give(jr_plan_parameter_set(this->get(), name, &value));
    }
    /* A workspace of its own for each stream on which runs overlap. */
    result<basic_buffer<unsigned char, Errors>> workspace(stream_argument stream = {}) {
        const std::size_t bytes = jr_plan_workspace_bytes(this->get());
        void *made = nullptr;
        outcome ended = stream.checked([&] { return jr_memory_new(this->context(), bytes, &made); });
        basic_buffer<unsigned char, Errors> room(made, this->context(), bytes);
        if (ended.ok()) ended = jr_plan_workspace_prepare(this->get(), made, stream.get());
        return Errors::give(ended, [&] { return std::move(room); });
    }
    /* Bytes of one result, of states those of a state. */
    std::size_t result_bytes() const noexcept {
        return jr_plan_result_bytes(this->get());
    }
    result<jr_stats> stats() const {
        jr_stats stats = JR_INIT(jr_stats);
        return Errors::give(jr_plan_stats(this->get(), &stats), [&] { return stats; });
    }

  private:
    template <class Call> outcome checked(const data &of, stream_argument stream, Call call) const {
        outcome ended = of.check();
        const jr_work_data c = of.c();
        if (ended.ok()) ended = stream.checked([&] { return call(c); });
        return ended;
    }

    Work work_;
};

JR_CPP_END
#endif
