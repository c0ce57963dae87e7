#include "player.h"

basra_status choose_expectimax(decision *d)
{
    (void)d;
    return BASRA_E_MODEL;
}
basra_status choose_ismcts(decision *d)
{
    (void)d;
    return BASRA_E_MODEL;
}
basra_status choose_mo_ismcts(decision *d)
{
    (void)d;
    return BASRA_E_MODEL;
}
basra_status choose_careful(decision *d) { return choose_greedy(d); }
