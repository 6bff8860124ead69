// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_given.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "mpiext_hitopo_c.h"

namespace split_oracle {
namespace {

// The members in their order.
Ranks members_of(const World& world, MPI_Group group) {
    int size;
    MPI_Group_size(group, &size);
    Ranks inside(static_cast<std::size_t>(size)), members(inside.size());
    std::iota(inside.begin(), inside.end(), 0);
    MPI_Group_translate_ranks(group, size, inside.data(), world.group, members.data());
    return members;
}

// is_tried: whether a message gets through to all of comm and to nobody else. Collective over comm then.
std::string comm_text(const World& world, MPI_Comm comm, bool is_tried) {
    if (comm == MPI_COMM_NULL) {
        return "NULL";
    }
    MPI_Group group;
    int rank, sum = 0, expected = 0;
    MPI_Comm_group(comm, &group);
    const Ranks members = members_of(world, group);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    std::string text = to_text(members);
    if (rank < 0 || rank >= static_cast<int>(members.size()) ||
        members[static_cast<std::size_t>(rank)] != world.rank) {
        text += " with the wrong rank";
    }
    for (const int member : members) {
        expected += 1 << member;
    }
    const int own = 1 << world.rank;
    if (is_tried) {
        MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
    }
    return text + (is_tried && sum != expected ? " where messages go astray" : "");
}

std::string domain_text(MPI_Comm comm, int entry) {
    const auto get = entry % 2 == 0 ? MPIX_Get_hw_domain_info : PMPIX_Get_hw_domain_info;
    int num_siblings = -1, number = -1;
    char* type = nullptr;
    get(comm, &num_siblings, &number, &type, MPI_INFO_NULL);
    return std::to_string(number) + " of " + std::to_string(num_siblings) + ' ' +
           (type != nullptr ? type : "no type");
}

// A duplicate keeps it.
std::string domain_of_duplicate(MPI_Comm comm, int entry) {
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    const std::string text = domain_text(copy, entry);
    MPI_Comm_free(&copy);
    return text;
}

void free_comm(MPI_Comm& comm) {
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
    }
}

// ---- communicators ----

MPI_Comm split_into(const Ranks* own, const Family& family, int rank) {
    const int color = own == nullptr ? MPI_UNDEFINED : static_cast<int>(own - family.comms.data());
    const int key =
        own == nullptr ? 0 : static_cast<int>(std::find(own->begin(), own->end(), rank) - own->begin());
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    return comm;
}

MPI_Comm create(const World& world, const Ranks& ranks) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_incl(world.group, static_cast<int>(ranks.size()), ranks.data(), &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Group_free(&group);
    return comm;
}

// This process's communicator of the family. Collective over MPI_COMM_WORLD.
MPI_Comm make_comm(const World& world, const Family& family) {
    switch (family.how) {
        case Family::How::kWorld:
            return MPI_COMM_WORLD;
        case Family::How::kSelf:
            return MPI_COMM_SELF;
        case Family::How::kCreate:
            return create(world, family.comms.front());
        default:
            break;
    }
    MPI_Comm comm = split_into(family.of(world.rank), family, world.rank);
    if (family.how == Family::How::kDup && comm != MPI_COMM_NULL) {
        MPI_Comm original = comm;
        MPI_Comm_dup(original, &comm);
        MPI_Comm_free(&original);
    }
    return comm;
}

// ---- calls ----

MPI_Info make_info(const Call& call, Info kind) {
    MPI_Info info = MPI_INFO_NULL;
    if (kind != Info::kNull) {
        MPI_Info_create(&info);
    }
    for (const auto& [key, value] : call.info_values(kind)) {
        MPI_Info_set(info, key.c_str(), value.c_str());
    }
    return info;
}

void free_info(MPI_Info& info) {
    if (info != MPI_INFO_NULL) {
        MPI_Info_free(&info);
    }
}

std::string error_text(int error) {
    int error_class;
    MPI_Error_class(error, &error_class);
    return "error " + std::to_string(error_class);
}

int call_split_type(int entry, MPI_Comm comm, int split_type, int key, MPI_Info info,
                    MPI_Comm* newcomm) {
    const auto function = std::vector{MPI_Comm_split_type, PMPI_Comm_split_type, MPIX_Comm_split_type,
                                      PMPIX_Comm_split_type}[entry];
    return function(comm, split_type, key, info, newcomm);
}

// ---- questions ----

std::string value_of(MPI_Info info, const std::string& key) {
    char value[MPI_MAX_INFO_VAL + 1];
    int is_there;
    MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value, &is_there);
    return is_there != 0 ? value : "unset";
}

std::string info_text(MPI_Info info) {
    int num_keys = 0;
    MPI_Info_get_nkeys(info, &num_keys);
    std::map<std::string, std::string> values;
    for (int i = 0; i < num_keys; ++i) {
        char key[MPI_MAX_INFO_KEY + 1];
        MPI_Info_get_nthkey(info, i, key);
        values[key] = value_of(info, key);
    }
    return to_text(values);
}

std::string topology_line() {
    MPI_Info info;
    int num_types = -1, num_without_info = -1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mine", "untouched");
    MPIX_Get_hw_topology_info(&num_without_info, MPI_INFO_NULL);
    PMPIX_Get_hw_topology_info(&num_types, info);
    const std::string text = info_text(info);
    MPI_Info_free(&info);
    return std::to_string(num_types) + ' ' + text +
           (num_without_info == num_types ? "" : ", another number without info");
}

// The object is the caller's.
std::string resource_line() {
    MPI_Info own, other;
    MPI_Get_hw_resource_info(&own);
    const std::string text = info_text(own);
    MPI_Info_set(own, "mine", "untouched");
    PMPI_Get_hw_resource_info(&other);
    const bool is_same = info_text(other) == text;
    MPI_Info_free(&own);
    MPI_Info_free(&other);
    return text + (is_same ? "" : ", then another");
}

// ---- calls on communicators ----

// One process's calls.
class Caller {
public:
    Caller(const World& world, bool are_messages_sent)
        : world_(world), are_messages_sent_(are_messages_sent) {}

    std::string do_call(const Call& call, MPI_Comm comm) {
        switch (call.what) {
            case Call::What::kLoop:
                return do_loop(call, comm);
            case Call::What::kHierarchy:
                return do_hierarchy(call, comm);
            case Call::What::kMinDomain:
                return min_domain(call, comm);
            case Call::What::kNeighbours:
                return neighbours(call, comm);
            default:
                return do_split(call, comm);
        }
    }

private:
    std::string do_split(const Call& call, MPI_Comm comm) {
        const Argument& own = call.arguments.at(world_.rank);
        const int split_type = own.is_undefined ? MPI_UNDEFINED : call.split_type;
        const bool has_roots = call.what == Call::What::kRoots;
        MPI_Info info = make_info(call, own.info);
        MPI_Comm newcomm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
        const int error = has_roots
                              ? MPIX_Comm_split_roots(comm, split_type, own.key, info, &newcomm, &roots)
                              : call_split_type(call.entry, comm, split_type, own.key, info, &newcomm);
        std::string text = error == MPI_SUCCESS ? comm_text(newcomm) : error_text(error);
        if (has_roots) {
            text += " roots " + comm_text(roots);
        }
        if (info != MPI_INFO_NULL) {
            text += " info " + info_text(info);
        }
        if (newcomm != MPI_COMM_NULL) {
            const std::string domain = domain_text(newcomm, call.entry);
            const bool is_kept =
                !are_messages_sent_ || domain_of_duplicate(newcomm, call.entry) == domain;
            text += " domain " + domain + (is_kept ? "" : ", another of its duplicate");
        }
        free_comm(roots);
        free_comm(newcomm);
        free_info(info);
        return text;
    }

    std::string do_loop(const Call& call, MPI_Comm comm) {
        MPI_Info info = make_info(call, Info::kEmpty);
        std::vector<MPI_Comm> comms = {comm};
        std::string text;
        while (comms.back() != MPI_COMM_NULL) {
            int rank;
            MPI_Comm_rank(comms.back(), &rank);
            MPI_Comm newcomm = MPI_COMM_NULL;
            const int error =
                call_split_type(call.entry, comms.back(), call.split_type, rank, info, &newcomm);
            if (newcomm != MPI_COMM_NULL || error != MPI_SUCCESS) {
                text += (text.empty() ? "" : ", ") +
                        (error == MPI_SUCCESS ? comm_text(newcomm) + ' ' + value_of(info, kTypeKey)
                                              : error_text(error));
            }
            comms.push_back(newcomm);
        }
        for (std::size_t i = 1; i < comms.size(); ++i) {
            free_comm(comms[i]);
        }
        free_info(info);
        return text.empty() ? "none" : text;
    }

    std::string do_hierarchy(const Call& call, MPI_Comm comm) {
        const auto max_steps = static_cast<std::size_t>(call.max_steps);
        std::vector<MPI_Comm> newcomms(max_steps + 1, comm), roots(max_steps + 1, comm);
        std::vector<const char*> types(max_steps + 1, "untouched");
        int num_steps = -1;
        const int error =
            MPIX_Comm_split_hierarchy(comm, call.max_steps, newcomms.data(), roots.data(),
                                      call.wants_types ? types.data() : nullptr, &num_steps);
        if (error != MPI_SUCCESS) {
            return error_text(error);
        }
        std::string text = std::to_string(num_steps) + " steps";
        for (std::size_t i = 0; i < max_steps; ++i) {
            const bool is_step = static_cast<int>(i) < num_steps;
            text += is_step ? ", " + comm_text(newcomms[i]) + " roots " + comm_text(roots[i]) : "";
            text += is_step && call.wants_types ? std::string(" ") + types[i] : "";
            if (!is_step && (newcomms[i] != MPI_COMM_NULL || roots[i] != MPI_COMM_NULL ||
                             (call.wants_types && *types[i] != '\0'))) {
                return text + ", then not empty";
            }
            free_comm(newcomms[i]);
            free_comm(roots[i]);
        }
        const bool is_inside =
            newcomms.back() == comm && roots.back() == comm && std::string(types.back()) == "untouched";
        return text + (is_inside ? "" : ", beyond the arrays");
    }

    std::string comm_text(MPI_Comm comm) {
        return split_oracle::comm_text(world_, comm, are_messages_sent_);
    }

    static std::string min_domain(const Call& call, MPI_Comm comm) {
        const bool is_p = call.entry % 2 != 0;
        int size;
        MPI_Comm_size(comm, &size);
        std::vector<int> ranks;
        for (const int rank : call.listed) {
            ranks.push_back(rank % size);
        }
        const auto count = static_cast<int>(ranks.size());
        char* type = nullptr;
        MPI_Info info;
        MPI_Info_create(&info);
        (is_p ? PMPIX_Get_min_hw_domain : MPIX_Get_min_hw_domain)(comm, count, ranks.data(), &type);
        (is_p ? PMPIX_Get_min_hierarchy : MPIX_Get_min_hierarchy)(comm, count, ranks.data(), info);
        const std::string level = value_of(info, kLevelKey);
        MPI_Info_free(&info);
        return level + (type != nullptr && level == type ? "" : ", another domain");
    }

    std::string neighbours(const Call& call, MPI_Comm comm) const {
        const auto get =
            call.entry % 2 == 0 ? MPIX_Get_hw_domain_neighbours : PMPIX_Get_hw_domain_neighbours;
        MPI_Group group = MPI_GROUP_EMPTY;
        get(comm, call.hops, call.metric, &group);
        const std::string text = to_text(members_of(world_, group));
        MPI_Group_free(&group);
        return text;
    }

    const World& world_;
    const bool are_messages_sent_;
};

}  // namespace

std::vector<std::string> lines_given(const World& world, const Case& test, bool are_messages_sent,
                                     const std::function<void(const Call&)>& on_call) {
    std::vector<MPI_Comm> comms;
    for (const Family& family : test.families) {
        comms.push_back(make_comm(world, family));
    }
    Caller caller(world, are_messages_sent);
    std::vector<std::string> lines = {topology_line(), resource_line()};
    for (const Call& call : test.calls) {
        on_call(call);
        MPI_Comm comm = comms.at(call.family);
        lines.push_back(comm == MPI_COMM_NULL ? "" : caller.do_call(call, comm));
    }
    for (MPI_Comm& comm : comms) {
        if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) {
            free_comm(comm);
        }
    }
    return lines;
}

}  // namespace split_oracle
