/** @param share below 1 */
export const oddsOf = (share: number): number => share / (1 - share);
/** The share that has these odds. */
export const shareOf = (odds: number): number => odds / (1 + odds);
