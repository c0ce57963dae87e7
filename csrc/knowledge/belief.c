#include "belief.h"

basra_status belief_worlds(const basra_rules *rules, const basra_view *view,
                           const basra_model *model, int trust, uint64_t seed, size_t most,
                           bool merge, basra_world *worlds, size_t *count, bool *complete)
{
    (void)model;
    (void)trust;
    (void)merge;
    basra_status status = basra_worlds_all(rules, view, worlds, most, count);
    *complete = !status && *count;
    if (status || *count) return status;
    *count = most;
    return basra_worlds_sample(rules, view, seed, 0, most, worlds);
}

basra_status basra_worlds_likely(const basra_rules *rules, const basra_view *view,
                                 const basra_model *model, int trust, uint64_t seed, size_t most,
                                 basra_world *worlds, size_t *count, int *complete)
{
    bool all = false;
    basra_status status =
        belief_worlds(rules, view, model, trust, seed, most, false, worlds, count, &all);
    *complete = all;
    return status;
}
