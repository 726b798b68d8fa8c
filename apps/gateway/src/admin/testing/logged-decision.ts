import type { LoggedDecision } from '@paywright/selection-engine';

const logging = [0.8, 0.1, 0.1];
const evenly = [1 / 3, 1 / 3, 1 / 3];
/** A decision among three, of which eight in ten show the first, to be judged by even shares. */
export const decision = (profile: string, chosen: number, reward: number): LoggedDecision => ({
  ...{ profile, chosen, reward, propensity: logging[chosen] ?? 0, policy: evenly, expected: [0, 0, 0] },
});
