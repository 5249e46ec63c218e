/* Packs: kernels compiled ahead, in a file; and recorded launches.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_PACK_HPP
#define JITREDUCE_CPP_PACK_HPP

#include <string>
#include <vector>

#include "../pack.h"
#include "../replay.h"
#include "handle.hpp"
#include "program.hpp"
#include "work.hpp"

JR_CPP_BEGIN

/* A pack that is being made. */
template <class Errors> class basic_pack : public handle<jr_pack *, jr_pack_destroy> {
    using owner = handle<jr_pack *, jr_pack_destroy>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* An empty pack for architectures: {"sm_90", "compute_80"}. plain: it is not compressed. */
    static result<basic_pack> create(const std::vector<std::string> &architectures, bool plain = false,
                                     const jr_options *options = nullptr) {
        std::vector<const char *> names;
        for (const std::string &name : architectures) names.push_back(name.c_str());
        jr_pack_options how = JR_INIT(jr_pack_options);
        how.architectures = names.data();
        how.architecture_count = names.size();
        how.plain = plain;
        jr_pack *made = nullptr;
        return Errors::give(jr_pack_create(options, &how, &made), [&] { return basic_pack(made); });
    }
    /* What a file contains, after every image in it was verified. */
    static result<jr_pack_info> look(const char *path) {
        jr_pack_info info = JR_INIT(jr_pack_info);
        return Errors::give(jr_pack_look(path, &info), [&] { return info; });
    }

    /* Compiles and adds: the kernel of a program; all kernels of a spec or a work. */
    result<void> add(const program &source) {
        return Errors::give(jr_pack_add(this->get(), c_program(source).get()));
    }
    template <class Any> result<void> add(const Any &of) {
        const auto &added = jitreduce::work(of);
        const c_work<std::decay_t<decltype(added)>> c(added);
        return Errors::give(jr_work_pack_add(this->get(), &c.work));
    }
    result<void> write(const char *path) {
        return Errors::give(jr_pack_write(this->get(), path));
    }
};

/* A launch that JITREDUCE_CAPTURE recorded. get() is for jr_replay_program, jr_replay_image and the others. */
template <class Errors> class basic_replay : public handle<jr_replay *, jr_replay_close> {
    using owner = handle<jr_replay *, jr_replay_close>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    static result<basic_replay> open(const char *path) {
        jr_replay *made = nullptr;
        return Errors::give(jr_replay_open(path, &made), [&] { return basic_replay(made); });
    }
    result<jr_replay_info> info() const {
        jr_replay_info info = JR_INIT(jr_replay_info);
        return Errors::give(jr_replay_look(this->get(), &info), [&] { return info; });
    }
    result<jr_replay_argument> argument(std::uint64_t index) const {
        jr_replay_argument found;
        return Errors::give(jr_replay_argument_get(this->get(), index, &found), [&] { return found; });
    }
    result<jr_replay_buffer> buffer(std::uint64_t index) const {
        jr_replay_buffer found;
        return Errors::give(jr_replay_buffer_get(this->get(), index, &found), [&] { return found; });
    }
};

JR_CPP_END
#endif
