import { isWithin, monthsLater, type Instant } from '../model/instant.ts';
import type { Expectation, ExpectedSubscription } from '../model/expectation.ts';
import { accessLevel } from '../plan/market.ts';
import type { AccessAnswer, ProfileAnswer } from './answers.ts';

const differ = (what: string, expected: unknown, found: unknown): readonly string[] =>
  expected === found ? [] : [`${what}: expected ${String(expected)}, found ${String(found)}`];

function expiryDiffers(what: string, allowed: readonly Instant[], { expiresAt }: AccessAnswer): readonly string[] {
  if (allowed.length === 0) return [];
  const found = expiresAt === null ? Number.NaN : Date.parse(expiresAt);
  if (allowed.some((instant) => isWithin(found, instant))) return [];
  const named = allowed.map(({ earliest }) => new Date(earliest).toISOString()).join(' or ');
  return [`${what}.expiresAt: expected ${named}, found ${expiresAt}`];
}

/** A whole period ends at the same millisecond as it began, months later. */
function lengthDiffers(what: string, months: number | null, { startsAt, expiresAt }: AccessAnswer): readonly string[] {
  if (months === null || startsAt === null || expiresAt === null) return [];
  const expected = new Date(monthsLater(Date.parse(startsAt), months)).toISOString();
  return differ(`${what}.expiresAt, ${months} months from ${startsAt}`, expected, expiresAt);
}

function subscriptionDiffers(expected: ExpectedSubscription, found: AccessAnswer | undefined): readonly string[] {
  const what = `subscriptions.${expected.storeProductId}`;
  if (!found) return [`${what}: expected, not found`];
  return [
    ...differ(`${what}.isActive`, expected.isActive, found.isActive),
    ...(expected.isActive ? differ(`${what}.willRenew`, expected.willRenew, found.willRenew) : []),
    ...differ(`${what}.isInGracePeriod`, expected.isInGracePeriod, found.isInGracePeriod),
    ...expiryDiffers(what, expected.expiresAt, found),
    ...lengthDiffers(what, expected.months, found),
  ];
}

function accessDiffers({ access }: Expectation, { accessLevels }: ProfileAnswer): readonly string[] {
  const what = `accessLevels.${accessLevel}`;
  const found = accessLevels[accessLevel];
  if (!access) return differ(`${what}.isActive`, false, found?.isActive ?? false);
  if (!found) return [`${what}: expected, not found`];
  return [
    ...differ(`${what}.isActive`, true, found.isActive),
    ...differ(`${what}.isLifetime`, access.until === null, found.isLifetime),
    ...(access.until ? expiryDiffers(what, access.until, found) : differ(`${what}.expiresAt`, null, found.expiresAt)),
  ];
}

function strangersOf(expected: Expectation, found: ProfileAnswer): readonly string[] {
  const named = new Set(expected.subscriptions.map(({ storeProductId }) => storeProductId));
  const held = new Set(expected.oneTimes.map(({ storeProductId }) => storeProductId));
  const active = Object.entries(found.subscriptions).filter(([id, { isActive }]) => isActive && !named.has(id));
  const others = Object.keys(found.nonSubscriptions).filter((id) => !held.has(id));
  const levels = Object.keys(found.accessLevels).filter((level) => level !== accessLevel);
  return [
    ...active.map(([id]) => `subscriptions.${id}: is active, and nobody bought it`),
    ...others.map((id) => `nonSubscriptions.${id}: nobody bought it`),
    ...levels.map((level) => `accessLevels.${level}: nothing sold gives it`),
  ];
}

/** What of a profile is not as it should be, money apart; a sentence each. */
export function profileDifferences(expected: Expectation, found: ProfileAnswer): readonly string[] {
  return [
    ...differ('state', expected.state, found.state),
    ...differ('paid', expected.paid, found.paid),
    ...accessDiffers(expected, found),
    ...expected.subscriptions.flatMap((one) => subscriptionDiffers(one, found.subscriptions[one.storeProductId])),
    ...expected.oneTimes.flatMap(({ storeProductId, isRefund }) =>
      differ(`nonSubscriptions.${storeProductId}.isRefund`, isRefund, found.nonSubscriptions[storeProductId]?.isRefund),
    ),
    ...strangersOf(expected, found),
  ];
}
