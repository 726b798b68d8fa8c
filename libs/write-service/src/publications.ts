import { sizeOf, type OutgoingMessage } from '@paywright/messaging';

/** What is published at once: many, as each publication is waited for; but no more than there should be in memory. */
const bounds = { messages: 1_000, bytes: 16 * 1024 * 1024 };

/** The messages in their order, as many at once as the bounds allow; one above them alone. */
export async function* publications(
  messages: AsyncIterable<readonly OutgoingMessage[]>,
): AsyncGenerator<readonly OutgoingMessage[]> {
  let held: OutgoingMessage[] = [];
  let heldBytes = 0;
  for await (const some of messages)
    for (const message of some) {
      const bytes = sizeOf(message);
      if (held.length > 0 && (held.length === bounds.messages || heldBytes + bytes > bounds.bytes)) {
        yield held;
        [held, heldBytes] = [[], 0];
      }
      held.push(message);
      heldBytes += bytes;
    }
  if (held.length > 0) yield held;
}
