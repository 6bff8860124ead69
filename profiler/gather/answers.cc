// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
//   answer = u32 rank, u64 bytes of descriptions, u64 bytes of traffic, descriptions, traffic
#include "profiler/gather/answers.h"

#include <limits>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

constexpr std::size_t kHeaderBytes = 20;

// The first answer, which it takes from the bytes.
std::optional<Answer> take(std::string_view& bytes) {
    ByteReader reader(bytes);
    const std::uint32_t rank = reader.get_u32();
    const std::uint64_t num_descriptions = reader.get_u64();
    const std::uint64_t num_traffic = reader.get_u64();
    if (reader.has_failed() || rank > static_cast<std::uint32_t>(std::numeric_limits<int>::max()) ||
        num_descriptions > reader.num_left() || num_traffic > reader.num_left() - num_descriptions) {
        return std::nullopt;
    }
    const Answer answer = {static_cast<int>(rank), bytes.substr(kHeaderBytes, num_descriptions),
                           bytes.substr(kHeaderBytes + num_descriptions, num_traffic)};
    bytes.remove_prefix(kHeaderBytes + num_descriptions + num_traffic);
    return answer;
}

}  // namespace

std::string encode(const Answer& answer) {
    ByteWriter writer;
    writer.put_u32(static_cast<std::uint32_t>(answer.rank));
    writer.put_u64(answer.descriptions.size());
    writer.put_u64(answer.traffic.size());
    std::string bytes = writer.take();
    bytes.reserve(bytes.size() + answer.descriptions.size() + answer.traffic.size());
    return bytes.append(answer.descriptions).append(answer.traffic);
}

std::optional<std::vector<Answer>> decode_answers(std::string_view bytes) {
    std::vector<Answer> answers;
    while (!bytes.empty()) {
        const std::optional<Answer> answer = take(bytes);
        if (!answer) {
            return std::nullopt;
        }
        answers.push_back(*answer);
    }
    return answers;
}

}  // namespace hitopo
