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
   * @throws RangeError that names the entry by its place, never by what it holds
   */
  constructor(text: string) {
    const entries = text.split(',').map((entry) => entry.trim());
    this.#tokens = entries.flatMap((entry, index) => (entry === '' ? [] : [parseToken(entry, index + 1)]));
    const hashes = new Set(this.#tokens.map(({ hash }) => hash.toString('hex')));
    if (hashes.size < this.#tokens.length) throw new RangeError('ADMIN_TOKENS: two entries have the same token.');
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

const nameShape = /^[^\s:,]{1,64}$/;

function parseToken(entry: string, place: number): KnownToken {
  const [name = '', token = '', role = 'admin', ...rest] = entry.split(':');
  if (!nameShape.test(name) || token === '' || rest.length > 0)
    throw new RangeError(`ADMIN_TOKENS: entry ${place} must be name:token or name:token:role.`);
  const known = roles.find((one) => one === role);
  if (known === undefined) throw new RangeError(`ADMIN_TOKENS: the role of entry ${place} must be admin or viewer.`);
  return { name, role: known, place, hash: hashOf(token) };
}
