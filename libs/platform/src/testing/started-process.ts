import { once } from 'node:events';
import { z } from 'zod';
import { ConfigurationError, serviceConfig, startProcess, tracingConfig } from '../index.ts';

/** A process for start-process.int.spec.ts: says on standard output what becomes of it, and is closed when it is told to. */
const config = z.object({ ...serviceConfig, ...tracingConfig });
const say = (text: string) => void process.stdout.write(`${text}\n`);
const scenario = process.argv[2];

await startProcess({
  name: 'started',
  config,
  open: async ({ clock, tracer }) => {
    say('open');
    if (scenario === 'waits') await once(process, 'message');
    if (scenario === 'fails to open') throw new Error('MASTER_KEY is too short');
    if (scenario === 'finds a variable wrong')
      throw new ConfigurationError([{ variable: 'KAFKA_SASL_USERNAME', problem: 'is needed' }]);
    let works = false;
    const span = tracer.start('work', { kind: 'internal', parent: null });
    return {
      checks: [{ name: 'part', ready: () => works || 'not started' }],
      start: async () => {
        say(`start ${Math.round((clock.now() - clock.machineNow()) / 1000)} s ahead`);
        if (scenario?.startsWith('waits to start')) await once(process, 'message');
        if (scenario === 'finds a variable wrong as it starts')
          throw new ConfigurationError([{ variable: 'KAFKA_SASL_USERNAME', problem: 'is needed' }]);
        if (scenario === 'fails to start') throw new Error('The database does not answer');
        if (scenario === 'waits to start, and fails')
          throw new Error('Cannot use a pool after calling end on the pool');
        works = true;
      },
      closeWith: (lifecycle) => {
        lifecycle.onShutdown('part', async () => {
          say('closing');
          await once(process, 'message');
          span?.end();
        });
        lifecycle.onShutdown('what the part needs', async () => say('closed'));
      },
      addresses: async () => ({ gateway: 'http://127.0.0.1:1' }),
    };
  },
});
