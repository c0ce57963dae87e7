#include "player.h"

basra_status choose_policy(decision *d)
{
    (void)d;
    return BASRA_E_MODEL;
}
basra_status choose_expectimax(decision *d)
{
    (void)d;
    return BASRA_E_MODEL;
}
