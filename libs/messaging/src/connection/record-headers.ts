import type { ByteReader } from './byte-reader.ts';

/** How long the names are that are remembered, in bytes, and how many of a length: others' names cannot fill the memory. */
const longestName = 32;
const namesOfLength = 8;
/** By their length in bytes. */
const knownNames = Array.from({ length: longestName + 1 }, (): string[] => []);

/**
 * The headers of a record. Where a name is given twice the last one counts; one without a value, which kafkajs's types do not
 * tell of, is as good as absent.
 */
export function readHeaders(reader: ByteReader): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const count = reader.varint();
  for (let read = 0; read < count; read++) {
    const name = readName(reader);
    const length = reader.varint();
    if (length < 0) delete headers[name];
    else headers[name] = reader.text(length);
  }
  return headers;
}

/** The few names that there are come again and again: one that is known is not made anew. */
function readName(reader: ByteReader): string {
  const length = reader.varint();
  const known = knownNames[length];
  const found = known?.find((name) => isNext(reader, name));
  if (found !== undefined) {
    reader.at += length;
    return found;
  }
  const name = reader.text(length);
  if (known && known.length < namesOfLength) known.push(name);
  return name;
}

/** Whether the bytes to read next are that text, where each of its characters is one byte. */
function isNext({ bytes, at }: ByteReader, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character !== bytes[at + index] || character >= 0x80) return false;
  }
  return true;
}
