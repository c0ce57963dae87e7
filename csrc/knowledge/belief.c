#include "belief.h"

basra_status belief_worlds(const basra_rules *rules, const basra_view *view,
                           const basra_model *model, int trust, uint64_t seed, size_t most,
                           basra_world *worlds, size_t *count, bool *complete)
{
    (void)model;
    (void)trust;
    basra_status status = basra_worlds_all(rules, view, worlds, most, count);
    *complete = !status && *count;
    if (status || *count) return status;
    *count = most;
    return basra_worlds_sample(rules, view, seed, 0, most, worlds);
}
