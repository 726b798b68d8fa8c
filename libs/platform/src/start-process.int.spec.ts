import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '@paywright/deploy/local/free-ports.ts';
import { z } from 'zod';
import { forkScript } from './testing/forked-script.ts';
import { startOtlpCollector } from './testing/otlp-collector.ts';

const script = fileURLToPath(new URL('./testing/started-process.ts', import.meta.url));
const Ready = z.object({ type: z.literal('ready'), management: z.url(), gateway: z.string() });

const run = (scenario: string, environment: NodeJS.ProcessEnv = {}) =>
  forkScript(script, scenario, { NODE_ENV: 'test', MANAGEMENT_PORT: '0', ...environment });

async function started(environment: NodeJS.ProcessEnv = {}) {
  const forked = run('orderly', environment);
  const ready = Ready.parse(await forked.message);
  const health = async () => {
    const answer = await fetch(`${ready.management}/health/ready`);
    return [answer.status, await answer.json()];
  };
  return { ...forked, ready, health };
}

describe('startProcess', () => {
  it('says that it is ready, and where it is reached, once its parts have started', async () => {
    const { child, ready, health, end } = await started();
    expect(ready).toMatchObject({ gateway: 'http://127.0.0.1:1' });
    expect(await health()).toEqual([200, { status: 'ready', checks: { lifecycle: true, part: true } }]);
    child.kill('SIGTERM');
    child.send('close');
    const { code, said, logged } = await end();
    expect([code, said]).toEqual([0, ['open', 'start 0 s ahead', 'closing', 'closed']]);
    const { management, gateway } = ready;
    expect(logged).toMatchObject([
      { service: 'started', message: 'Ready', management, gateway },
      { message: 'Stopping', reason: 'SIGTERM' },
    ]);
  });

  it('names the variable of a port that somebody else has, and of an address that is another machine’s', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const taken = await run('orderly', { MANAGEMENT_PORT: String(port) }).end();
    server.close();
    const elsewhere = await run('orderly', { MANAGEMENT_HOST: '192.0.2.1' }).end();

    expect(taken).toMatchObject({ code: 1, said: [] });
    expect(taken.logged).toMatchObject([
      { level: 'error', message: expect.stringContaining('MANAGEMENT_PORT: is taken') },
    ]);
    expect(elsewhere.logged).toMatchObject([{ message: expect.stringContaining('MANAGEMENT_HOST: is no address') }]);
    expect(elsewhere.logged[0]).not.toHaveProperty('error');
  });

  it('tells of its health until its parts are closed, and sends what they recorded last', async () => {
    await using collector = await startOtlpCollector();
    const OTEL_TRACES_SAMPLER_ARG = '1';
    const { child, health, end } = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG,
    });
    child.kill('SIGTERM');
    while ((await health())[0] === 200);
    expect(await health()).toEqual([503, { status: 'not ready', checks: { lifecycle: 'shutting down', part: true } }]);
    expect(collector.spans).toEqual([]);
    child.send('close');
    expect(await end()).toMatchObject({ code: 0 });
    expect(collector.spans).toMatchObject([{ name: 'work', service: 'started' }]);
    await expect(health()).rejects.toThrow();
  });

  it('lives, and is not ready, while it waits for what it needs', async () => {
    const port = await freePort();
    const { child, message, end } = run('waits', { MANAGEMENT_PORT: String(port) });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}/health/${path}`);
    while (!(await ask('live').catch(() => null))?.ok);
    const answer = await ask('ready');
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'not ready', checks: { lifecycle: 'starting' } },
    ]);
    child.send('go on');
    await message;
    expect((await ask('ready')).status).toBe(200);
    child.kill('SIGTERM');
    child.send('close');
    expect(await end()).toMatchObject({ code: 0 });
  });

  it('ends in order when it is told to while it waits', async () => {
    const port = await freePort();
    const { child, end } = run('waits', { MANAGEMENT_PORT: String(port) });
    while (!(await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null))?.ok);
    child.kill('SIGTERM');
    expect(await end()).toMatchObject({ code: 0, said: ['open'] });
  });

  it.each([
    ['waits to start', 'what it waited for came while it closed'],
    ['waits to start, and fails', 'what it needs was closed under it'],
  ])('closes all that it opened when it is told to while it %s: %s', async (scenario) => {
    const { child, says, end } = run(scenario);
    await says('start 0 s ahead');
    child.kill('SIGTERM');
    await says('closing');
    child.send('close');
    const { code, said, logged } = await end();
    expect([code, said]).toEqual([0, ['open', 'start 0 s ahead', 'closing', 'closed']]);
    expect(logged).toMatchObject([{ message: 'Stopping' }]);
  });

  it('starts its parts only when the clock is right', async () => {
    const simulator = createServer((_request, response) => void response.end(JSON.stringify({ offset: 86_400_000 })));
    simulator.listen(0, '127.0.0.1');
    await once(simulator, 'listening');
    const address = simulator.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { child, end } = await started({ SIMULATION_URL: `http://127.0.0.1:${port}` });
    child.kill('SIGTERM');
    child.send('close');
    expect((await end()).said).toContain('start 86400 s ahead');
    simulator.close();
    simulator.closeAllConnections();
  });

  it('warns of a variable that is nearly one of its own, which is not set', async () => {
    const { child, end } = await started({ MANAGEMENT_HOTS: '0.0.0.0' });
    child.kill('SIGTERM');
    child.send('close');
    const message = 'MANAGEMENT_HOTS is set, and nothing reads it. Is MANAGEMENT_HOST meant, which is not set?';
    expect((await end()).logged[0]).toMatchObject({ level: 'warn', service: 'started', message });
  });

  it.each([
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['SIMULATION_URL', { NODE_ENV: 'production', SIMULATION_URL: 'http://127.0.0.1:1' }],
  ])('opens nothing where %s is wrong, and names it in one line of the log', async (variable, environment) => {
    const { code, said, logged, errors } = await run('orderly', environment).end();
    expect([code, said, errors]).toEqual([1, [], '']);
    const message = expect.stringMatching(`^The configuration is not valid:\n  ${variable}: `);
    expect(logged).toMatchObject([{ level: 'error', service: 'started', message }]);
    expect(logged[0]).not.toHaveProperty('error');
  });

  it.each([
    ['open', 'finds a variable wrong', ['open']],
    ['start', 'finds a variable wrong as it starts', ['open', 'start 0 s ahead']],
  ])(
    'names in one line of the log a variable that is found wrong while the parts %s',
    async (_, scenario, expected) => {
      const { code, said, logged, errors } = await run(scenario).end();
      expect([code, said, errors]).toEqual([1, expected, '']);
      const message = 'The configuration is not valid:\n  KAFKA_SASL_USERNAME: is needed';
      expect(logged).toMatchObject([{ level: 'error', service: 'started', message }]);
      expect(logged[0]).not.toHaveProperty('error');
    },
  );

  it.each([
    ['fails to open', ['open'], 'MASTER_KEY is too short'],
    ['fails to start', ['open', 'start 0 s ahead'], 'The database does not answer'],
  ])('ends with 1 when a part %s, and says why', async (scenario, expected, message) => {
    const { code, said, logged } = await run(scenario).end();
    expect([code, said]).toEqual([1, expected]);
    expect(logged).toMatchObject([{ level: 'error', error: { message } }]);
  });
});
