/**
 * The chains of purchases that came of a decision: by their first purchase, or by a later one, when they were bought again. The
 * money of each has the decision's id. To be joined laterally, which looks by index decision by decision: of all chains at
 * once the planner made a list, and joined a report's money with it row by row.
 * @param decisionId an expression
 */
export const chainsOfDecision = (decisionId: string): string => `(
    select chain_id from purchase_chain where decision_id = ${decisionId}
    union all
    select chain_id from later_decision where decision_id = ${decisionId}
  )`;

/**
 * Whether a decision led to a purchase: asked of many, of whom few did. A plan may look for each of them, or read the ids of all.
 * @param decisionId an expression
 */
export const soldSomething = (decisionId: string): string => `${decisionId} in (
      select decision_id from purchase_chain union all select decision_id from later_decision
    )`;
