/** What the examples have in common. */
export const time = '2026-01-02T03:04:05.678Z';
export const profileId = '0190a5b0-7c3e-8f00-9b1d-3f5a6c7d8e9f';
export const decisionId = '0190a5b1-2d4f-7a10-8c2e-4a6b7d8e9f01';
