import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { gatherWrites } from './gathered-writes.ts';

/** A stream that notes what each of its system calls would send. */
function gathered() {
  const calls: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, callback) => (calls.push(String(chunk)), callback()),
    writev: (chunks, callback) => (calls.push(chunks.map(({ chunk }) => String(chunk)).join('')), callback()),
  });
  gatherWrites(stream);
  return { stream, calls };
}

describe('gatherWrites', () => {
  it('sends at once what is written in one turn, microtasks included, in its order', async () => {
    const { stream, calls } = gathered();
    stream.write('a');
    stream.cork();
    stream.write('b');
    stream.uncork();
    await Promise.resolve();
    stream.write('c');
    expect(calls).toEqual([]);
    await nextTurn();
    expect(calls).toEqual(['abc']);
  });

  it('sends what another turn writes by itself', async () => {
    const { stream, calls } = gathered();
    for (const text of ['a', 'b']) {
      stream.write(text);
      stream.write(text);
      await nextTurn();
    }
    expect(calls).toEqual(['aa', 'bb']);
  });

  it('loses nothing to an end, and tells of a stream that broke', async () => {
    const { stream, calls } = gathered();
    stream.write('a');
    stream.end('b');
    await nextTurn();
    expect(calls).toEqual(['ab']);

    const broken = gathered().stream;
    const failed = new Promise((resolve) => broken.write('a', resolve));
    broken.destroy();
    expect(await failed).toMatchObject({ code: 'ERR_STREAM_DESTROYED' });
  });
});
