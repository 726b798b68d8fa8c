import type { App } from './clients.ts';
import { accepted } from './expectations.ts';
import type { Json } from './http.ts';

export const attributesPath = '/profiles/custom-attributes';
export const emoji = '\u{1f600}';

export const setAttribute = (app: App, profileId: string, key: string, value: string) =>
  app.v1(attributesPath, { profileId, custom: { key, value } });
export const setAttributes = (app: App, profileId: string, custom: unknown) =>
  app.v1(`${attributesPath}-all`, { profileId, custom });
export const numberedEntries = (count: number, prefix = 'k') =>
  Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index}`, value: 'v' }));
export const byKey = (attributes: Json[]) => [...attributes].sort((a, b) => (a.key < b.key ? -1 : 1));

/** The profile's attributes as v1 shows them. */
export const storedAttributes = async (app: App, customerUserId: string): Promise<Json[]> =>
  accepted(await app.v1('/profiles', { customerUserId }), 200).custom;

/** Entries that no route takes, each with the field that its message must name. */
export const faultyEntries: readonly [unknown, string][] = [
  [{ value: 'v' }, 'key'],
  [{ key: null, value: 'v' }, 'key'],
  [{ key: '', value: 'v' }, 'key'],
  [{ key: 'k'.repeat(101), value: 'v' }, 'key'],
  [{ key: 7, value: 'v' }, 'key'],
  [{ key: 'k' }, 'value'],
  [{ key: 'k', value: null }, 'value'],
  [{ key: 'k', value: 'v'.repeat(1001) }, 'value'],
  [{ key: 'k', value: 7 }, 'value'],
  [{ key: 'k', value: false }, 'value'],
  [{ key: 'k', value: { deep: 1 } }, 'value'],
  ['k=v', 'custom'],
  [null, 'custom'],
];
