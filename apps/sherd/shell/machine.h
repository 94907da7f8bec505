// Properties of the machine as the system reports them.
#pragma once

typedef struct machine {
    char processor[160];
    int cores, threads;  // of the machine; 0 = not known
    int usable;          // threads that this process may use
    double memory;       // [bytes]
    double memory_free;  // [bytes]
    double memory_limit; // of the control group [bytes]; 0: none below `memory`
} machine;

machine machine_look(void);
