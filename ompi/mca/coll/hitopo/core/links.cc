// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::coll {
namespace {

constexpr std::size_t kMaxDigits = 9;  // before the point, and behind it

std::optional<int> parse_division(std::string_view word) {
    if (equals_ignoring_case(word, division_name(kProcess))) {
        return kProcess;
    }
    const std::optional<Level> level = parse_level(word);
    return level ? std::optional<int>(*level) : std::nullopt;
}

std::optional<double> parse_digits(std::string_view text) {
    const std::optional<std::uint64_t> number =
        text.size() > kMaxDigits ? std::nullopt : parse_number(text);
    return number ? std::optional<double>(static_cast<double>(*number)) : std::nullopt;
}

// "12" or "0.5"; the same in all locales.
std::optional<double> parse_decimal(std::string_view text) {
    const std::size_t point = text.find('.');
    std::optional<double> number = parse_digits(text.substr(0, point));
    if (number && point != std::string_view::npos) {
        const std::string_view digits = text.substr(point + 1);
        const std::optional<double> fraction = parse_digits(digits);
        number = fraction ? std::optional<double>(
                                *number + *fraction / std::pow(10.0, static_cast<double>(digits.size())))
                          : std::nullopt;
    }
    return number;
}

constexpr std::string_view kLinksVariable = "coll_hitopo_links";

// A number without needless digits: "12", "0.35".
std::string decimal(double number) {
    constexpr double kMost = 999999999;
    const double scale = number >= 100 ? 1 : number >= 10 ? 10 : 1000;
    const auto scaled = std::llround(std::min(number, kMost) * scale);
    std::string text = std::to_string(scaled / static_cast<long long>(scale));
    std::string fraction =
        std::to_string(scaled % static_cast<long long>(scale) + static_cast<long long>(scale)).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return fraction.empty() ? text : text + '.' + fraction;
}

// switch:150:12:100
std::optional<Error> read_link(std::string_view text, std::string_view whole, Links& links,
                               unsigned& read) {
    const std::vector<std::string_view> words = split(text, ':');
    if (words.size() != 4) {
        return wrong_value(text, whole, kLinksVariable,
                           "this is not a link; write level:microseconds:MB/s:microseconds per message");
    }
    const std::optional<int> division = parse_division(words[0]);
    if (!division) {
        return wrong_value(words[0], whole, kLinksVariable,
                           "this is not a level; write one of cluster, island, .., hwthread, process");
    }
    if ((read >> *division & 1) != 0) {
        return wrong_value(words[0], whole, kLinksVariable,
                           "this level is listed twice; remove one of the links");
    }
    read |= 1U << *division;
    double numbers[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const std::optional<double> number = parse_decimal(words[i + 1]);
        if (!number || (i == 1 && *number <= 0)) {
            return wrong_value(
                words[i + 1], whole, kLinksVariable,
                "this is not a valid number; write a number such as 12 or 0.5, which must be "
                "above 0 for MB/s");
        }
        numbers[i] = *number;
    }
    links[static_cast<std::size_t>(*division)] = {numbers[0], numbers[1], numbers[2]};
    return std::nullopt;
}

}  // namespace

Error wrong_value(std::string_view value, std::string_view whole, std::string_view variable,
                  std::string message) {
    Error error;
    error.value = value;
    error.message = std::move(message);
    error.where = variable;
    error.column = static_cast<int>(value.data() - whole.data()) + 1;
    return error;
}

Links default_links() {
    Links links;
    for (std::size_t division = 0; division < kNumDivisions; ++division) {
        links[division] = division <= kNode ? Link{2, 12000, 0.5} : Link{0.5, 6000, 0.3};
    }
    links[kCluster] = {10, 5000, 1};
    links[kIsland] = {3, 12000, 0.5};
    return links;
}

Result<Links> parse_links(std::string_view text) {
    Links links = default_links();
    unsigned read = 0;  // bit d: division d
    if (trim(text).empty()) {
        return links;
    }
    for (const std::string_view link : split(text, ',')) {
        if (const std::optional<Error> error = read_link(trim(link), text, links, read)) {
            return *error;
        }
    }
    return links;
}

std::string format_links(const Links& links, const Shape& shape) {
    constexpr double kLeastBandwidth = 0.001;
    std::string text;
    for (std::size_t level = 0; level < kNumDivisions; ++level) {
        const Link& link = links[level];
        if (shape.max_children[level] > 1) {
            text.append(text.empty() ? "" : ",").append(division_name(static_cast<int>(level)));
            text.append(":").append(decimal(link.latency_us));
            text.append(":").append(decimal(std::max(link.bytes_per_us, kLeastBandwidth)));
            text.append(":").append(decimal(link.message_us));
        }
    }
    return text;
}

}  // namespace hitopo::coll
