import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppSnapshot, topics } from '@paywright/contracts';
import type { ReceivedMessage } from '@paywright/messaging/topics';
import { deriveKey } from '@paywright/platform';
import { uniform } from '@paywright/selection-engine';
import { ModelControlRecord } from '@paywright/selection-models';
import { SessionTokens } from '@paywright/session-token';
import { acknowledgedWrites, newHistory, type History } from './history.ts';
import { violations } from './invariants.ts';
import { Load } from './load.ts';
import { observe } from './observe.ts';
import { append, recordsOf, recordsOfAll } from '../stack/raw-topics.ts';
import { adminToken, masterKey, services, Stack, type Service } from '../stack/stack.ts';
import { untilCommandsAreHandled } from '../torture/at-rest.ts';

const seed = process.env['FAULT_SEED'] ?? 'paywright';
const clients = 8;
const patient = 180_000;

let stack: Stack;

beforeAll(async () => {
  // Which answers come, and not how soon: a busy machine takes its time while members come and go.
  stack = await Stack.start('info', { WRITE_DEADLINE_MS: '8000' });
}, patient);
afterAll(() => stack?.stop(), patient);

const tokens = new SessionTokens([{ id: 1, secret: deriveKey(masterKey, 'session-token') }]);

function decisionOf(paywallSessionId: string): { decisionId: string; paywallId: number } {
  const verification = tokens.verify(paywallSessionId);
  if (!verification.ok) throw new Error(`The gateway gave a token that does not verify: ${verification.fault}`);
  return verification.claims;
}

/** Runs clients while `nemesis` does its worst, and behind that until there is something to lose. */
async function underLoad(nemesis: (load: Load) => Promise<void>): Promise<History> {
  const history = newHistory(stack.app.appId);
  const target = {
    gateways: () => stack.gateways,
    secretKey: stack.app.secretKey,
    placementId: 'onboarding',
    decisionOf,
  };
  const load = new Load(target, history, clients);
  try {
    await sleep(500);
    await nemesis(load);
    await sleep(500);
    await until(async () => acknowledgedWrites(history) >= clients);
  } finally {
    await load.stop();
  }
  return history;
}

async function violationsOf(history: History): Promise<readonly string[]> {
  await untilCommandsAreHandled(stack);
  return [...stack.takeDeaths(), ...violations(history, await observe(stack))];
}

/** Nothing acknowledged is lost, nothing is doubled. */
async function expectNothingLost(history: History): Promise<void> {
  expect(await violationsOf(history)).toEqual([]);
  // Whatever befell the broker: a log that passes for shorter is read from its beginning.
  expect(timesLogged('A partition ends before what was read of it').before).toBe(0);
}

/** How often the services had logged the words by now, and have when it is asked. */
function timesLogged(words: string) {
  const now = () => stack.logs().split(words).length - 1;
  return { before: now(), now };
}

const readinessOf = async (service: Service): Promise<number> =>
  (await fetch(`${String(stack.managementOf(service))}/health/ready`)).status;

const appending = { profile: 'after_append', selection: 'after_append', impression: 'after_append' } as const;

/** A moment of the run, between 0 and 1 s, that the seed decides. */
const moment = (purpose: string) => sleep(Math.round(1_000 * uniform(seed, purpose)));

describe('with every service once', () => {
  it(
    'loses and doubles nothing without a fault, and answers everything',
    async () => {
      const history = await underLoad(() => sleep(1_500));
      await expectNothingLost(history);
      expect([...history.statuses.keys()].filter((status) => status === 'no answer' || status >= 400)).toEqual([]);
    },
    patient,
  );

  it.each<Service>(['profile', 'selection', 'impression', 'projection', 'catalog', 'gateway'])(
    'loses and doubles nothing when %s is killed at random moments',
    async (service) => {
      const history = await underLoad(async () => {
        for (const strike of [1, 2]) {
          await moment(`${service}/${strike}`);
          await stack.killService(service);
          await stack.startService(service);
        }
      });
      await expectNothingLost(history);
    },
    patient,
  );

  // Those of a run go by different streams. Each dies of its first work and is started again, whatever befalls the others.
  it.each<[string, Partial<Record<Service, string>>]>([
    ['of each that writes, once it has stored events', appending],
    [
      'of impression, once it has published, and of projection, once it has committed',
      { impression: 'after_publish', projection: 'after_projection_commit' },
    ],
  ])(
    'loses and doubles nothing by a crash %s',
    async (_, failpoints) => {
      const dying = Object.entries(failpoints) as [Service, string][];
      await Promise.all(dying.map(([service, failpoint]) => stack.restartService(service, { FAILPOINT: failpoint })));
      const history = await underLoad(async () => {
        const again = dying.map(async ([service]) => {
          await stack.serviceDeath(service);
          await stack.startService(service);
        });
        await Promise.all(again);
      });
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'decides a command once that is delivered twice',
    async () => {
      const history = await underLoad(() => sleep(1_000));
      await deliverCommandsAgain();
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'applies an event once that is published twice',
    async () => {
      const history = await underLoad(() => sleep(1_000));
      for (const [topic, records] of await recordsOfAll(stack, [
        topics.profileEvents,
        topics.selectionEvents,
        topics.impressionEvents,
      ]))
        await append(stack, topic, records.slice(-500));
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'loses and doubles nothing when Postgres crashes',
    async () => {
      const history = await underLoad(async () => {
        await moment('postgres');
        await stack.killPostgres();
        await stack.startPostgres();
        await sleep(2_000);
      });
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'loses and doubles nothing when the broker crashes',
    async () => {
      const history = await underLoad(async () => {
        await moment('kafka');
        await stack.killKafka();
        await stack.startKafka();
        await sleep(6_000);
      });
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'is ready at the gateway, which serves Baseline, while no broker takes a connection',
    async () => {
      const history = await underLoad(async (load) => {
        await stack.killKafka();
        await until(async () => (await readinessOf('selection')) === 503);
        const { requests } = load;
        await until(async () => load.requests > requests);
        expect(await readinessOf('gateway')).toBe(200);
        await stack.startKafka();
        await until(async () => (await readinessOf('selection')) === 200);
      });
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'outlives a broker that is stopped in order, and waits for broker and database where it starts meanwhile',
    async () => {
      const history = await underLoad(async () => {
        await stack.killKafka('SIGTERM');
        await stack.killPostgres();
        // Not the gateway: it keeps in memory what it showed while the broker is away (docs/faults.md).
        const lost = ['profile', 'projection'] as const;
        await Promise.all(lost.map((service) => stack.killService(service)));
        const waits = ['The database does not answer yet', 'No broker answers yet'].map((words) => timesLogged(words));
        const starts = Promise.all(lost.map((service) => stack.startService(service)));
        await until(async () => waits.every((times) => times.now() > times.before));
        await Promise.all([stack.startPostgres(), stack.startKafka()]);
        await starts;
        expect(services.filter((service) => stack.processOf(service) === undefined)).toEqual([]);
      });
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'puts a poison command into the dead letters with its reason, and goes on with all others',
    async () => {
      const history = await underLoad(async () => {
        const poison = {
          key: 'poisoned',
          headers: { id: 'poison', type: 'SaveProfile', version: '1' },
          value: Buffer.from('{'),
        };
        await append(
          stack,
          topics.profileCommands,
          Array.from({ length: 12 }, (_, n) => ({ ...poison, key: `poisoned ${n}` })),
        );
        await sleep(1_500);
      });
      await expectNothingLost(history);
      expect([...history.statuses.keys()].filter((status) => status === 'no answer' || status >= 400)).toEqual([]);
      const letters = (await recordsOf(stack, 'profile.dead-letter')).filter(({ key }) => key?.startsWith('poisoned'));
      expect(letters).toHaveLength(12);
      for (const { headers, value } of letters) {
        expect(headers['dead-letter-reason']).toEqual(expect.stringMatching(/\w+/));
        expect(value?.length ?? 0).toBe(0);
      }
    },
    patient,
  );

  it(
    'parks a poison event with its key, and applies all others',
    async () => {
      const history = await underLoad(async () => {
        const key = '00000000-0000-4000-8000-000000000001';
        const headers = {
          ce_specversion: '1.0',
          ce_id: key,
          ce_type: 'ProfileCreated.v99',
          ce_subject: key,
          ce_streamversion: '1',
        };
        await append(stack, topics.profileEvents, [{ key, headers, value: Buffer.from('{}') }]);
        await sleep(1_000);
      });
      await expectNothingLost(history);
      const letters = await recordsOf(stack, 'projection.dead-letter');
      expect(letters.map(({ headers }) => headers['ce_type'])).toContain('ProfileCreated.v99');
    },
    patient,
  );

  it(
    'lets compaction keep an app as it is now, though a former owner tells it as it was before a key’s revocation',
    async () => {
      const { appId } = stack.app;
      const { id: keyId } = await adminCall('POST', `/apps/${appId}/keys`, { kind: 'secret' });
      const former = await lastSnapshot(appId);
      await adminCall('DELETE', `/apps/${appId}/keys/${String(keyId)}`);
      const newest = versionOf(await lastSnapshot(appId));
      expect(versionOf(former)).toBeLessThan(newest);
      await append(stack, topics.catalogSnapshots, [former]);
      await until(async () => versionOf(await lastSnapshot(appId)) === newest);
    },
    patient,
  );

  it(
    'lets compaction keep a model’s AI share as a person set it, though a former owner tells it as it was before',
    async () => {
      const { appId } = stack.app;
      const model = snapshotOf(await lastSnapshot(appId)).document.models[0]?.id ?? '';
      const share = (aiShare: number) => adminCall('PUT', `/apps/${appId}/models/${model}/ai-share`, { aiShare });
      await share(0.5);
      const former = await lastControl(appId, model);
      await share(0);
      const newest = controlOf(await lastControl(appId, model));
      expect(newest).toMatchObject({ aiShare: 0 });
      const log = await recordsOf(stack, topics.selectionLearning);
      await append(stack, topics.selectionModels, [former]);
      await until(async () => controlOf(await lastControl(appId, model)).aiShare === 0);
      expect(controlOf(await lastControl(appId, model))).toEqual(newest);
      const controls = (records: typeof log) =>
        records.filter(({ value }) => String(value).includes('"control"')).length;
      expect(controls(await recordsOf(stack, topics.selectionLearning))).toBe(controls(log));
    },
    patient,
  );
});

/** @throws if it does not come to be so in a minute and a half */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 90_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It did not come to be so.');
    await sleep(200);
  }
}

async function adminCall(
  method: string,
  path: string,
  body?: object,
  gateway = stack.gateways[0],
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${adminToken}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${gateway}/admin/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

const lastSnapshot = (appId: number) => lastOf(topics.catalogSnapshots, String(appId));
const lastControl = (appId: number, model: string) => lastOf(topics.selectionModels, `${appId}/${model}/control`);

/** What compaction leaves of a key. */
async function lastOf(topic: string, wanted: string): Promise<ReceivedMessage> {
  const records = await recordsOf(stack, topic);
  const last = records.findLast(({ key }) => key === wanted);
  if (!last) throw new Error(`No record of ${topic} tells of ${wanted}.`);
  return last;
}

const snapshotOf = ({ value }: ReceivedMessage) => AppSnapshot.parse(JSON.parse(String(value)));
const versionOf = (message: ReceivedMessage) => snapshotOf(message).version;
const controlOf = ({ value }: ReceivedMessage) => ModelControlRecord.parse(JSON.parse(String(value)));

describe('with every service twice', () => {
  const twice: readonly Service[] = ['profile', 'catalog', 'selection', 'impression', 'projection'];
  /** It stays for all that follows. */
  const withSecondGateway = async () => {
    if (stack.processOf('gateway', 1) === undefined) await stack.startService('gateway', 1);
  };
  afterAll(() => stack?.stopService('gateway', 1));

  it(
    'loses no reply while members come and go, and loses and doubles nothing',
    async () => {
      const history = await underLoad(async () => {
        for (const service of twice) await stack.startService(service, 1);
        await withSecondGateway();
        await sleep(1_000);
        for (const service of twice) await stack.stopService(service, 1);
      });
      await expectNothingLost(history);
      expect([...history.statuses.keys()].filter((status) => status === 'no answer' || status >= 400)).toEqual([]);
    },
    patient,
  );

  it(
    'loses and doubles nothing when one of each is killed',
    async () => {
      await Promise.all([withSecondGateway(), ...twice.map((service) => stack.startService(service, 1))]);
      const history = await underLoad(async () => {
        for (const service of twice) {
          await moment(`twice/${service}`);
          await stack.killService(service, 1);
        }
      });
      await expectNothingLost(history);
    },
    patient,
  );

  it(
    'gives whoever is new a paywall, through any gateway, while nothing is folded in, and forgets them when it is told to',
    async () => {
      await withSecondGateway();
      await stack.stopService('projection');
      try {
        const [one, other] = [0, 1].map((instance) => stack.addressesOf('gateway', instance).gateway);
        const post = async (gateway: string | undefined, path: string, body: object) => {
          const headers = { authorization: stack.app.secretKey, 'content-type': 'application/json' };
          const answer = await fetch(`${gateway}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
          return { status: answer.status, data: ((await answer.json()) as { data?: Record<string, unknown> }).data };
        };
        const device = { device: 'Pixel 11', os: 'Android 17', platform: 'android', appVersion: '1.0' };
        const created = await post(one, '/v2/profiles', { country: 'DE', appUserId: 'nobody knows me', ...device });
        expect(created).toMatchObject({ status: 201, data: { appUserId: 'nobody knows me' } });
        const profileId = created.data?.['profileId'];
        const paywall = () => post(other, '/v2/paywall', { profileId, placementId: 'onboarding' });
        expect((await paywall()).status).toBe(200);

        await stack.startService('projection');
        await adminCall('DELETE', `/apps/${stack.app.appId}/profiles/${String(profileId)}`);
        expect((await paywall()).status).toBe(404);
      } finally {
        if (stack.processOf('projection') === undefined) await stack.startService('projection');
      }
    },
    patient,
  );

  it(
    'takes it from a customer, new or known, who says the same again while nothing is folded in, and no change',
    async () => {
      await withSecondGateway();
      const [one, other] = [0, 1].map((instance) => stack.addressesOf('gateway', instance).gateway);
      const post = async (gateway: string | undefined, body: object) => {
        const headers = { authorization: stack.app.secretKey, 'content-type': 'application/json' };
        const answer = await fetch(`${gateway}/v2/profiles`, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: answer.status, data: ((await answer.json()) as { data?: Record<string, unknown> }).data };
      };
      const device = { country: 'DE', device: 'Pixel 11', os: 'Android 17', platform: 'android', appVersion: '1.0' };
      const known = { appUserId: 'known since long', ipAddress: '192.0.2.1', ...device };
      const unknown = { appUserId: 'new today', ipAddress: '192.0.2.2', ...device };
      const before = await post(one, known);
      await stack.stopService('projection');
      try {
        const created = await post(one, unknown);
        expect(created.status).toBe(201);
        for (const gateway of [one, other])
          expect(await post(gateway, unknown)).toEqual({ status: 200, data: created.data });
        expect(await post(other, known)).toEqual({ status: 200, data: before.data });
        expect((await post(one, { ...known, ipAddress: '192.0.2.3' })).status).toBe(503);
      } finally {
        await stack.startService('projection');
      }
      expect(await post(one, { ...unknown, ipAddress: '192.0.2.3' })).toMatchObject({ status: 200 });
    },
    patient,
  );

  it(
    'knows of a key, of its end and of a catalog also by the gateway that was not told of it',
    async () => {
      await withSecondGateway();
      const other = stack.addressesOf('gateway', 1).gateway;
      const app = `/apps/${stack.app.appId}`;
      const key = await adminCall('POST', `${app}/keys`, { kind: 'secret' });
      const answered = async () => {
        const headers = { authorization: String(key['key']), 'content-type': 'application/json' };
        return (await fetch(`${other}/v2/paywall`, { method: 'POST', headers, body: '{}' })).status;
      };
      await until(async () => (await answered()) === 400); // for its body, which is read where the key is known
      await adminCall('DELETE', `${app}/keys/${String(key['id'])}`);
      await until(async () => (await answered()) === 401);

      const { placements, ...catalog } = await adminCall('GET', `${app}/catalog`);
      const another = {
        id: 'elsewhere',
        name: 'Elsewhere',
        baseline: (placements as { baseline: string }[])[0]?.baseline,
      };
      const changed = { ...catalog, placements: [...(placements as object[]), another] };
      const { revision } = await adminCall('PUT', `${app}/catalog`, changed);
      await until(async () => (await adminCall('GET', `${app}/catalog`, undefined, other))['revision'] === revision);
    },
    patient,
  );
});

it(
  'tells of a service that ends though nobody ended it',
  async () => {
    const history = await underLoad(() => {
      stack.processOf('impression')?.kill('SIGKILL');
      return sleep(500);
    });
    await stack.startService('impression');
    expect(await violationsOf(history)).toEqual(['impression-0 ended by itself, with SIGKILL']);
  },
  patient,
);

/** A checker that no broken build can fail proves nothing. */
describe('a build that is broken on purpose is caught', () => {
  const mended = async (service: Service) => stack.restartService(service);

  it(
    'no inbox: a command delivered twice has its effect twice',
    async () => {
      await stack.restartService('profile', { PAYWRIGHT_BREAK: 'no-inbox' });
      await stack.restartService('impression', { PAYWRIGHT_BREAK: 'no-inbox' });
      const history = await underLoad(() => sleep(1_000));
      await deliverCommandsAgain();
      const isDoubled = (found: string) => /^I1 event batch .*stored (?!0)\d+ times/.test(found);
      // A busy machine takes its time to meet them all.
      const caught = until(async () => (await violationsOf(history)).some(isDoubled));
      await caught.finally(() => Promise.all([mended('profile'), mended('impression')]));
    },
    patient,
  );

  it.each<[string, string]>([
    ['no-republication', 'an inbox hit publishes nothing'],
    ['commit-before-handling', 'the offset is committed before the append'],
  ])(
    '%s: %s, and a crash in between loses events',
    async (defect) => {
      await stack.restartService('impression', { PAYWRIGHT_BREAK: defect, FAILPOINT: 'after_append' });
      const history = await underLoad(async () => {
        await stack.serviceDeath('impression');
        await stack.startService('impression', 0, { PAYWRIGHT_BREAK: defect });
      });
      const found = await violationsOf(history);
      await mended('impression');
      expect(found).toContainEqual(expect.stringMatching(/^I1 impression\/.* stored, \d+ published/));
    },
    patient,
  );
});

async function deliverCommandsAgain(): Promise<void> {
  const commands = [topics.profileCommands, topics.selectionCommands, topics.impressionCommands];
  for (const [topic, records] of await recordsOfAll(stack, commands)) await append(stack, topic, records.slice(-300));
  await sleep(1_000);
}
