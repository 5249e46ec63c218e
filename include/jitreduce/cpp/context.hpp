/* The context: one device, its compiler and its caches; everything else is made from one.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_CONTEXT_HPP
#define JITREDUCE_CPP_CONTEXT_HPP

#include "../tune.h"
#include "link.hpp"
#include "plan.hpp"
#include "state.hpp"
#include "tunable.hpp"

JR_CPP_BEGIN

/* A context. What is made from it must be destroyed before it. Many threads may use one at the same time. */
template <class Errors> class basic_context : public handle<jr_context *, jr_context_close> {
    using owner = handle<jr_context *, jr_context_close>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* Opens a device: "cuda", "cuda:1", "sim"; nullptr: the setting JITREDUCE_DEVICE, else "auto". */
    static result<basic_context> open(const jr_options &options) {
        jr_context *made = nullptr;
        return Errors::give(jr_context_open(&options, &made), [&] { return basic_context(made); });
    }
    static result<basic_context> open(const char *device = nullptr) {
        jr_options options = JR_INIT(jr_options);
        options.device = device;
        return open(options);
    }

    /* Reduces arrays in host memory to a value, of several operators to a std::tuple. */
    template <class Inputs, class Typing, jr_op... Ops, class... Arrays>
    auto reduce(const spec_of<Inputs, Typing, Ops...> &spec, const Arrays &...arrays) {
        static_assert((!is_on_device<const Arrays> && ...), "the array is in device memory: make a plan");
        const auto whole = jitreduce::work(spec);
        return value_of<spec_of<Inputs, Typing, Ops...>>(whole.on(arrays...));
    }
    /* The same by an operator alone: context.reduce<JR_OP_SUM>(data). */
    template <jr_op Op, jr_op... More, class Array, class... Arrays>
    auto reduce(const Array &first, const Arrays &...arrays) {
        using T = std::remove_cv_t<typename decltype(view(first))::element_type>;
        return reduce(jitreduce::spec<T, Op, More...>(), first, arrays...);
    }
    /* Carries out a work on host memory: context.run(work(spec).scan().on(x).out(y)). */
    template <class Work> result<void> run(const data_of<Work, false> &data) {
        return Errors::give(run_host(data));
    }
    /* Running results of an array: context.scan<JR_OP_SUM>(x, y). */
    template <jr_op Op, class Array, class Out> result<void> scan(const Array &in, Out &&out) {
        using T = std::remove_cv_t<typename decltype(view(in))::element_type>;
        const auto scanned = jitreduce::work(jitreduce::spec<T, Op>()).scan();
        return run(scanned.on(in).out(out));
    }
    /* Makes a plan of a spec or a work. */
    template <class Any> auto plan(const Any &of) {
        using Work = std::decay_t<decltype(jitreduce::work(of))>;
        const Work &made = jitreduce::work(of);
        const c_work<Work> c(made);
        jr_plan *plan = nullptr;
        return Errors::give(jr_work_plan_create(this->get(), &c.work, &plan),
                            [&] { return basic_plan<Work, Errors>(plan, this->get(), made); });
    }

    /* The kernel of a program: kernel(program), or with its signature, kernel<void(const float *, float *)>(program),
     * which is held against the kernel's parameters. It belongs to the context. */
    template <class Signature = any> result<basic_kernel<Signature, Errors>> kernel(const program &source) {
        jr_kernel *made = nullptr;
        outcome ended = jr_kernel_get(this->get(), c_program(source).get(), &made);
        if (ended.ok()) ended = basic_kernel<Signature, Errors>::check(made);
        return Errors::give(ended, [&] { return basic_kernel<Signature, Errors>(made); });
    }
    template <class Signature = any> result<basic_kernel<Signature, Errors>> kernel(const basic_image<Errors> &image) {
        jr_kernel *made = nullptr;
        outcome ended = jr_kernel_load(this->get(), image.get(), &made);
        if (ended.ok()) ended = basic_kernel<Signature, Errors>::check(made);
        return Errors::give(ended, [&] { return basic_kernel<Signature, Errors>(made); });
    }
    /* Several kernels of one program, which is compiled once and whose __device__ variables they share: a std::vector,
     * or with signatures a std::tuple: kernels<void(float *), void(int)>(program, {"init", "count<4>"}). */
    result<std::vector<basic_kernel<any, Errors>>> kernels(const program &source,
                                                           const std::vector<std::string> &entries) {
        std::vector<jr_kernel *> made(entries.size());
        const outcome ended =
            jr_kernels_of(this->get(), c_program(source).get(), pointers(entries).data(), entries.size(), made.data());
        return Errors::give(ended, [&] { return untyped(made); });
    }
    template <class Signature, class... More>
    auto kernels(const program &source, const char *const (&entries)[1 + sizeof...(More)]) {
        std::array<jr_kernel *, 1 + sizeof...(More)> made = {};
        outcome ended = jr_kernels_of(this->get(), c_program(source).get(), entries, made.size(), made.data());
        return typed<Signature, More...>(ended, made, std::index_sequence_for<Signature, More...>());
    }
    /* All kernels of an image, in the order of its entries. */
    result<std::vector<basic_kernel<any, Errors>>> kernels(const basic_image<Errors> &image) {
        std::size_t count = 0;
        outcome ended = jr_kernels_load(this->get(), image.get(), nullptr, 0, &count);
        std::vector<jr_kernel *> made(count);
        if (ended.ok()) ended = jr_kernels_load(this->get(), image.get(), made.data(), count, &count);
        return Errors::give(ended, [&] { return untyped(made); });
    }
    /* The kernel of a file, compiled again when the file or a header changes: watch("saxpy.cu"). of: constants,
     * options, include folders. */
    template <class Signature = any>
    result<basic_watch<Signature, Errors>> watch(const char *path, const program &of = program()) {
        jr_watch *made = nullptr;
        outcome ended = jr_kernel_watch(this->get(), c_program(of, true).get(), path, &made);
        basic_watch<Signature, Errors> watched(made);
        return Errors::give(ended, [&] { return std::move(watched); });
    }
    /* Links programs, PTX, machine code and libraries to an image for this device (link.md), or for an architecture. */
    result<basic_image<Errors>> link(const std::vector<link_input> &inputs, const char *entry = nullptr,
                                     const char *architecture = nullptr) {
        const c_link c(inputs);
        jr_image *made = nullptr;
        const outcome ended = jr_image_link(this->get(), c.get().data(), c.get().size(), entry, architecture, &made);
        return Errors::give(ended, [&] { return basic_image<Errors>(made); });
    }
    /* Compiles a program for this device, and loads nothing. */
    result<basic_image<Errors>> compile(const program &source) {
        jr_image *made = nullptr;
        return Errors::give(jr_image_compile_for(this->get(), c_program(source).get(), &made),
                            [&] { return basic_image<Errors>(made); });
    }

    /* Device memory for `count` elements; with the elements of an array in host memory. */
    template <class T> result<basic_buffer<T, Errors>> buffer(std::size_t count) {
        void *made = nullptr;
        return Errors::give(jr_memory_new(this->get(), bytes_of<T>(count), &made),
                            [&] { return basic_buffer<T, Errors>(made, this->get(), count); });
    }
    template <class Array> auto upload(const Array &array) {
        return upload_to<Errors>(this->get(), array);
    }
    template <class T> result<jitreduce::pinned<T>> pinned(std::size_t count) {
        void *made = nullptr;
        return Errors::give(jr_pinned_new(this->get(), bytes_of<T>(count), &made),
                            [&] { return jitreduce::pinned<T>(made, this->get(), count); });
    }

    /* flags: 0 or JR_STREAM_NON_BLOCKING; of events JR_EVENT_ values. */
    result<basic_stream<Errors>> stream(unsigned flags = 0) {
        jr_stream made = nullptr;
        return Errors::give(jr_stream_create(this->get(), flags, &made),
                            [&] { return basic_stream<Errors>(made, this->get()); });
    }
    result<basic_event<Errors>> event(unsigned flags = 0) {
        jr_event made = nullptr;
        return Errors::give(jr_event_create(this->get(), flags, &made),
                            [&] { return basic_event<Errors>(made, this->get()); });
    }
    /* Waits until all streams of the context are complete. */
    result<void> wait() {
        return Errors::give(jr_context_wait(this->get()));
    }

    /* A state that is kept, of nothing yet. */
    template <class Spec> result<basic_state<Spec, Errors>> state(const Spec &spec) {
        const jr_spec c = spec.c();
        jr_result_layout layout = JR_INIT(jr_result_layout);
        return Errors::give(jr_result_layout_of(&c, &layout),
                            [&] { return basic_state<Spec, Errors>(this->get(), spec, layout.state_bytes); });
    }
    /* Finds the best tuning of a spec or a scan for a count; stores it for later plans (tune.md). */
    template <class Any>
    result<jr_tuned> tune(const Any &of, std::uint64_t count, const jr_tune_options *options = nullptr) {
        const auto &tuned = jitreduce::work(of);
        const c_work<std::decay_t<decltype(tuned)>> c(tuned);
        jr_tuned found = JR_INIT(jr_tuned);
        return Errors::give(jr_work_tune(this->get(), &c.work, count, options, &found), [&] { return found; });
    }
    template <class Any> result<void> store(const Any &of, const jr_tuned &found) {
        const auto &tuned = jitreduce::work(of);
        const c_work<std::decay_t<decltype(tuned)>> c(tuned);
        return Errors::give(jr_work_tuned_store(this->get(), &c.work, &found));
    }
    /* The kernel of a tunable for sizes of the problem, with the stored setting for the nearest sizes. */
    result<basic_choice<Errors>> choose(const tunable &of, const std::vector<std::int64_t> &sizes) {
        jr_tunable_choice found = JR_INIT(jr_tunable_choice);
        return Errors::give(choose(c_tunable(of), sizes, &found), [&] { return basic_choice<Errors>(found); });
    }
    /* Finds the best setting: each is run with the arguments, and compared by its outputs (tunable_output); stores it.
     */
    template <class... Arguments>
    result<jr_tunable_found> tune(const tunable &of, const std::vector<std::int64_t> &sizes,
                                  const std::vector<jr_tunable_output> &outputs, const jr_tunable_options *options,
                                  const Arguments &...given) {
        const c_tunable c(of);
        jr_tunable_choice preferred = JR_INIT(jr_tunable_choice);
        jr_tunable_found found = JR_INIT(jr_tunable_found);
        jr_tunable_problem problem = JR_INIT(jr_tunable_problem);
        c_arguments<decltype(kept_argument(given))...> arguments(kept_argument(given)...);
        problem.sizes = sizes.data();
        problem.args = arguments.pointers();
        problem.outputs = outputs.data();
        problem.output_count = outputs.size();
        outcome ended = choose(c, sizes, &preferred);
        if (ended.ok()) ended = arguments.convert(preferred.kernel);
        if (ended.ok()) ended = jr_tunable_tune(this->get(), c.get(), &problem, options, &found);
        return Errors::give(ended, [&] { return found; });
    }
    result<void> store(const tunable &of, const std::vector<std::int64_t> &sizes, const jr_tunable_found &found) {
        const c_tunable c(of);
        outcome ended = c.check(sizes);
        if (ended.ok()) ended = jr_tunable_store(this->get(), c.get(), sizes.data(), &found);
        return Errors::give(ended);
    }
    result<jr_wisdom_info> wisdom() {
        jr_wisdom_info info = JR_INIT(jr_wisdom_info);
        return Errors::give(jr_wisdom_info_get(this->get(), &info), [&] { return info; });
    }

    bool is_simulated() const noexcept {
        return jr_context_is_simulated(this->get()) != 0;
    }
    result<jr_device_info> device_info() {
        jr_device_info info = JR_INIT(jr_device_info);
        return Errors::give(jr_context_device_info(this->get(), &info), [&] { return info; });
    }
    /* What the last call on host memory cost. */
    result<jr_stats> stats() {
        jr_stats stats = JR_INIT(jr_stats);
        return Errors::give(jr_context_stats(this->get(), &stats), [&] { return stats; });
    }
    result<jr_counters> counters() {
        jr_counters counters = JR_INIT(jr_counters);
        return Errors::give(jr_context_counters(this->get(), &counters), [&] { return counters; });
    }

  private:
    static auto untyped(const std::vector<jr_kernel *> &kernels) {
        return std::vector<basic_kernel<any, Errors>>(kernels.begin(), kernels.end());
    }
    template <class... Signatures, std::size_t... I>
    static auto typed(outcome &ended, const std::array<jr_kernel *, sizeof...(Signatures)> &kernels,
                      std::index_sequence<I...>) {
        static_cast<void>(((ended.ok() && (ended = basic_kernel<Signatures, Errors>::check(kernels[I])).ok()) && ...));
        return Errors::give(ended, [&] { return std::make_tuple(basic_kernel<Signatures, Errors>(kernels[I])...); });
    }
    outcome choose(const c_tunable &of, const std::vector<std::int64_t> &sizes, jr_tunable_choice *found) {
        outcome ended = of.check(sizes);
        if (ended.ok()) ended = jr_tunable_get(this->get(), of.get(), sizes.data(), found);
        return ended;
    }
    template <class Work> outcome run_host(const data_of<Work, false> &data) {
        outcome ended = data.check();
        const c_work<Work> c(data.work());
        const jr_work_data run = data.c();
        if (ended.ok()) ended = jr_work_run_host(this->get(), &c.work, &run);
        return ended;
    }
    /* One array and one operator go the library's shortest way. */
    template <class Spec, class Data> result<typename Spec::value> value_of(Data data) {
        jr_value values[Spec::outputs::count];
        outcome ended = data.check();
        if constexpr (Spec::outputs::count == 1 && Spec::arrays::count == 1) {
            const jr_spec spec = data.work().spec().c();
            const jr_work_data run = data.c();
            if (ended.ok()) ended = jr_reduce_host(this->get(), &spec, run.in[0], run.count, values);
        } else {
            if (ended.ok()) ended = run_host(data.values(values));
        }
        return Errors::give(ended, [&] { return Spec::outputs::read(values); });
    }
};

JR_CPP_END
#endif
