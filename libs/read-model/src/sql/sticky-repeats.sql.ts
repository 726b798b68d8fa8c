import { PaywallServed } from '@paywright/contracts';

/**
 * Decisions that repeat a kept one, `first_id`, of the rows of `weighed`. What a profile's repeats are of is read once: looked for
 * by each kept decision, a profile with thousands of both was read millions of times.
 */
export const stickyRepeats = `(
    select repeat.decision_id, (repeat.data::json ->> 'stickyTo')::uuid as first_id
    from (select distinct profile_id from weighed where is_kept) keeping
    join profile_event repeat on repeat.profile_id = keeping.profile_id and repeat.service = 'selection'
    where repeat.type = '${PaywallServed.type}' and position('"stickyTo":"' in repeat.data) > 0
    offset 0
  )`;
