#include "tests/wrong/schedule.h"

namespace tandem::wrong {

void set_schedule(simt::Schedule schedule) { simt::set_schedule(schedule); }

}  // namespace tandem::wrong
