/* Tests of the C++ header: TEST(a_sentence) {...}, CHECK(condition), and RUN_TESTS as a program's last line. */
#ifndef TESTS_CPP_CHECK_HPP
#define TESTS_CPP_CHECK_HPP

#include <jitreduce.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct check_test {
    const char *name;
    void (*run)();
};

inline std::vector<check_test> &check_tests() {
    static std::vector<check_test> tests;
    return tests;
}

struct check_added {
    check_added(const char *name, void (*run)()) {
        check_tests().push_back({name, run});
    }
};

#define TEST(name)                                                                                                     \
    static void name();                                                                                                \
    static const check_added name##_is_known(#name, name);                                                             \
    static void name()

#define CHECK_WORDS(number) #number
#define CHECK_LINE(number)  CHECK_WORDS(number)
#define CHECK(...)                                                                                                     \
    do {                                                                                                               \
        if (!(__VA_ARGS__)) throw std::logic_error("line " CHECK_LINE(__LINE__) ": " #__VA_ARGS__);                    \
    } while (0)

/* The error with which a call ends; the test fails if it succeeds. */
template <class Call> jitreduce::error error_of(Call call) {
    try {
        call();
    } catch (const jitreduce::error &why) {
        return why;
    }
    throw std::logic_error("a call that must fail succeeded");
}

inline bool has(const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
}

inline int run_tests() {
    int passed = 0, failed = 0;
    for (const check_test &test : check_tests()) {
        try {
            test.run();
            passed++;
        } catch (const std::exception &why) {
            std::printf("failed %s: %s\n", test.name, why.what());
            failed++;
        }
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}

#define RUN_TESTS                                                                                                      \
    int main() {                                                                                                       \
        return run_tests();                                                                                            \
    }

#endif
