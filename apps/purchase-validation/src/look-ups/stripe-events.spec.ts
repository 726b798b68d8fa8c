import { expect, it } from '@jest/globals';
import type { StripeNotification } from '@paywright/stores';
import { newestOfEach } from './stripe-events.ts';

const event = (notificationId: string, subject: StripeNotification['subject']): StripeNotification => ({
  ...{ notificationId, type: 'a.type', environment: 'production', sentAt: 0, subject },
});

it('keeps the newest event of each object, and none that is of nothing', () => {
  const sub = { kind: 'subscription', id: 'sub_1' } as const;
  const events = [
    event('e4', null),
    event('e3', sub),
    event('e2', { kind: 'customer', id: 'sub_1' }),
    event('e1', sub),
  ];
  expect(newestOfEach(events).map(({ notificationId }) => notificationId)).toEqual(['e3', 'e2']);
});
