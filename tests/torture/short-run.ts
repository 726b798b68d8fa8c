/** What of it all is in `npm test`: faults of every kind, in no more time than each of them takes. */
export const shortRun = {
  durationMs: 45_000,
  nemeses: ['kill-service', 'lost-answers', 'crash-database', 'deliver-again', 'poison', 'cut-link', 'half-open'],
} as const;
