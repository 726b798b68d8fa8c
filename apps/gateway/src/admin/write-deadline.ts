/** Until then an operator's write is done and visible, or is to be repeated. Longer than an app waits: a large catalog takes its time. */
export const writeDeadlineMs = 5_000;
