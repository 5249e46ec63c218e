/* Exact sums that are kept: added to each other, stored, continued elsewhere.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_EXACT_STATE_HPP
#define JITREDUCE_CPP_EXACT_STATE_HPP

#include <cstddef>
#include <vector>

#include "../state.h"
#include "handle.hpp"
#include "work.hpp"

JR_CPP_BEGIN

/* A state of a spec; see jr_exact_state. Made by context.exact_state(spec). */
template <class Spec, class Errors> class basic_exact_state : public handle<jr_exact_state *, jr_exact_state_destroy> {
    using owner = handle<jr_exact_state *, jr_exact_state_destroy>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* Adds the elements of arrays in host memory, one array for each input; fold_from: whose first has this index. */
    template <class... Arrays> result<void> fold(const Arrays &...arrays) {
        return fold_from(0, arrays...);
    }
    template <class... Arrays> result<void> fold_from(std::uint64_t first, const Arrays &...arrays) {
        using data = data_of<work_of<Spec>, false>;
        const data given(nullptr, view(arrays)...);
        outcome ended = given.check_lengths();
        const jr_work_data c = given.arrays();
        if (ended.ok()) ended = jr_exact_state_fold_host(this->get(), c.in, c.count, first);
        return Errors::give(ended);
    }
    /* Adds another state; one that was stored. */
    template <class Other> result<void> add(const basic_exact_state<Spec, Other> &other) {
        return Errors::give(jr_exact_state_add(this->get(), other.get()));
    }
    result<void> add(host_span<const std::byte> bytes) {
        return Errors::give(jr_exact_state_add_bytes(this->get(), bytes.data(), bytes.size()));
    }
    /* The bytes to store: the same on every machine. */
    result<std::vector<std::byte>> bytes() const {
        std::size_t size = 0;
        outcome ended = jr_exact_state_write(this->get(), nullptr, 0, &size);
        std::vector<std::byte> made(size);
        if (ended.ok()) ended = jr_exact_state_write(this->get(), made.data(), size, &size);
        return Errors::give(ended, [&] { return std::move(made); });
    }
    /* The value of all elements so far. */
    result<typename Spec::value> value() const {
        jr_value values[Spec::outputs::count];
        return Errors::give(jr_exact_state_value(this->get(), values), [&] { return Spec::outputs::read(values); });
    }
    std::uint64_t elements() const noexcept {
        return jr_exact_state_elements(this->get());
    }
};

JR_CPP_END
#endif
