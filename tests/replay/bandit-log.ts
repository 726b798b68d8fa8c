import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The logs of fixtures/open-bandit: campaign and policy. */
export const logNames = ['men-random', 'men-bts', 'women-random', 'women-bts'] as const;
export type LogName = (typeof logNames)[number];

/**
 * Somebody of the log. It has no user ids, so a user is a distinct context: the four hashed features together. The
 * id is their hash, and means nothing outside the file.
 */
export interface LoggedUser {
  readonly customerUserId: string;
  readonly features: Readonly<Record<string, string>>;
}

/** One line: somebody was shown something at a position of the page, and may have clicked it. */
export interface LoggedRow {
  readonly user: LoggedUser;
  readonly position: string;
  readonly clicked: boolean;
}

/** An item of the shop with what is known of it. */
export interface LoggedItem {
  readonly id: string;
  readonly features: Readonly<Record<string, string>>;
}

export interface BanditLog {
  readonly name: LogName;
  readonly items: readonly LoggedItem[];
  readonly users: readonly LoggedUser[];
  readonly rows: readonly LoggedRow[];
}

type Line = Readonly<Record<string, string>>;

/** Lines by column name. Nothing in these files is quoted. */
function parseLines(text: string): Line[] {
  const [head = '', ...lines] = text.trim().split('\n');
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}

const only = (line: Line, prefix: string): Line =>
  Object.fromEntries(Object.entries(line).filter(([column]) => column.startsWith(prefix)));

function userOf(line: Line): LoggedUser {
  const features = only(line, 'user_feature_');
  return { customerUserId: createHash('sha256').update(JSON.stringify(features)).digest('hex').slice(0, 32), features };
}

function readLines(...path: string[]): Line[] {
  const file = new URL(`../../fixtures/open-bandit/${path.join('/')}`, import.meta.url);
  return parseLines(gunzipSync(readFileSync(file)).toString());
}

/** @param limit rows from the beginning of the file */
export function readBanditLog(name: LogName, limit = Infinity): BanditLog {
  const [campaign = '', policy = ''] = name.split('-');
  const lines = readLines(policy, campaign, `${campaign}.csv.gz`).slice(0, limit);
  const users = new Map<string, LoggedUser>();
  const rows = lines.map((line) => {
    const seen = userOf(line);
    const user = users.get(seen.customerUserId) ?? seen;
    users.set(user.customerUserId, user);
    return { user, position: line['position'] ?? '', clicked: line['click'] === '1' };
  });
  const items = readLines(policy, campaign, 'item_context.csv.gz').map((line) => ({
    id: line['item_id'] ?? '',
    features: only(line, 'item_feature_'),
  }));
  return { name, items, users: [...users.values()], rows };
}
