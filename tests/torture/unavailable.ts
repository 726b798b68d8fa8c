/** An app that waits this long for any answer at all is down for its users. */
const gapMs = 1_000;

/**
 * The time in which no request was answered: every stretch longer than a second, whole.
 * @param answeredAt when one was, in order; all times in milliseconds of one clock
 */
export function unavailableMs(answeredAt: readonly number[], from: number, until: number): number {
  const within = answeredAt.filter((at) => at > from && at < until);
  const ends = [...within, until];
  return ends
    .map((end, index) => end - (within[index - 1] ?? from))
    .filter((gap) => gap > gapMs)
    .reduce((sum, gap) => sum + gap, 0);
}
