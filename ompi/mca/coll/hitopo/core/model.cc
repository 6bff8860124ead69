// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/model.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ompi/mca/coll/hitopo/core/node_stage.h"
#include "ompi/mca/coll/hitopo/core/rounds.h"

namespace hitopo::coll {
namespace {

// `bench/run constants` simulates values from a quarter to four times of each constant below but the
// radices. The comments have its range of times, in those with the value here (docs/measurements.md).
constexpr int kRadices[] = {2, 3, 4, 8, 16, kBinary};
constexpr int kExchangeRadices[] = {2, 4, 8};

// Smaller ones take 0.53 to 1.02, larger ones 0.89 to 4.79 (bench/run constants).
constexpr std::size_t kSmallestSegment = 4096;

// The memory of a call bounds it. Smaller ones take 0.92 to 1.01, larger ones 1.00 to 1.12 (bench/run
// constants).
constexpr std::size_t kLargestSegment = 256 << 10;

// Smaller ones take 1.00, 8 takes 0.88 to 1.00 and 16 takes 0.81 to 1.24 (bench/run constants).
constexpr int kSmallestWindow = 4;

// A process holds so many for each child at most. A quarter takes up to 1.05, other values take 1.00
// (bench/run constants).
constexpr double kWindowBytes = 8 << 20;

// A node's bundles are shared among its processes so that each has at most so many of them, and of the
// bytes that its node's processes have for all. One process does it in small jobs: processes of a node
// that hand each other blocks send more messages (docs/measurements.md). Smaller values
// take 0.85 to 1.00, larger ones 1.00 to 1.22 (bench/run constants).
constexpr std::size_t kSharedBytes = 64 << 10, kSharedBundles = 8;

// Among choices that are nearly as good, the longest segments win: the cost of messages is the least
// certain, most of all where they are merged. Half of a margin and a quarter take 0.91 to 1.02, twice as
// much takes up to 1.30, four times as much up to 2.17 (bench/run constants, which knows that cost).
constexpr double kNearlyAsGood = 1.04, kNearlyAsGoodMerged = 1.08;

// Segments under way, in times of those that keep the slowest link at work: a reserve for effects
// outside the model. Found by measuring and simulating (bench/run collectives, paper). Where segments
// are merged and the outermost links are the slowest, which nearly all pass, those that come too early
// take them from those that are waited for, most of all towards one root. Inner ones serve in turn, some
// of them by chance twice while others have nothing to do. Smaller values take 0.86 to 5.43, larger ones
// 0.81 to 1.25 (bench/run constants).
constexpr double kReserve = 4, kReserveToRoot = 2;
constexpr double kReserveMerged = 1.1, kReserveMergedToRoot = 0.75;

double reserve_of(Pattern pattern, bool is_outermost_slowest) {
    const bool is_to_root = pattern == Pattern::kToRoot;
    if (is_merged(pattern) && is_outermost_slowest) {
        return is_to_root ? kReserveMergedToRoot : kReserveMerged;
    }
    return is_to_root ? kReserveToRoot : kReserve;
}

int depth_of(int radix, int n) {
    int depth = 0;
    if (radix == kBinary) {
        for (long last = 0; last + 1 < n; last = 2 * last + 2) {
            ++depth;
        }
        return depth;
    }
    for (long reached = 1; reached < n; reached *= radix) {
        ++depth;
    }
    return depth;
}

// Copies that the root of a tree of n sends.
int degree_of(int radix, int n) {
    int degree = 0;
    if (radix == kBinary) {
        return std::min(2, n - 1);
    }
    for (long step = 1; step < n; step *= radix) {
        degree += static_cast<int>(std::min<long>(radix - 1, (n - 1) / step));
    }
    return degree;
}

// The copies that are sent before the one that goes on, on the longest way through the tree.
int num_waits(int radix, int n) {
    if (radix == kBinary) {
        return n > 2 ? depth_of(radix, n) : 0;
    }
    return degree_of(radix, n) - depth_of(radix, n);
}

// One way of all segments.
struct Pace {
    double fill_us = 0;   // until the first is through
    double cycle_us = 0;  // from one to the next
    bool is_outermost_slowest = false;

    // Each segment keeps a link busy for so long.
    void at_least(double link_us, bool is_outermost) {
        is_outermost_slowest = link_us > cycle_us ? is_outermost : is_outermost_slowest;
        cycle_us = std::max(cycle_us, link_us);
    }

    double us(int num_segments) const { return fill_us + (num_segments - 1) * cycle_us; }

    int window(double reserve, double segment_bytes) const {
        const double most =
            std::max<double>(kSmallestWindow, kWindowBytes / std::max(1.0, segment_bytes));
        const double wanted = cycle_us <= 0 ? 0 : reserve * fill_us / cycle_us;
        return static_cast<int>(std::max<double>(kSmallestWindow, std::min(wanted, most)));
    }
};

// A message that is cut into segments of one length, in a communicator.
class Model {
public:
    Model(const Shape& shape, const Links& links, Pattern pattern, std::size_t bytes,
          std::size_t segment_bytes, int num_leaders)
        : shape_(shape),
          links_(links),
          pattern_(pattern),
          num_segments_(bytes == 0 ? 1 : static_cast<int>((bytes + segment_bytes - 1) / segment_bytes)),
          length_(static_cast<double>(std::min(bytes, segment_bytes))),
          is_short_(bytes <= kMostShared),
          num_leaders_(num_leaders) {
        double num_if_equal = 1;
        for (std::size_t level = 0; level < kNumDivisions; ++level) {
            if (shape.max_children[level] > 1) {
                levels_.push_back(level);
                num_if_equal *= shape.max_children[level];
            }
        }
        is_equal_ = num_if_equal <= shape.num_processes;
    }

    Choice choose(std::size_t segment_bytes) const {
        Choice choice;
        choice.pattern = pattern_;
        choice.segment_bytes = segment_bytes;
        choice.num_segments = num_segments_;
        choice.trees.num_leaders = num_leaders_;
        if (pattern_ == Pattern::kFromRoot || pattern_ == Pattern::kToRoot) {
            take(by_root(choice.trees), choice);
            return num_segments_ > 1 && shape_.num_processes > 2 ? better(choice, by_proxies(choice))
                                                                 : choice;
        }
        take(in_turns(choice.trees), choice);
        if (pattern_ == Pattern::kThereAndBack) {
            choice.us *= 2;
            consider_exchanges(choice);
        }
        return choice;
    }

private:
    static const Choice& better(const Choice& a, const Choice& b) { return b.us < a.us ? b : a; }

    void take(const Pace& pace, Choice& choice) const {
        choice.us = pace.us(num_segments_);
        choice.window = pace.window(reserve_of(pattern_, pace.is_outermost_slowest), length_);
    }

    // Leaders of the groups of a level may exchange one segment instead of handing it to a root and
    // back. Ways with more messages have to be clearly faster.
    void consider_exchanges(Choice& choice) const {
        const bool may_exchange = shape_.may_exchange && num_segments_ == 1;
        double inside_us = 0;
        for (auto level = levels_.rbegin(); may_exchange && level != levels_.rend(); ++level) {
            for (std::size_t i = 0; *level <= kNode && i < std::size(kExchangeRadices); ++i) {
                const Rounds rounds(shape_.num_groups[*level], kExchangeRadices[i]);
                const double us = inside_us + rounds_us(*level, rounds);
                if (us * kNearlyAsGoodMerged < choice.us) {
                    choice.us = us;
                    choice.trees.exchanging = static_cast<int>(*level);
                    choice.trees.rounds = std::make_shared<const Rounds>(rounds);
                }
            }
            inside_us += 2 * fill_us(*level, choice.trees.radix[*level]);
        }
    }

    double rounds_us(std::size_t level, const Rounds& rounds) const {
        double us = rounds.has_more() ? 2 * round_us(level, 1, 2) : 0;
        int stride = 1;
        for (const int radix : rounds.radices()) {
            us += round_us(level, stride, radix);
            stride *= radix;
        }
        return us;
    }

    // Leaders of groups of `level`, of which each `radix` that are `stride` apart exchange. Those of one
    // outer group share its link.
    double round_us(std::size_t level, int stride, int radix) const {
        double latency_us = 0, links_us = 0;
        for (const std::size_t outer : levels_) {
            const double members =
                static_cast<double>(shape_.num_groups[level]) / shape_.num_groups[outer];
            const double outside = radix - std::clamp(members / stride, 1.0, static_cast<double>(radix));
            if (outer <= level && outside > 0) {
                latency_us = std::max(latency_us, links_[outer].latency_us);
                links_us = std::max({links_us, members * outside * link_us(outer),
                                     (outside - 1) * links_[outer].message_us});
            }
        }
        return latency_us + std::max(links_us, transfer_us(level));
    }

    double link_us(std::size_t level) const { return length_ / links_[level].bytes_per_us; }

    // From one child of a group to another: through all links inside of them too.
    double transfer_us(std::size_t level) const {
        double us = 0;
        for (const std::size_t inner : levels_) {
            us = inner >= level ? std::max(us, link_us(inner)) : us;
        }
        return us;
    }

    // The time until one segment is through a group, one way.
    double fill_us(std::size_t level, int radix) const {
        const int n = shape_.max_children[level], depth = depth_of(radix, n);
        const Link& link = links_[level];
        return depth * (link.latency_us + transfer_us(level)) +
               num_waits(radix, n) * std::max(transfer_us(level), link.message_us);
    }

    // A merged segment waits at each step for the last of its parts, one of which will be behind another
    // segment.
    double queue_us(std::size_t level, int radix) const {
        const bool queues = is_merged(pattern_) && num_segments_ > 1;
        return queues ? depth_of(radix, shape_.max_children[level]) * transfer_us(level) : 0;
    }

    // The cost of deep trees. In flat ones roots have more children: where groups are unequal and each
    // process is a root, the larger ones' links would carry more than their share.
    double depth_us(std::size_t level, int radix) const {
        const bool may_be_flat = is_equal_ || pattern_ != Pattern::kToEach;
        return fill_us(level, radix) + (may_be_flat ? queue_us(level, radix) : 0);
    }

    // The radix for which cost(radix) is least, where there is a choice.
    template <class Cost>
    int cheapest_radix(std::size_t level, Cost cost) const {
        if (level == kProcess && shape_.shares_memory && is_merged(pattern_) && is_short_) {
            return kSharedRadix;
        }
        return *std::min_element(std::begin(kRadices), std::end(kRadices),
                                 [&](int a, int b) { return cost(a) < cost(b); });
    }

    // Roots take turns: each segment that enters a group leaves it once. So the outermost links carry
    // each segment once but for its root's; an inner one does, too, and in its turn the copies of all
    // groups that one of its processes leads. The two directions do not share a link, but a process does
    // both.
    Pace in_turns(TreeShape& trees) const {
        Pace pace;
        double process = 0, num_copies = 0;
        for (const std::size_t level : levels_) {
            const int n = shape_.max_children[level];
            const double num_groups = shape_.num_groups[level], num_in_turn = num_leading(level);
            const auto degree = [&](int radix) {
                return level == levels_.front() ? (n - 1.0) / n : degree_of(radix, n);
            };
            const auto copies = [&](int radix) {
                const double sent = (num_copies + degree(radix)) / num_in_turn;
                return level == kProcess ? sent + 1 - 1 / num_in_turn : sent;
            };
            int& radix = trees.radix[level];
            radix = cheapest_radix(level, [&](int candidate) {
                return depth_us(level, candidate) +
                       (num_segments_ - 1) * copies(candidate) * link_us(level);
            });
            pace.fill_us += fill_us(level, radix) + queue_us(level, radix);
            pace.at_least(std::max((num_groups - 1) / num_groups, copies(radix)) * link_us(level),
                          level == levels_.front());
            num_copies += degree(radix);
            const double num_sharing = std::min<double>(num_leaders_, shape_.num_processes / num_groups);
            process += (n - 1.0) / n * links_[level].message_us / std::max(1.0, num_sharing);
        }
        pace.at_least(process, false);
        return pace;
    }

    // Groups of the level in one child of the outermost group that lead it in turn.
    double num_leading(std::size_t level) const {
        const double num = shape_.num_groups[level];
        return std::min<double>(num_leaders_, num / shape_.num_groups[levels_.front()]);
    }

    // The root serves all: its links carry a copy for each child, and a copy that leaves an outer group
    // leaves the inner ones too.
    Pace by_root(TreeShape& trees) const {
        Pace pace;
        double process = 0;
        int num_copies = 0;
        for (const std::size_t level : levels_) {
            const int n = shape_.max_children[level];
            int& radix = trees.radix[level];
            radix = cheapest_radix(level, [&](int candidate) {
                return depth_us(level, candidate) +
                       (num_segments_ - 1) * (num_copies + degree_of(candidate, n)) * link_us(level);
            });
            num_copies += degree_of(radix, n);
            pace.fill_us += fill_us(level, radix) + queue_us(level, radix);
            pace.at_least(num_copies * link_us(level), level == levels_.front());
            process += degree_of(radix, n) * links_[level].message_us;
        }
        pace.at_least(process, false);
        return pace;
    }

    // The root hands each segment to a proxy in another child of the outermost group, which serves all.
    Choice by_proxies(Choice choice) const {
        Pace pace = in_turns(choice.trees);
        const double transfer = transfer_us(levels_.front());
        pace.fill_us += links_[levels_.front()].latency_us + transfer;
        // All of the message leaves the root's child.
        pace.at_least(transfer, transfer <= link_us(levels_.front()));
        choice.has_proxies = true;
        take(pace, choice);
        return choice;
    }

    const Shape& shape_;
    const Links& links_;
    Pattern pattern_;
    int num_segments_;
    double length_;  // bytes of a segment
    bool is_short_;  // the message is
    int num_leaders_;
    std::vector<std::size_t> levels_;  // at which groups are divided
    bool is_equal_ = true;             // groups of a level are
};

// The time in which each process sends each other one a block, in bundles of nodes: before and behind
// these, each process has messages with all of its node that share them.
double bundles_us(const Shape& shape, const Links& links, double block, int num_sharing) {
    const double num_processes = shape.num_processes;
    const double num_messages = std::ceil((shape.num_groups[kNode] - 1.0) / num_sharing);
    double link_us = 0, latency_us = 0, message_us = 0;
    for (std::size_t level = 0; level <= kNode; ++level) {
        if (shape.max_children[level] > 1) {
            const double members = num_processes / shape.num_groups[level];
            link_us = std::max(link_us,
                               members * (num_processes - members) * block / links[level].bytes_per_us);
            latency_us += links[level].latency_us;
            message_us = std::max(message_us, links[level].message_us);
        }
    }
    const Link& inside = links[kProcess];
    const double num_members = std::max(1, shape.max_children[kProcess]);
    const double inside_us =
        inside.latency_us +
        (num_members - 1) *
            std::max(inside.message_us, num_processes * block / num_sharing / inside.bytes_per_us);
    return latency_us + std::max(link_us, num_messages * message_us) +
           (num_members > 1 ? 2 * inside_us : 0);
}

Choice choose_bundles(const Shape& shape, const Links& links, std::size_t bytes) {
    const auto num_members = static_cast<std::size_t>(std::max(1, shape.max_children[kProcess]));
    const auto num_nodes = static_cast<std::size_t>(shape.num_groups[kNode]);
    const std::size_t num_wanted =
        std::max(num_members * bytes / kSharedBytes, num_nodes / kSharedBundles);
    Choice choice;
    choice.pattern = Pattern::kExchange;
    choice.segment_bytes = bytes / static_cast<std::size_t>(std::max(1, shape.num_processes));
    choice.num_sharing = static_cast<int>(std::clamp<std::size_t>(num_wanted, 1, num_members));
    choice.us = bundles_us(shape, links, static_cast<double>(choice.segment_bytes), choice.num_sharing);
    return choice;
}

// "radix switch 3, process 4", or "exchange of each node, 4 at once, radix process 4"
std::string describe_trees(const TreeShape& trees, const Shape& shape) {
    std::string text, radices;
    if (trees.rounds) {
        text.append("exchange of each ").append(division_name(trees.exchanging));
        text.append(", ").append(std::to_string(trees.rounds->radix())).append(" at once");
    }
    for (std::size_t level = 0; level < kNumDivisions; ++level) {
        if (shape.max_children[level] > 1 && static_cast<int>(level) > trees.exchanging) {
            const int radix = trees.radix[level];
            radices.append(radices.empty() ? "radix " : ", ");
            radices.append(division_name(static_cast<int>(level))).append(" ");
            radices.append(radix == kBinary ? "binary" : std::to_string(radix));
        }
    }
    return text + (text.empty() || radices.empty() ? "" : ", ") + radices;
}

}  // namespace

bool is_merged(Pattern pattern) {
    return pattern == Pattern::kToRoot || pattern == Pattern::kThereAndBack ||
           pattern == Pattern::kToEach;
}

bool is_bundled(int num_processes, std::size_t bytes) {
    return bytes <= kMostBundled && bytes <= static_cast<std::size_t>(num_processes) * kLongestBundled;
}

std::size_t cell_bytes(int num_processes) {
    const std::size_t bytes =
        std::min(kLongestCell, kMostBundled / static_cast<std::size_t>(std::max(1, num_processes)));
    return bytes < kShortestCell ? 0 : bytes;
}

bool has_blocks(Pattern pattern) { return pattern == Pattern::kFromEach || pattern == Pattern::kToEach; }

Choice choose(const Shape& shape, const Links& links, Pattern pattern, std::size_t bytes,
              std::size_t unit_bytes, int num_leaders) {
    if (pattern == Pattern::kExchange) {
        return choose_bundles(shape, links, bytes);
    }
    std::vector<Choice> choices;
    const auto consider = [&](std::size_t segment_bytes) {
        const Model model(shape, links, pattern, bytes, segment_bytes, num_leaders);
        choices.push_back(model.choose(segment_bytes));
    };
    const auto num_blocks =
        static_cast<std::size_t>(has_blocks(pattern) ? std::max(1, shape.num_processes) : 1);
    const std::size_t block_unit = unit_bytes * num_blocks;
    const std::size_t whole =
        std::max<std::size_t>(1, (bytes + block_unit - 1) / block_unit) * unit_bytes;
    // None is as long as any message: a call's memory is that of the segments under way.
    std::size_t length = std::min(whole, kLargestSegment);
    do {
        consider(std::max(unit_bytes, length / unit_bytes * unit_bytes));
        length /= 2;
    } while (length >= kSmallestSegment);
    const auto is_faster = [](const Choice& a, const Choice& b) { return a.us < b.us; };
    const double margin = is_merged(pattern) ? kNearlyAsGoodMerged : kNearlyAsGood;
    const double least_us = std::min_element(choices.begin(), choices.end(), is_faster)->us;
    return *std::find_if(choices.begin(), choices.end(),
                         [&](const Choice& choice) { return choice.us <= least_us * margin; });
}

std::string describe(const Choice& choice, const Shape& shape) {
    const std::string length = std::to_string(choice.segment_bytes) + " bytes, ";
    std::string text;
    if (choice.num_sharing > 0) {
        text = "blocks of " + length + "bundled by " + std::to_string(choice.num_sharing) + " of a node";
    } else {
        text = choice.num_segments == 1 ? "1 segment"
                                        : std::to_string(choice.num_segments) + " segments of " +
                                              length + std::to_string(choice.window) + " in flight";
        text += choice.has_proxies ? ", with proxies" : "";
        text += "; " + describe_trees(choice.trees, shape);
    }
    return text + "; about " + std::to_string(std::llround(std::min(choice.us, 1e15))) + " us";
}

}  // namespace hitopo::coll
