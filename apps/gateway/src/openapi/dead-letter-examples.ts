import { profileId, time } from './example-ids.ts';

export const deadLetter = {
  id: 12,
  group: 'projection',
  topic: 'profile.events',
  partition: 3,
  offset: '4711',
  key: profileId,
  appId: 1,
  messageId: '0190a5b3-4f61-7c32-8e40-6c8d9fa01b23',
  type: 'ProfileUpdated.v2',
  status: 'open',
  reason: 'Its source publishes no event of this type and version.',
  attempts: 1,
  recordedAt: time,
  failedAt: time,
  settledAt: null,
  settledBy: null,
  skippedVersion: null,
};
export const outcome = {
  id: 12,
  status: 'retried',
  reason: null,
  attempts: 2,
  released: 3,
  parked: 0,
  nextDeadLetter: null,
  skippedVersion: null,
};
export const deadLetterInFull = {
  ...deadLetter,
  parked: 3,
  headers: { ce_type: 'ProfileUpdated.v2', ce_subject: profileId, ce_streamversion: '4' },
  payload: '{"appId":1}',
  payloadLength: 11,
  actions: [],
};
export const parkedKey = {
  group: 'projection',
  topic: 'profile.events',
  key: profileId,
  deadLetterId: 12,
  parked: 3,
  since: time,
};
