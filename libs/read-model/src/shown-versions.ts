/** What the read model shows has versions: those of streams, and those of personal records. */
export type ShownKind = 'profile' | 'personal' | 'app' | 'chain';

/** Versions that a commit made visible, by profile id, app id or chain id. */
export interface ShownVersions {
  readonly kind: ShownKind;
  readonly versions: ReadonlyMap<string, number>;
}

/** Postgres takes 7,999 bytes for a notification; keys and versions are ASCII. */
const maxLength = 7_900;

const kinds: ReadonlySet<string> = new Set<ShownKind>(['profile', 'personal', 'app', 'chain']);
const isKind = (text: string): text is ShownKind => kinds.has(text);

/** As texts of notifications, as many as it takes: `chain 5f…:3 77…:12`. */
export function notificationsOf({ kind, versions }: ShownVersions): readonly string[] {
  const texts: string[] = [];
  let text = '';
  for (const [key, version] of versions) {
    const entry = ` ${key}:${version}`;
    if (text.length + entry.length > maxLength) texts.push(text);
    if (text === '' || text.length + entry.length > maxLength) text = kind;
    text += entry;
  }
  return text === '' ? texts : [...texts, text];
}

/** @returns null for a text that tells no versions: whoever waits has to look */
export function readNotification(text: string): ShownVersions | null {
  const [kind = '', ...entries] = text.split(' ');
  if (!isKind(kind)) return null;
  const versions = new Map<string, number>();
  for (const entry of entries) {
    const colon = entry.lastIndexOf(':');
    versions.set(entry.slice(0, colon), Number(entry.slice(colon + 1)));
  }
  return { kind, versions };
}
