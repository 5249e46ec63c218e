/* Groups: lanes of a warp at one place. Split by branches, joined where they meet, chosen deepest and lowest first. */
#include "lane_group.h"

jrs_group *jrs_group_split(jrs_warp *warp, uint32_t mask) {
    jrs_group *from = warp->group;
    if (mask == from->mask) return from;
    jrs_group *part = &warp->groups[warp->group_count++]; /* groups are disjoint: at most one a lane */
    *part = *from;
    part->mask = mask;
    from->mask &= ~mask;
    return part;
}

void jrs_group_remove(jrs_warp *warp, jrs_group *group) {
    jrs_group *last = &warp->groups[--warp->group_count];
    if (warp->group == last) warp->group = group;
    *group = *last;
}

/* Makes it the running one. */
static void enter(jrs_warp *warp, jrs_group *group) {
    jrs_frame *frame = group->frame;
    warp->group = group;
    warp->base[JRS_BASE_FRAME] = frame->registers;
    warp->base[JRS_BASE_CONSTANT] = frame->caller ? frame->function->constants : warp->block->constants;
    group->turn = ++warp->turns;
    warp->limit = UINT32_MAX;
    for (uint32_t k = 0; k < warp->group_count; k++) {
        const jrs_group *other = &warp->groups[k];
        if (other == group || other->frame != frame || other->state != JRS_READY) continue;
        if (other->pc > group->pc && other->pc < warp->limit) warp->limit = other->pc;
    }
}

/* Joins ready groups at the same place. */
static void merge(jrs_warp *warp) {
    for (uint32_t a = 0; a + 1 < warp->group_count; a++) {
        for (uint32_t b = warp->group_count - 1; b > a; b--) {
            jrs_group *one = &warp->groups[a], *two = &warp->groups[b];
            if (one->state != JRS_READY || two->state != JRS_READY || one->pc != two->pc || one->frame != two->frame)
                continue;
            one->mask |= two->mask;
            if (two->turn < one->turn) one->turn = two->turn;
            if (warp->group == two) warp->group = one;
            jrs_group_remove(warp, two);
        }
    }
}

static bool goes_first(const jrs_group *one, const jrs_group *two) {
    if (one->frame->depth != two->frame->depth) return one->frame->depth > two->frame->depth;
    return one->pc < two->pc;
}

bool jrs_group_choose(jrs_warp *warp) {
    jrs_group *chosen = NULL;
    if (warp->group_count > 1) merge(warp);
    for (uint32_t k = 0; k < warp->group_count; k++) {
        jrs_group *group = &warp->groups[k];
        if (group->state != JRS_READY) continue;
        bool better = chosen && (warp->rotate ? group->turn < chosen->turn : goes_first(group, chosen));
        if (!chosen || better) chosen = group;
    }
    warp->rotate = false;
    if (chosen) enter(warp, chosen);
    return chosen != NULL;
}
