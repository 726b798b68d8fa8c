/** Field names whose values no log line shows, in lower case: personal ones, and what opens something. */
const hiddenNames = new Set([
  'authorization',
  'cookie',
  'customeruserid',
  'appuserid',
  'email',
  'phone',
  'username',
  'gender',
  'idfa',
  'advertisingid',
  'ip',
  'ipaddress',
  'birthday',
  'age',
  'password',
  'secret',
  'secretkey',
  'token',
  'admintoken',
  'purchasetoken',
  'paywallsessionid',
  'masterkey',
  'master_key',
  'admin_tokens',
  'database_url',
]);

const hidden = '[hidden]';
const maxDepth = 8;

/**
 * The fields as a log line may show them: at any depth, values under hidden names are replaced, bytes become
 * their number, and an error keeps type, code, message, stack and cause alone (a database's error carries
 * the rows it refused).
 */
export function redact(fields: object): Record<string, unknown> {
  return redactEntries(fields, 0);
}

function redactEntries(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      hiddenNames.has(name.toLowerCase()) && value !== null && value !== undefined ? hidden : redactValue(value, depth),
    ]),
  );
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[deep]';
  if (value instanceof Error) return redactError(value, depth + 1);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1));
  return redactEntries(value instanceof Map ? entriesOf(value) : value, depth + 1);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error && { code: error.code };
  const cause = error.cause !== undefined && { cause: redactValue(error.cause, depth) };
  return { type: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}

const entriesOf = (map: ReadonlyMap<unknown, unknown>): object =>
  Object.fromEntries([...map].map(([key, value]) => [String(key), value]));
