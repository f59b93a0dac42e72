// Where in the student's source a call stands. The runtime's functions take it as a last argument that nobody writes,
// so that a fault can say which line made an allocation.
#pragma once

struct LabCallSite {
    const char* file;
    int line;
};

#define LAB_CALL_SITE \
    LabCallSite lab_site = LabCallSite { __builtin_FILE(), __builtin_LINE() }
