/* Streams, events and graphs, with or without CUDA's own.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_STREAM_HPP
#define JITREDUCE_CPP_STREAM_HPP

#include "../stream.h"
#include "error.hpp"
#include "handle.hpp"

JR_CPP_BEGIN

/* A graph that can be launched. It must not outlive the plans, kernels and memory that it uses. */
template <class Errors> class basic_graph : public handle<jr_graph, jr_graph_destroy> {
    using owner = handle<jr_graph, jr_graph_destroy>;

  public:
    using owner::owner;
};

template <class Errors> class basic_event : public handle<jr_event, jr_event_destroy> {
    using owner = handle<jr_event, jr_event_destroy>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* Waits until the event is complete. */
    result<void> wait() const {
        return Errors::give(jr_event_wait(this->context(), this->get()));
    }
    result<bool> done() const {
        int done = 0;
        return Errors::give(jr_event_query(this->context(), this->get(), &done), [&] { return done != 0; });
    }
    /* Milliseconds on the device from `begin` to this event. */
    result<double> since(const basic_event &begin) const {
        double ms = 0;
        return Errors::give(jr_event_elapsed(this->context(), begin.get(), this->get(), &ms), [&] { return ms; });
    }
};

template <class Errors> class basic_stream;

/* A stream as an argument: one of this header, or a CUstream or cudaStream_t; {} is the default stream. */
class stream_argument {
  public:
    stream_argument() = default;
    stream_argument(jr_stream stream) : stream_(stream) {}
    template <class Errors>
    stream_argument(const basic_stream<Errors> &stream) : stream_(stream.get()), empty_(stream.get() == nullptr) {}

    jr_stream get() const noexcept {
        return stream_;
    }
    /* Makes a call, unless the stream was moved from: NULL would be the default stream. */
    template <class Call> outcome checked(Call call) const {
        if (empty_) return {JR_ERROR_INVALID_ARGUMENT, "the stream was moved from or destroyed"};
        return call();
    }

  private:
    jr_stream stream_ = nullptr;
    bool empty_ = false;
};

template <class Errors> class basic_stream : public handle<jr_stream, jr_stream_destroy> {
    using owner = handle<jr_stream, jr_stream_destroy>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* Waits until all work on the stream is complete. */
    result<void> wait() const {
        return Errors::give(checked([&] { return jr_stream_wait(this->context(), this->get()); }));
    }
    result<bool> done() const {
        int done = 0;
        return Errors::give(checked([&] { return jr_stream_query(this->context(), this->get(), &done); }),
                            [&] { return done != 0; });
    }
    result<void> record(const basic_event<Errors> &event) const {
        return Errors::give(checked([&] { return jr_event_record(this->context(), event.get(), this->get()); }));
    }
    /* What is enqueued from now on waits for the event, on the device. */
    result<void> wait_for(const basic_event<Errors> &event) const {
        return Errors::give(checked([&] { return jr_stream_wait_event(this->context(), this->get(), event.get()); }));
    }
    /* What is enqueued between begin_capture and end_capture becomes a graph. */
    result<void> begin_capture() const {
        return Errors::give(checked([&] { return jr_capture_begin(this->context(), this->get()); }));
    }
    result<basic_graph<Errors>> end_capture() const {
        jr_graph graph = nullptr;
        return Errors::give(checked([&] { return jr_capture_end(this->context(), this->get(), &graph); }),
                            [&] { return basic_graph<Errors>(graph, this->context()); });
    }
    /* As end_capture, into a graph that takes what was captured. */
    result<void> update(const basic_graph<Errors> &graph) const {
        return Errors::give(checked([&] { return jr_graph_update(this->context(), graph.get(), this->get()); }));
    }
    result<void> launch(const basic_graph<Errors> &graph) const {
        return Errors::give(checked([&] { return jr_graph_launch(this->context(), graph.get(), this->get()); }));
    }

  private:
    template <class Call> outcome checked(Call call) const {
        return stream_argument(*this).checked(call);
    }
};

JR_CPP_END
#endif
