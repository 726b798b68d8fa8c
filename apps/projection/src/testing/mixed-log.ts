import { AppCreated, ProfileErased } from '@paywright/contracts';
import { personalMessage, type OutgoingMessage } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';
import { appId, attributeSet, created, eventRecord, personalRecord, served, shown, superseded } from './event-log.ts';
import { boughtAt, day, purchaseChain } from './purchase-log.ts';

/** Of the profiles of a log. */
export const profileOf = (index: number): string => derivedId(`profile ${index}`);

export const appRecords: readonly OutgoingMessage[] = [
  eventRecord(
    'catalog',
    String(appId),
    1,
    AppCreated.of({ appId, name: 'Demo', actor: 'ann', createdAt: 1_000, keys: [] }),
  ),
];

/** What one profile lives through, in topics of all services: 20 or 22 records. Every fifth one is erased in the end. */
export function lifeOf(index: number): readonly OutgoingMessage[] {
  const profileId = profileOf(index);
  const decisionId = derivedId(`decision ${index}`);
  const chain = purchaseChain(`chain ${index}`);
  const fields = { customerUserId: `user ${index}`, email: `${index}@x.y` };
  const life = [
    eventRecord('profile', profileId, 1, created(profileId, { country: 'DE' })),
    personalRecord(profileId, { appId, profileId, version: 1, fields }),
    ...['sleep', 'focus', 'calm'].map((value, step) =>
      eventRecord('profile', profileId, 2 + step, attributeSet(profileId, 'goal', value)),
    ),
    eventRecord('selection', profileId, 1, served(profileId, decisionId)),
    eventRecord('selection', profileId, 2, superseded(profileId, decisionId)),
    eventRecord('impression', profileId, 1, shown(profileId, [12, 13], [12, 13], decisionId)),
    eventRecord('impression', profileId, 2, shown(profileId, [12], [])),
    ...chain.log(
      chain.bought(0),
      chain.subscribed(0),
      chain.moved('m0', { time: boughtAt }),
      chain.claimed(profileId),
      chain.attributed(profileId),
      chain.moved('m1', { time: boughtAt + 30 * day }),
      chain.valued('m1', '9.5', '1.25'),
      chain.shared('m1', '1.5'),
      chain.bought(9),
      chain.moved('m9', { time: boughtAt + 270 * day, transactionId: 't9' }),
      chain.attributed(profileId, 't9', { decisionId: derivedId(`later decision ${index}`) }),
    ),
  ];
  return index % 5 === 4 ? [...life, ...erasureOf(profileId)] : life;
}

/** Of a life that was not erased. */
export const erasureOf = (profileId: string): readonly OutgoingMessage[] => [
  eventRecord('profile', profileId, 5, ProfileErased.of({ appId, profileId, actor: 'ops', erasedAt: boughtAt + day })),
  personalMessage({ appId, profileId, version: 5, fields: {} }),
];

/** A profile's record that nobody understands, and one that waits behind it. */
export function brokenLifeOf(index: number): readonly OutgoingMessage[] {
  const profileId = profileOf(index);
  const broken = eventRecord('profile', profileId, 2, attributeSet(profileId, 'goal', 'sleep'));
  return [
    eventRecord('profile', profileId, 1, created(profileId)),
    { ...broken, headers: { ...broken.headers, ce_type: 'unknown.v9' } },
    eventRecord('profile', profileId, 3, attributeSet(profileId, 'goal', 'focus')),
  ];
}
