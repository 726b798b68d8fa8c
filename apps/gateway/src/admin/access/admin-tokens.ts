import { createHash, timingSafeEqual } from 'node:crypto';

const roles = ['admin', 'viewer'] as const;
export type AdminRole = (typeof roles)[number];

/** Who uses the admin API. The name is written beside every change; it has two tokens while one takes the other's place. */
export interface AdminCaller {
  readonly name: string;
  readonly role: AdminRole;
  /** Of the token among all of them, from 1. */
  readonly place: number;
}

interface KnownToken extends AdminCaller {
  readonly hash: Buffer;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** The tokens that open the admin API, held as hashes. */
export class AdminTokens {
  readonly #tokens: readonly KnownToken[];

  /**
   * @param text `name:token[:role]`, comma separated; role `admin` (default) or `viewer`. Empty: nothing opens
   * @throws RangeError that says what `adminTokensFault` does
   */
  constructor(text: string) {
    const fault = adminTokensFault(text);
    if (fault !== null) throw new RangeError(`ADMIN_TOKENS: ${fault}`);
    this.#tokens = entriesOf(text).map(({ name, token, role, place }) => ({
      ...{ name, place, hash: hashOf(token) },
      role: role === 'admin' ? 'admin' : 'viewer',
    }));
  }

  /** Takes as long for any token: every hash is compared, in constant time. */
  find(token: string): AdminCaller | null {
    const hash = hashOf(token);
    return this.#tokens.reduce<AdminCaller | null>((found, known) => {
      const { hash: knownHash, ...caller } = known;
      return timingSafeEqual(knownHash, hash) ? caller : found;
    }, null);
  }
}

/** What is to be mended in the text: an entry is named by its place, never by what it holds. Null if nothing is. */
export function adminTokensFault(text: string): string | null {
  const entries = entriesOf(text);
  for (const { name, token, role, rest, place } of entries) {
    if (!nameShape.test(name) || token === '' || rest.length > 0)
      return `entry ${place} must be name:token or name:token:role`;
    if (!roles.some((one) => one === role)) return `the role of entry ${place} must be admin or viewer`;
  }
  const tokens = new Set(entries.map(({ token }) => token));
  return tokens.size < entries.length ? 'two entries have the same token' : null;
}

const nameShape = /^[^\s:,]{1,64}$/;

const entriesOf = (text: string) =>
  text.split(',').flatMap((entry, index) => {
    const [name = '', token = '', role = 'admin', ...rest] = entry.trim().split(':');
    return entry.trim() === '' ? [] : [{ name, token, role, rest, place: index + 1 }];
  });
