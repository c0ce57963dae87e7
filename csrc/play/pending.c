#include "player.h"

basra_status choose_expectimax(decision *d)
{
    (void)d;
    return BASRA_E_MODEL;
}
