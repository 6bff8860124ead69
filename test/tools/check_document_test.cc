// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The documents that `hitopo check` reads and writes.
#include <map>

#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/render.h"
#include "test/tools/check_jobs.h"

namespace hitopo::tool {
namespace {

TEST(OmpThreads, are_the_first_number) {
    EXPECT_EQ(omp_threads({"8", nullptr, nullptr}), 8);
    EXPECT_EQ(omp_threads({" 4 , 2", nullptr, nullptr}), 4);
    EXPECT_EQ(omp_threads({"8", "3", nullptr}), 3);
    EXPECT_EQ(omp_threads({"8", "30", "false"}), 8);
}

TEST(OmpThreads, what_is_not_certain_is_none) {
    for (const char* text : {"", " ", "0", "-3", "+4", "4x", "x", "4,", ",4", "4,,2", "4 2", "1e3",
                             "99999999999999999999", "\xff", "0x8"}) {
        EXPECT_EQ(omp_threads({text, nullptr, nullptr}), 0) << text;
    }
    EXPECT_EQ(omp_threads({nullptr, "4", nullptr}), 0);
    EXPECT_EQ(omp_threads({"8", nullptr, " TRUE "}), 0);
    EXPECT_EQ(omp_threads({"8", "many", nullptr}), 8);
}

// "PMI_SIZE is 4, first": what the launcher's variables say.
std::string launched(const std::map<std::string, std::string>& variables) {
    const Launched found = launched_by([&](const std::string& name) {
        const auto at = variables.find(name);
        return at == variables.end() ? std::nullopt : std::optional<std::string>(at->second);
    });
    return found.others + (found.is_first ? ", first" : "");
}

TEST(Launched, by_each_launcher) {
    EXPECT_EQ(launched({}), ", first");
    EXPECT_EQ(launched({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}), "PMI_SIZE is 4, first");
    EXPECT_EQ(launched({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}), "PMI_SIZE is 4");
    EXPECT_EQ(launched({{"PMI_SIZE", "1"}}), ", first");
    EXPECT_EQ(launched({{"SLURM_NTASKS", "8"}}), "SLURM_NTASKS is 8, first");  // in a batch script
    EXPECT_EQ(launched({{"_CONDOR_PROCNO", "1"}, {"_CONDOR_NPROCS", "2"}}), "_CONDOR_NPROCS is 2");
    EXPECT_EQ(launched({{"SLURM_NTASKS", "many"}}), ", first");
}

TEST(Launched, by_ranks_alone) {
    EXPECT_EQ(launched({{"PALS_RANKID", "0"}}), "");
    EXPECT_EQ(launched({{"PALS_RANKID", "1"}}), "PALS_RANKID is 1, first");
    EXPECT_EQ(launched({{"PALS_RANKID", "2"}}), "PALS_RANKID is 2");
}

TEST(Launched, by_mpirun_within_another_launcher) {
    EXPECT_EQ(launched({{"OMPI_COMM_WORLD_SIZE", "1"}, {"SLURM_NTASKS", "8"}}), ", first");
    EXPECT_EQ(launched({{"OMPI_COMM_WORLD_SIZE", "2"}}), "OMPI_COMM_WORLD_SIZE is 2, first");
}

Job wrong_job() { return Job().node(two_sockets(), {"0", "0", "2"}).run(1); }

Rendered rendered(const Job& job, Format format) {
    Documents documents = {job.document.dump(), "", {}};
    documents.threads = job.threads;
    return render_check(documents, {Command::kCheck, format, false, "", ""}, Charset::kUtf8);
}

TEST(RenderCheck, faults_are_a_text_and_a_status) {
    const Rendered text = rendered(wrong_job(), Format::kText);
    EXPECT_EQ(text.error, "");
    EXPECT_TRUE(text.has_faults);
    EXPECT_EQ(text.text,
              "3 processes, 1 node, 1 switch: 1 fault\nfault: ranks 0-1: 2 processes are bound to one "
              "core, CPU 0 "
              "of node n0. Bind each to its own core: --map-by core --bind-to core.\n");
}

TEST(RenderCheck, remarks_are_no_faults) {
    const Rendered text = rendered(Job().node(two_sockets(), {"0", "1"}), Format::kText);
    EXPECT_FALSE(text.has_faults);
    EXPECT_EQ(text.text.substr(0, 50), "2 processes, 1 node, 1 switch: no faults, 1 remark");
}

TEST(RenderCheck, json_has_the_same) {
    const Rendered json = rendered(wrong_job(), Format::kJson);
    EXPECT_TRUE(json.has_faults);
    EXPECT_EQ(*parse_json(json.text), *parse_json(R"({
        "hitopo": "0.1.0", "schema": 1, "document": "check", "communicator": "MPI_COMM_WORLD",
        "size": 3, "num_nodes": 1, "num_faults": 1, "num_remarks": 0,
        "findings": [{"kind": "shared-core", "is_fault": true, "ranks": "0-1", "num_ranks": 2,
                      "nodes": ["n0"], "text": "2 processes are bound to one core, CPU 0 of node n0",
                      "remedy": "Bind each to its own core: --map-by core --bind-to core"}],
        "unchecked": []})"));
}

TEST(RenderCheck, json_lists_all_ranks) {
    Job job;
    for (int i = 0; i < 60; ++i) {
        job.node(two_sockets(), i % 3 == 0 ? Strings{"0"} : Strings{"0", "0"});
    }
    const Json json = *parse_json(rendered(job, Format::kJson).text);
    EXPECT_EQ(json["findings"][0]["num_ranks"], 80);
    EXPECT_EQ(json["findings"][0]["nodes"].size(), 40U);
    EXPECT_EQ(json["findings"][0]["ranks"].get<std::string>().find(".."), std::string::npos);
}

TEST(RenderCheck, names_are_harmless) {
    Job job = wrong_job();
    job.document["nodes"][0]["name"] = "n\x1b[31m\nfault: x";
    const Rendered text = rendered(job, Format::kText);
    EXPECT_EQ(std::count(text.text.begin(), text.text.end(), '\n'), 2);
    EXPECT_EQ(text.text.find('\x1b'), std::string::npos);
    EXPECT_TRUE(parse_json(rendered(job, Format::kJson).text).is_ok());
}

TEST(RenderCheck, no_table_is_one_message) {
    const Rendered none = render_check({std::nullopt, "rank 3 runs without HiTopo", {}},
                                       {Command::kCheck, Format::kText, false, "", ""}, Charset::kUtf8);
    EXPECT_EQ(none.text, "");
    EXPECT_NE(none.error.find("no address table: rank 3 runs without HiTopo."), std::string::npos);
}

// A wrong document is one line, whatever is wrong with it.
TEST(RenderCheck, broken_documents_are_one_line) {
    const std::vector<void (*)(Json&)> changes = {
        [](Json& table) { table.erase("nodes"); },
        [](Json& table) { table.erase("machines"); },
        [](Json& table) { table["nodes"] = 3; },
        [](Json& table) { table["nodes"][0] = "n0"; },
        [](Json& table) { table["nodes"][0]["machine"] = 1; },
        [](Json& table) { table["nodes"][0]["machine"] = -1; },
        [](Json& table) { table["nodes"].push_back(table["nodes"][0]); },
        [](Json& table) { table["machines"][0]["cpus"] = "0-"; },
        [](Json& table) { table["machines"][0]["types"][0]["instances"] = {"x"}; },
        [](Json& table) { table["ranks"][1]["node"] = 1; },
        [](Json& table) { table["ranks"][1].erase("node"); },
        [](Json& table) { table["ranks"][1]["cpus"] = "3-1"; },
        [](Json& table) { table["ranks"][1]["cpus"] = "99999999"; },
        [](Json& table) { table["schema"] = 2; }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        Job job = wrong_job();
        changes[i](job.document);
        const Rendered text = rendered(job, Format::kText);
        EXPECT_EQ(text.text, "") << i;
        EXPECT_NE(text.error.find("different versions"), std::string::npos) << i << text.error;
        EXPECT_EQ(text.error.find('\n'), std::string::npos) << i;
    }
    for (const char* text : {"", "{", "{}", "[1]", "\x1b"}) {
        EXPECT_NE(
            render_check({text, "", {}}, {Command::kCheck, Format::kText, false, "", ""}, Charset::kUtf8)
                .error,
            "");
    }
}

// Members that may be missing, and machines that say little.
TEST(RenderCheck, little_is_enough) {
    Job job = wrong_job();
    job.document["nodes"][0].erase("machine");
    job.document["ranks"][0].erase("cpus");
    EXPECT_EQ(rendered(job, Format::kText).error, "");
    job = wrong_job();
    job.document["machines"][0]["types"] = Json::array();
    EXPECT_EQ(kinds_of(job), Strings{"fault shared-cpus 0-1"});
    job.document["machines"][0]["cpus"] = "";
    EXPECT_EQ(rendered(job, Format::kText).error, "");
    job.document["nodes"] = Json::array();
    job.document["ranks"] = Json::array();
    EXPECT_EQ(rendered(job, Format::kText).error, "");
}

TEST(RenderCheck, documents_of_show_are_read) {
    const auto check = [](const char* name) {
        return render_check({fixture(name), "", {}}, {Command::kCheck, Format::kText, false, "", ""},
                            Charset::kUtf8);
    };
    EXPECT_EQ(check("two-islands.json").text,
              "32 processes, 8 nodes, 4 switches, 2 islands: no faults\n");
    EXPECT_EQ(check("one-node-unbound.json").text.substr(0, 76),
              "4 processes, 1 node: 1 fault\nfault: ranks 0-3: 4 processes share 2 CPUs, CPU");
    EXPECT_EQ(
        check("partly-known.json").text,
        "8 processes, 2 nodes, 1 switch, 1 island: 2 faults\nfault: rank 5: may run on all 4 CPUs of a "
        "node while others are bound, on node n12. Bind these too: --bind-to core, or --bind-to socket "
        "for processes with threads.\nfault: ranks 1-7:2: island, switch are unknown on node n12, but "
        "known on 1 other node. `hitopo show --why` prints the results of the components there.\n");
    EXPECT_NE(check("hostile-names.json").error.find("\"0\\x07\" is not a list of CPUs"),
              std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
