// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/words.h"

#include <map>
#include <mutex>

namespace hitopo {
namespace {

struct Words {
    std::mutex mutex;
    std::map<std::string, std::string> all;
};

// Never destroyed, as Trees is.
Words& words() {
    static Words& words = *new Words;
    return words;
}

}  // namespace

void say_word(const std::string& key, const std::string& value) {
    const std::lock_guard<std::mutex> lock(words().mutex);
    words().all[key] = value;
}

AgreedSettings said_words() {
    const std::lock_guard<std::mutex> lock(words().mutex);
    return {words().all.begin(), words().all.end()};
}

void forget_words() {
    const std::lock_guard<std::mutex> lock(words().mutex);
    words().all.clear();
}

}  // namespace hitopo
