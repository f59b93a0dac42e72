// Tables of the fields of recording.h (fields.h). Included by json.cpp alone.
#pragma once

#include "common/trace/fields.h"
#include "common/trace/recording.h"

namespace lab::trace {

LAB_LIST(ByteRun, begin, end)
LAB_FIELDS(Recording::Object, name, space, begin, bytes, used)
LAB_FIELDS(Recording::Place, file, line, column)
LAB_FIELDS(Recording::Request, block, warp, iteration, of, address, lanes, cost, ideal)
LAB_FIELDS(Recording::Access, where, kind, space, object, bytes, requests, cost, requested, seen, seen_cost, seen_ideal, kept)
LAB_LIST(Recording::Threads, access, first, step, count)
LAB_LIST(Recording::Write, access, thread, interval)
LAB_LIST(Recording::Word, word, writes, reads, before)
LAB_FIELDS(Recording::RaceSide, access, thread, kind)
LAB_FIELDS(Recording::SharedRace, word, earlier, later, count)
LAB_FIELDS(Recording::Interval, block, interval, from, to, words, races, is_cut)
LAB_FIELDS(Recording::Touched, block, interval, object, kind, runs, is_cut)
LAB_FIELDS(Recording, blocks, objects, accesses, intervals, touched, first_stores, races)

}  // namespace lab::trace
