/**
 * Which chain of purchases came of which decision: its first purchase, or a later one, when it was bought again. The money of
 * each has the decision's id.
 */
export const chainsOfDecisions = `(
    select decision_id, chain_id from purchase_chain where decision_id is not null
    union all
    select decision_id, chain_id from later_decision
  )`;
