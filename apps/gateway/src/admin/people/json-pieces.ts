/** Enough that a piece is worth a write, and little beside what is read for it. */
const pieceLength = 64 * 1024;

/** A member of a JSON document that is too long for one text: a value, or a list that is read as it is written. */
export type Member = { readonly value: unknown } | { readonly list: AsyncIterable<unknown> };

/**
 * A JSON object in pieces of some 64 KiB.
 * @throws what a list throws: then the pieces so far are no JSON
 */
export async function* jsonPieces(members: Readonly<Record<string, Member>>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts(members)) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* texts(members: Readonly<Record<string, Member>>): AsyncGenerator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(members)) {
    yield `${before}${JSON.stringify(name)}:`;
    if ('value' in member) yield JSON.stringify(member.value);
    else yield* listTexts(member.list);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

async function* listTexts(list: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const entry of list) {
    yield before + JSON.stringify(entry);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
