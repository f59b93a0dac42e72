#include "common/trace/json.h"

#include <algorithm>

#include "common/findings/finding_json.h"
#include "common/trace/fields.h"

namespace lab::trace {

constexpr auto fields_of(Type<Size> /*any*/) { return std::tuple{Field("x", &Size::x), Field("y", &Size::y), Field("z", &Size::z)}; }
constexpr void is_list(Type<Size> /*any*/) {}

constexpr auto fields_of(Type<ByteRun> /*any*/) { return std::tuple{Field("begin", &ByteRun::begin), Field("end", &ByteRun::end)}; }
constexpr void is_list(Type<ByteRun> /*any*/) {}

constexpr auto fields_of(Type<Recording::Object> /*any*/) {
    using Object = Recording::Object;
    return std::tuple{Field("name", &Object::name), Field("space", &Object::space), Field("begin", &Object::begin),
                      Field("bytes", &Object::bytes), Field("used", &Object::used)};
}

constexpr auto fields_of(Type<Recording::Place> /*any*/) {
    using Place = Recording::Place;
    return std::tuple{Field("file", &Place::file), Field("line", &Place::line), Field("column", &Place::column)};
}

constexpr auto fields_of(Type<Recording::Request> /*any*/) {
    using Request = Recording::Request;
    return std::tuple{Field("block", &Request::block), Field("warp", &Request::warp),       Field("iteration", &Request::iteration),
                      Field("of", &Request::of),       Field("address", &Request::address), Field("lanes", &Request::lanes),
                      Field("cost", &Request::cost),   Field("ideal", &Request::ideal)};
}

constexpr auto fields_of(Type<Recording::Access> /*any*/) {
    using Access = Recording::Access;
    return std::tuple{Field("where", &Access::where),
                      Field("kind", &Access::kind),
                      Field("space", &Access::space),
                      Field("object", &Access::object),
                      Field("bytes", &Access::bytes),
                      Field("requests", &Access::requests),
                      Field("cost", &Access::cost),
                      Field("requested", &Access::requested),
                      Field("seen", &Access::seen),
                      Field("seen_cost", &Access::seen_cost),
                      Field("seen_ideal", &Access::seen_ideal),
                      Field("kept", &Access::kept)};
}

constexpr auto fields_of(Type<Recording::Threads> /*any*/) {
    using Threads = Recording::Threads;
    return std::tuple{Field("access", &Threads::access), Field("first", &Threads::first), Field("step", &Threads::step),
                      Field("count", &Threads::count)};
}
constexpr void is_list(Type<Recording::Threads> /*any*/) {}

constexpr auto fields_of(Type<Recording::Write> /*any*/) {
    using Write = Recording::Write;
    return std::tuple{Field("access", &Write::access), Field("thread", &Write::thread), Field("interval", &Write::interval)};
}
constexpr void is_list(Type<Recording::Write> /*any*/) {}

constexpr auto fields_of(Type<Recording::Word> /*any*/) {
    using Word = Recording::Word;
    return std::tuple{Field("word", &Word::word), Field("writes", &Word::writes), Field("reads", &Word::reads),
                      Field("before", &Word::before)};
}
constexpr void is_list(Type<Recording::Word> /*any*/) {}

constexpr auto fields_of(Type<Recording::RaceSide> /*any*/) {
    using Side = Recording::RaceSide;
    return std::tuple{Field("access", &Side::access), Field("thread", &Side::thread), Field("kind", &Side::kind)};
}

constexpr auto fields_of(Type<Recording::SharedRace> /*any*/) {
    using Race = Recording::SharedRace;
    return std::tuple{Field("word", &Race::word), Field("earlier", &Race::earlier), Field("later", &Race::later),
                      Field("count", &Race::count)};
}

constexpr auto fields_of(Type<Recording::Interval> /*any*/) {
    using Interval = Recording::Interval;
    return std::tuple{Field("block", &Interval::block), Field("interval", &Interval::interval), Field("from", &Interval::from),
                      Field("to", &Interval::to),       Field("words", &Interval::words),       Field("races", &Interval::races),
                      Field("cut", &Interval::is_cut)};
}

constexpr auto fields_of(Type<Recording::Touched> /*any*/) {
    using Touched = Recording::Touched;
    return std::tuple{Field("block", &Touched::block), Field("interval", &Touched::interval), Field("object", &Touched::object),
                      Field("kind", &Touched::kind),   Field("runs", &Touched::runs),         Field("cut", &Touched::is_cut)};
}

constexpr auto fields_of(Type<Recording> /*any*/) {
    return std::tuple{Field("blocks", &Recording::blocks),     Field("objects", &Recording::objects),
                      Field("accesses", &Recording::accesses), Field("intervals", &Recording::intervals),
                      Field("touched", &Recording::touched),   Field("first_stores", &Recording::first_stores),
                      Field("races", &Recording::races)};
}

constexpr auto fields_of(Type<Launch> /*any*/) {
    return std::tuple{Field("kernel", &Launch::kernel),
                      Field("grid", &Launch::grid),
                      Field("block", &Launch::block),
                      Field("dynamic_shared_bytes", &Launch::dynamic_shared_bytes),
                      Field("exited_at_barriers", &Launch::exited_at_barriers),
                      Field("recording", &Launch::recording),
                      Field("is_estimate", &Launch::is_estimate)};
}

nlohmann::json to_json(const Recording& recording) { return written(recording); }
nlohmann::json to_json(const Recording::Interval& interval) { return written(interval); }

Launch launch_from(const nlohmann::json& json) {
    Launch launch;
    read(json, &launch);
    return launch;
}

const Recording::Object* Launch::object(const std::string& name, Space space) const {
    if (!recording) return nullptr;
    const auto found = std::find_if(recording->objects.begin(), recording->objects.end(),
                                    [&](const Recording::Object& one) { return one.name == name && one.space == space; });
    return found == recording->objects.end() ? nullptr : &*found;
}

std::string Launch::name_of(const Recording::Access& access) const {
    const std::string name = access.object ? recording->objects.at(*access.object).name : "";
    return name.rfind("allocated at ", 0) == 0 ? "the array " + name : name;
}

}  // namespace lab::trace
