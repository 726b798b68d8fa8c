import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FreezeModel } from '@paywright/contracts';
import { createLogger, Lifecycle, loadConfig, ManualClock, Metrics, noTracer } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { gatewayConfig } from './config.ts';
import { openGateway, type OpenGateway } from './open-gateway.ts';

/** Runs the steps without the process's end. */
class Ending extends Lifecycle {
  readonly #steps: (() => Promise<void>)[] = [];

  override onShutdown(_name: string, run: () => Promise<void>): void {
    this.#steps.push(run);
  }

  async run(): Promise<void> {
    for (const step of this.#steps) await step();
  }
}

const logger = createLogger({ service: 'test', level: 'error' }, { write: () => undefined });

/** More than a command client awaits by itself. */
const maxInFlight = 2_100;

const hour = 3_600_000;

let database: TestDatabase;
let gateway: OpenGateway;
beforeAll(async () => {
  database = await testDatabase('read-model');
  await database.addSchema('gateway', 'gateway');
  await database.addSchema('store_credentials', 'store-credentials');
  const config = loadConfig(gatewayConfig, {
    DATABASE_URL: database.url,
    KAFKA_BROKERS: 'nowhere:9092',
    MASTER_KEY: 'm'.repeat(32),
    MAX_IN_FLIGHT: String(maxInFlight),
  });
  // Its machine's clock shows 1970.
  gateway = openGateway({ config, clock: new ManualClock(0), logger, metrics: new Metrics(), tracer: noTracer });
});
afterAll(async () => {
  const ending = new Ending(logger);
  gateway.closeWith(ending);
  await ending.run();
  await database[Symbol.asyncDispose]();
});

it('measures each of its pools', async () => {
  const text = await gateway.parts.metrics.text();
  const measured = [...text.matchAll(/database_waiting_queries\{pool="([^"]+)"/g)].map(([, pool]) => pool);
  expect(measured.sort()).toEqual(['gateway', 'read-model', 'reports', 'store-credentials']);
});

it('awaits the replies of as many requests as may be in flight, so that none is refused for another’s sake', async () => {
  const body = { model: 'main', isFrozen: true };
  const send = (id: number) =>
    gateway.parts.commands.send(FreezeModel, { id: `${id}`, appId: 1, key: 'ann', body, deadlineMs: 1 }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
  const outcomes = await Promise.all(Array.from({ length: maxInFlight + 1 }, (_, id) => send(id)));
  const refused = outcomes.flatMap((outcome, id) => (outcome.includes('too many replies') ? [id] : []));
  expect(refused).toEqual([maxInFlight]);
});

it('does not start under a key that made none of the profile ids; its clock is the database’s by then', async () => {
  const { clock } = gateway.parts;
  expect(clock.now()).toBe(0);
  await database.pool.query(
    `insert into profile_personal values ('5c0ffee0-0000-8000-8000-000000000000', 1, 1, '{}', 'ann')`,
  );
  const stopping = new AbortController();
  const started = gateway.start(stopping.signal);
  await expect(started).rejects.toThrow(
    'MASTER_KEY: is not the key that the profile ids in this database were made with',
  );
  stopping.abort();
  const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  expect(Math.abs(clock.now() - rows[0]!.now.getTime())).toBeLessThan(hour);
});

it('knows what was done to a model though reports hold all of their connections', async () => {
  const { models, reports } = gateway.parts;
  const writer = await database.pool.connect();
  await writer.query('begin');
  await writer.query('lock table ledger_entry in access exclusive mode');
  const asked = [1, 2].map(() => reports.ofPlacement({ appId: 1, placementId: 'onboarding', from: 0, to: 1 }));
  try {
    expect(await models.version({ appId: 1, model: 'main' })).toBe(0);
    expect(await models.changes({ appId: 1, model: 'main' })).toEqual([]);
  } finally {
    await writer.query('rollback');
    writer.release();
    expect(await Promise.all(asked)).toEqual([[], []]);
  }
});
