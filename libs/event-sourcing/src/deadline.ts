/** Two clocks are compared, the sender's and ours. */
const allowanceMs = 1_000;
/** One that is further off tells more about the clocks than about the sender: obeyed, it would drop everything. */
const credibleMs = 60_000;

/** Whether nobody waits for the answer any more. All times in milliseconds since the epoch. */
export function isExpired(deadline: number, now: number): boolean {
  const late = now - deadline;
  return late > allowanceMs && late <= credibleMs;
}
