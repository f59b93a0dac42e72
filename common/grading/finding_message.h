// A finding as a message to the student.
#pragma once

#include "common/findings/finding.h"
#include "common/grading/message.h"

namespace lab::grading {

[[nodiscard]] Message message_of(const Finding& finding);

}  // namespace lab::grading
