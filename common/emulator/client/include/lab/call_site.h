// Source position of a runtime call. The runtime's functions take it as a last, defaulted argument, so that a finding can name the line
// that made an allocation.
#pragma once

struct LabCallSite {
    const char* file;
    int line;
};

#define LAB_CALL_SITE \
    LabCallSite lab_site = LabCallSite { __builtin_FILE(), __builtin_LINE() }
