/* States that are kept: of elements that come in parts, merged with each other, stored, continued elsewhere.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_STATE_HPP
#define JITREDUCE_CPP_STATE_HPP

#include <cstddef>
#include <vector>

#include "../state.h"
#include "data.hpp"

JR_CPP_BEGIN

/* A state of a spec, and how many elements it has seen; see state.h. Made by context.state(spec). */
template <class Spec, class Errors> class basic_state {
    template <class T> using result = typename Errors::template result<T>;

  public:
    /* bytes: jr_result_layout.state_bytes. */
    basic_state(jr_context *owner, const Spec &of, std::size_t bytes)
        : context_(owner), spec_(of), states_(2 * bytes) {}

    /* Folds the elements of arrays in host memory, one array for each input, after those so far; fold_from: whose first
     * has this index. */
    template <class... Arrays> result<void> fold(const Arrays &...arrays) {
        return fold_from(elements_, arrays...);
    }
    template <class... Arrays> result<void> fold_from(std::uint64_t first, const Arrays &...arrays) {
        using data = data_of<work_of<Spec>, false>;
        const data given(nullptr, view(arrays)...);
        outcome ended = given.check_lengths();
        jr_work_data part = given.arrays();
        part.first = first;
        part.out = more();
        if (ended.ok()) ended = run(JR_WORK_STATE, part);
        return Errors::give(ended.ok() ? merge(part.count) : ended);
    }
    /* Merges another state; one that was stored. */
    template <class Other> result<void> add(const basic_state<Spec, Other> &other) {
        std::vector<std::byte> bytes;
        const outcome ended = other.store(bytes);
        return Errors::give(ended.ok() ? read(bytes) : ended);
    }
    result<void> add(host_span<const std::byte> bytes) {
        return Errors::give(read(bytes));
    }
    /* The bytes to store; of exact sums the same on every machine. */
    result<std::vector<std::byte>> bytes() const {
        std::vector<std::byte> made;
        return Errors::give(store(made), [&] { return std::move(made); });
    }
    outcome store(std::vector<std::byte> &bytes) const {
        const jr_spec c = spec_.c();
        std::size_t size = 0;
        std::vector<std::byte> nothing(count_ == 0 ? states_.size() / 2 : 0);
        outcome ended = count_ == 0 ? merge_states(state(), 0, 0, nothing.data()) : outcome(JR_OK);
        const std::byte *kept = count_ == 0 ? nothing.data() : state();
        if (ended.ok()) ended = jr_state_write(&c, kept, elements_, nullptr, 0, &size);
        bytes.resize(size);
        return ended.ok() ? outcome(jr_state_write(&c, kept, elements_, bytes.data(), size, &size)) : ended;
    }
    /* The value of all elements so far. */
    result<typename Spec::value> value() const {
        jr_value values[Spec::outputs::count];
        const void *in[] = {state()};
        jr_work_data data = states(in, count_, elements_);
        data.values = values;
        return Errors::give(run(JR_WORK_MERGE, data), [&] { return Spec::outputs::read(values); });
    }
    std::uint64_t elements() const noexcept {
        return elements_;
    }
    /* The state as it lies in memory; of no meaning before something was added. */
    const std::byte *state() const noexcept {
        return states_.data();
    }

  private:
    std::byte *more() noexcept {
        return states_.data() + states_.size() / 2;
    }
    static jr_work_data states(const void *const *in, std::uint64_t count, std::uint64_t elements) {
        jr_work_data data = JR_INIT(jr_work_data);
        data.in = in;
        data.states = count;
        data.count = elements;
        return data;
    }
    outcome run(jr_work_kind kind, const jr_work_data &data) const {
        const jr_spec c = spec_.c();
        jr_work work = JR_INIT(jr_work);
        work.spec = &c;
        work.kind = kind;
        return jr_work_run_host(context_, &work, &data);
    }
    outcome merge_states(const std::byte *from, std::uint64_t count, std::uint64_t elements, std::byte *out) const {
        const void *in[] = {from};
        jr_work_data data = states(in, count, elements);
        data.out = out;
        return run(JR_WORK_MERGE_STATES, data);
    }
    outcome read(host_span<const std::byte> bytes) {
        const jr_spec c = spec_.c();
        std::uint64_t elements = 0;
        const outcome ended = jr_state_read(&c, bytes.data(), bytes.size(), more(), &elements);
        return ended.ok() ? merge(elements) : ended;
    }
    /* Merges what follows the state. */
    outcome merge(std::uint64_t elements) {
        const outcome ended =
            merge_states(count_ > 0 ? state() : more(), count_ + 1, elements_ + elements, states_.data());
        if (!ended.ok()) return ended;
        count_ = 1;
        elements_ += elements;
        return ended;
    }

    jr_context *context_;
    Spec spec_;
    std::vector<std::byte> states_;          /* two: this one, and what is to be merged with it */
    std::uint64_t count_ = 0, elements_ = 0; /* count_: 0 or 1 */
};

JR_CPP_END
#endif
