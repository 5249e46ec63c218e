/* Groups: one reduction or scan over several devices and processes.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_GROUP_HPP
#define JITREDUCE_CPP_GROUP_HPP

#include <cstddef>
#include <vector>

#include "../allreduce.h"
#include "../group.h"
#include "data.hpp"
#include "memory.hpp"

JR_CPP_BEGIN

/* The arrays of all devices of this rank: for each input of the spec a container with one buffer or device_span for
 * each device, such as std::vector<buffer<float>>. */
template <class Inputs> class group_arrays {
  public:
    template <class... Containers> explicit group_arrays(const Containers &...containers) {
        static_assert(sizeof...(Containers) == Inputs::count, "give the arrays of each input of the spec");
        take(std::index_sequence_for<Containers...>(), containers...);
    }
    /* A stream for each device; without them, the default streams. */
    group_arrays &on(std::vector<jr_stream> streams) {
        streams_ = std::move(streams);
        return *this;
    }

    /* Makes a call with the C struct, unless the devices' numbers or the lengths of a device's arrays differ. */
    template <class Call> outcome checked(Call call) const {
        if (differ_ || (!streams_.empty() && streams_.size() != counts_.size()))
            return {JR_ERROR_INVALID_ARGUMENT, "give one array of each input for each device, and the arrays of a "
                                               "device the same length"};
        std::vector<const void *const *> pointers;
        for (const auto &device : in_) pointers.push_back(device.data());
        jr_group_parts c = JR_INIT(jr_group_parts);
        c.d_in = pointers.data();
        c.counts = counts_.data();
        c.streams = streams_.empty() ? nullptr : streams_.data();
        return call(c);
    }
    std::size_t devices() const noexcept {
        return counts_.size();
    }

  private:
    template <std::size_t... I, class... Containers>
    void take(std::index_sequence<I...>, const Containers &...containers) {
        (take_one<I>(containers), ...);
    }
    template <std::size_t I, class Container> void take_one(const Container &arrays) {
        std::size_t device = 0;
        if constexpr (I == 0) {
            in_.resize(std::size(arrays));
            counts_.resize(std::size(arrays));
        }
        differ_ = differ_ || std::size(arrays) != in_.size();
        for (const auto &array : arrays) {
            const auto span = view(array);
            using T = std::remove_cv_t<typename decltype(span)::element_type>;
            static_assert(is_on_device<decltype(span)>, "a group's arrays are in device memory");
            static_assert(std::is_same_v<T, typename Inputs::template type<I>>,
                          "the elements of an array have another type than the spec's input");
            if (device == in_.size()) break;
            if (I == 0) counts_[device] = span.size();
            differ_ = differ_ || counts_[device] != span.size();
            in_[device++][I] = span.data();
        }
    }

    std::vector<std::array<const void *, Inputs::count>> in_;
    std::vector<std::uint64_t> counts_;
    std::vector<jr_stream> streams_;
    bool differ_ = false;
};

/* An all-reduce: the results are written to memory of every device. */
template <class Work, class Errors> class basic_allreduce : public handle<jr_allreduce *, jr_allreduce_destroy> {
    using owner = handle<jr_allreduce *, jr_allreduce_destroy>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;
    using arrays = group_arrays<typename Work::arrays>;

    /* Enqueues a run: out has an array of results for each device of this rank. */
    template <class Containers> result<void> run(const arrays &in, const Containers &out) {
        std::vector<void *> d_out;
        for (const auto &array : out) d_out.push_back(array.on_device().data());
        if (d_out.size() != in.devices())
            return Errors::give(outcome(JR_ERROR_INVALID_ARGUMENT, "give one array of results for each device"));
        return Errors::give(
            in.checked([&](const jr_group_parts &c) { return jr_allreduce_run(this->get(), &c, d_out.data()); }));
    }
    result<void> wait() {
        return Errors::give(jr_allreduce_wait(this->get()));
    }
};

/* A plan of a group. */
template <class Work, class Errors> class basic_group_plan : public handle<jr_group_plan *, jr_group_plan_destroy> {
    using owner = handle<jr_group_plan *, jr_group_plan_destroy>;
    using spec = typename Work::spec_type;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;
    using arrays = group_arrays<typename Work::arrays>;

    /* The value of a reduction without a layout, on every rank. */
    result<typename spec::value> value(const arrays &in) {
        jr_value values[spec::outputs::count];
        const outcome ended = in.checked([&](jr_group_parts c) {
            c.values = values;
            return jr_work_group_plan_run(this->get(), &c);
        });
        return Errors::give(ended, [&] { return spec::outputs::read(values); });
    }
    /* A reduction of segments: all results, in host memory, on every rank. It has room for all. */
    result<void> results(const arrays &in, host_span<typename Work::result_element> out) {
        return Errors::give(in.checked([&](jr_group_parts c) {
            c.results = out.data();
            return jr_work_group_plan_run(this->get(), &c);
        }));
    }
    /* A scan: out has an array of results for each device of this rank, as long as the device's arrays. */
    template <class Containers> result<void> scan(const arrays &in, const Containers &out) {
        static_assert(Work::is_scan, "this is no plan of a scan");
        std::vector<void *> d_out;
        for (const auto &array : out) d_out.push_back(array.on_device().data());
        if (d_out.size() != in.devices())
            return Errors::give(outcome(JR_ERROR_INVALID_ARGUMENT, "give one array of results for each device"));
        return Errors::give(in.checked([&](jr_group_parts c) {
            c.d_out = d_out.data();
            return jr_work_group_plan_run(this->get(), &c);
        }));
    }
    template <class Number> result<void> parameter(const char *name, Number number) {
        const jr_value value = to_value(number);
        return Errors::give(jr_group_plan_parameter_set(this->get(), name, &value));
    }
};

/* A group. Its plans must be destroyed before it. Several ranks: open(options), of jr_mpi_options or a transport. */
template <class Errors> class basic_group : public handle<jr_group *, jr_group_close> {
    using owner = handle<jr_group *, jr_group_close>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* Opens devices: "cuda:all", "cuda:0,2", "sim:4". */
    static result<basic_group> open(const jr_group_options &options) {
        jr_group *made = nullptr;
        return Errors::give(jr_group_open(&options, &made), [&] { return basic_group(made); });
    }
    static result<basic_group> open(const char *devices) {
        jr_group_options options = JR_INIT(jr_group_options);
        options.devices = devices;
        return open(options);
    }

    /* Devices of all ranks; of this rank; the number of this rank's first. */
    std::size_t size() const noexcept {
        return jr_group_size(this->get());
    }
    std::size_t local_count() const noexcept {
        return jr_group_local_count(this->get());
    }
    std::size_t first() const noexcept {
        return jr_group_first(this->get());
    }
    /* A copy of an array on one of this rank's devices. */
    template <class Array> auto upload(std::size_t device, const Array &array) {
        return upload_to<Errors>(jr_group_context(this->get(), device), array);
    }

    /* Reduces arrays in host memory to a value, on all devices; carries out a work. */
    template <class Inputs, class Typing, jr_op... Ops, class... Arrays>
    auto reduce(const spec_of<Inputs, Typing, Ops...> &spec, const Arrays &...arrays) {
        using outputs = typename spec_of<Inputs, Typing, Ops...>::outputs;
        const auto whole = jitreduce::work(spec);
        jr_value values[outputs::count];
        auto data = whole.on(arrays...);
        return Errors::give(run_host(data.values(values)), [&] { return outputs::read(values); });
    }
    template <class Work> result<void> run(const data_of<Work, false> &data) {
        return Errors::give(run_host(data));
    }
    /* Makes a plan, or an all-reduce, of a spec or a work. */
    template <class Any> auto plan(const Any &of) {
        using Work = std::decay_t<decltype(jitreduce::work(of))>;
        const Work &made = jitreduce::work(of);
        const c_work<Work> c(made);
        jr_group_plan *plan = nullptr;
        return Errors::give(jr_work_group_plan_create(this->get(), &c.work, &plan),
                            [&] { return basic_group_plan<Work, Errors>(plan); });
    }
    template <class Any> auto allreduce(const Any &of, const jr_allreduce_options *options = nullptr) {
        using Work = std::decay_t<decltype(jitreduce::work(of))>;
        const Work &made = jitreduce::work(of);
        const c_work<Work> c(made);
        jr_allreduce *allreduce = nullptr;
        return Errors::give(jr_work_allreduce_create(this->get(), &c.work, options, &allreduce),
                            [&] { return basic_allreduce<Work, Errors>(allreduce); });
    }

  private:
    template <class Work> outcome run_host(const data_of<Work, false> &data) {
        outcome ended = data.check();
        const c_work<Work> c(data.work());
        const jr_work_data run = data.c();
        if (ended.ok()) ended = jr_work_group_host(this->get(), &c.work, &run);
        return ended;
    }
};

JR_CPP_END
#endif
