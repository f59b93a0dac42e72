// Tables of the fields of findings/finding.h (fields.h). Included by json.cpp alone.
#pragma once

#include "common/findings/finding.h"
#include "common/findings/finding_text.h"
#include "common/trace/fields.h"

namespace lab {

using trace::Computed;
using trace::Field;
using trace::Inlined;
using trace::Presence;
using trace::Type;

LAB_FIELDS(SourceLine, file, line, column, first_line)
LAB_SPARSE(SourceLine)
LAB_LIST(Index, x, y, z)

constexpr auto fields_of(Type<Place> /*any*/) {
    return std::tuple{Field("role", &Place::role, Presence::always),
                      Inlined(&Place::source),
                      Field("block", &Place::block),
                      Field("thread", &Place::thread),
                      Field("actor", &Place::actor),
                      Field("stream", &Place::stream)};
}
LAB_SPARSE(Place)

constexpr auto fields_of(Type<Object> /*any*/) {
    return std::tuple{
        Field("kind", &Object::kind, Presence::always), Field("name", &Object::name),         Field("size", &Object::size),
        Field("allocated_at", &Object::allocated_at),   Field("freed_at", &Object::freed_at), Field("is_freed", &Object::is_freed),
        Field("is_dynamic", &Object::is_dynamic),       Field("region", &Object::region)};
}
LAB_SPARSE(Object)

constexpr auto fields_of(Type<Location> /*any*/) {
    return std::tuple{Field("role", &Location::role, Presence::always),
                      Field("relation", &Location::relation, Presence::always),
                      Field("object", &Location::object, Presence::always),
                      Field("address", &Location::address),
                      Field("offset", &Location::offset),
                      Field("bytes", &Location::bytes),
                      Field("distance", &Location::distance),
                      Field("is_written", &Location::is_written)};
}
LAB_SPARSE(Location)

constexpr auto fields_of(Type<Finding> /*any*/) {
    return std::tuple{Field("kind", &Finding::kind, Presence::required),
                      Field("headline", &Finding::headline, Presence::always),
                      Computed("text", &text_without_place),
                      Field("stops", &Finding::stops),
                      Field("is_mistake", &Finding::is_mistake),
                      Field("is_next_iteration", &Finding::is_next_iteration),
                      Field("has_barrier_between", &Finding::has_barrier_between),
                      Field("count", &Finding::count),
                      Field("kernel", &Finding::kernel),
                      Field("call", &Finding::call),
                      Field("error", &Finding::error),
                      Field("space", &Finding::space),
                      Field("grid", &Finding::grid),
                      Field("block", &Finding::block),
                      Field("operation", &Finding::operation),
                      Field("details", &Finding::details),
                      Field("advice", &Finding::advice),
                      Field("places", &Finding::places),
                      Field("locations", &Finding::locations),
                      Field("measured", &Finding::measured)};
}
LAB_SPARSE(Finding)

}  // namespace lab
