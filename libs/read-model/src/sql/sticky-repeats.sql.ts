/**
 * Decisions that repeat a kept one, `first_id`, of the rows of `weighed`. What a profile's repeats are of is read once: looked for
 * by each kept decision, a profile with thousands of both was read millions of times.
 */
export const stickyRepeats = `(
    select repeat.decision_id, repeat.sticky_to as first_id
    from (select distinct profile_id from weighed where is_kept) keeping
    join decision repeat on repeat.profile_id = keeping.profile_id
    where repeat.sticky_to is not null
    offset 0
  )`;
