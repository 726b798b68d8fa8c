import { setImmediate as turn } from 'node:timers/promises';
import { HandledOffsets } from '../consumer/handled-offsets.ts';
import { KeyDispatcher } from '../consumer/key-dispatcher.ts';
import { received } from './messages.ts';

/** What is kept of what was handled, in bytes of the heap each, as a process of its own tells it that has nothing else. */
export interface KeptMemory {
  /** Of an offset that is handled behind one that is not. */
  readonly anOffset: number;
  /** Of a key. */
  readonly aKey: number;
}

const offsets = 50_000;
const keys = 2_000;

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function keptOfOffsets(): number {
  const handled = new HandledOffsets();
  const messagesFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => received({ offset: String(first + index), value: null }));
  handled.received(0, messagesFrom(0, 1));
  const before = heapUsed();
  for (let first = 1; first < offsets; first += 1_000) {
    const messages = messagesFrom(first, 1_000);
    handled.received(0, messages);
    handled.handled(0, messages);
  }
  const kept = heapUsed() - before;
  handled.handled(0, messagesFrom(0, 1)); // so it is there until now
  return kept / offsets;
}

async function keptOfKeys(): Promise<number> {
  const dispatcher = new KeyDispatcher({ begin: async () => undefined, most: 10, onHandled: () => undefined });
  const before = heapUsed();
  for (let offset = 0; offset < keys; offset++) {
    const messages = [received({ key: `key ${offset}`, offset: String(offset), value: null })];
    dispatcher.add({ topic: 'topic', partition: 0, messages });
  }
  while (dispatcher.waitingBytes(0) > 0) await turn();
  const kept = heapUsed() - before;
  await dispatcher.stop();
  return kept / keys;
}

const told: KeptMemory = { anOffset: keptOfOffsets(), aKey: await keptOfKeys() };
process.send?.(told);
