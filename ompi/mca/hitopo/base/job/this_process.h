// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This process in an exchange: what its components say.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_THIS_PROCESS_H
#define OMPI_MCA_HITOPO_BASE_JOB_THIS_PROCESS_H

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/base/job/answers.h"
#include "ompi/mca/hitopo/base/job/exchange.h"

namespace hitopo {

// The machine of this process's node, as a table has it already.
struct KnownMachine {
    std::string component;  // that told it
    std::string encoded;
};

// What stays while processes are bound anew.
struct Known {
    std::optional<KnownMachine> machine;
    std::optional<Answers> answers;  // of this process's latest exchange
};

class ThisProcess : public Participant {
public:
    using Take = std::function<void(std::shared_ptr<const SharedBytes>)>;

    // contributor: as what it speaks unless it is told to. known: from earlier exchanges, so that no
    // component is asked for it again. take: see Participant::accept.
    ThisProcess(const Contributor& contributor, Known&& known, Take take);

    Contribution contribute(bool must_speak) override;
    std::string lead(const std::string& component) override;
    void accept(std::shared_ptr<const SharedBytes> block) override { take_(std::move(block)); }

    // What was found out; complete after the exchange.
    const Answers& answers() const { return answers_; }
    Answers take_answers() { return std::move(answers_); }

private:
    void ask_components();
    bool add_known_machine();

    Contributor contributor_;
    Known known_;
    Take take_;
    Answers answers_;
};

}  // namespace hitopo

#endif
