import type { Writable } from 'node:stream';

/**
 * Lets a stream send what is written to it in one turn of the event loop with one system call. Of statements that are
 * pipelined each would cost its own, and wake the server once more.
 */
export function gatherWrites(stream: Writable): void {
  const write = stream.write.bind(stream);
  let gathering = false;
  const gather = () => {
    if (gathering) return;
    gathering = true;
    stream.cork();
    // Behind the microtasks that are due: what they ask for goes with it.
    queueMicrotask(() =>
      process.nextTick(() => {
        gathering = false;
        stream.uncork();
      }),
    );
  };
  stream.write = new Proxy(write, {
    apply: (_write, _stream, parameters: Parameters<typeof write>) => {
      gather();
      return write(...parameters);
    },
  });
}
