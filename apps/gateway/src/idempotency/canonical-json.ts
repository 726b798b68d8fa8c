import { createHash } from 'node:crypto';

/** An array or object that is being written: how far it is. `names` is null for an array. */
interface Opened {
  readonly names: readonly string[] | null;
  readonly values: readonly unknown[];
  written: number;
}

/**
 * One text for all spellings of a JSON value: keys in order, no white space, numbers as JavaScript has them.
 * Walks without recursion: a body of 1 MiB may be half a million arrays deep.
 * @param value as `JSON.parse` made it
 */
export function canonicalJson(value: unknown): string {
  const opened: Opened[] = [];
  let text = '';
  const write = (next: unknown) => {
    const container = open(next);
    if (container === null) text += scalarText(next);
    else {
      text += container.names === null ? '[' : '{';
      opened.push(container);
    }
  };
  write(value);
  for (let last = opened.at(-1); last !== undefined; last = opened.at(-1)) {
    const { names, values, written } = last;
    if (written === values.length) {
      text += names === null ? ']' : '}';
      opened.pop();
      continue;
    }
    if (written > 0) text += ',';
    if (names !== null) text += `${JSON.stringify(names[written])}:`;
    last.written += 1;
    write(values[written]);
  }
  return text;
}

/** SHA-256 of the canonical text: the same for two bodies that are equal as JSON. */
export const fingerprintOf = (body: unknown): Buffer => createHash('sha256').update(canonicalJson(body)).digest();

function open(value: unknown): Opened | null {
  if (Array.isArray(value)) return { names: null, values: value, written: 0 };
  if (typeof value !== 'object' || value === null) return null;
  const names = Object.keys(value).sort();
  return { names, values: names.map((name): unknown => Reflect.get(value, name)), written: 0 };
}

/** A number too large for a double is infinite: JSON.stringify would make it null. */
const scalarText = (value: unknown) => (typeof value === 'number' ? String(value) : JSON.stringify(value));
