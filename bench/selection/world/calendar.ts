/** When worlds begin, milliseconds since the epoch, and for how many days they go on. */
export const worldStart = Date.UTC(2026, 0, 5);
export const days = 60;
