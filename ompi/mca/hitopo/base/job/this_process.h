// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This process in an exchange: what its components say.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_THIS_PROCESS_H
#define OMPI_MCA_HITOPO_BASE_JOB_THIS_PROCESS_H

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/base/job/exchange.h"
#include "ompi/mca/hitopo/base/job/survey.h"

namespace hitopo {

// The machine of this process's node, as a table has it already.
struct KnownMachine {
    std::string component;  // that told it
    std::string encoded;
};

class ThisProcess : public Participant {
public:
    using Take = std::function<void(Census)>;

    // speaker: as what it speaks unless it is told to. machine: known from an earlier exchange, so that
    // no component is asked for it again. take: see Participant::accept.
    ThisProcess(const Speaker& speaker, std::optional<KnownMachine> machine, Take take);

    Contribution contribute(bool must_speak) override;
    std::string lead(std::uint32_t component) override;
    void accept(Census census) override { take_(std::move(census)); }

    // What was found out; complete after the exchange.
    const Survey& survey() const { return survey_; }
    Survey take_survey() { return std::move(survey_); }

private:
    bool add_known_machine();

    Speaker speaker_;
    std::optional<KnownMachine> machine_;
    Take take_;
    Survey survey_;
};

}  // namespace hitopo

#endif
