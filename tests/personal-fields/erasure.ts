import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import type { ReceivedMessage } from '@paywright/messaging/topics';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { allRows } from '../stack/all-rows.ts';
import { compactSoon, expireRecords } from '../stack/expire-records.ts';
import { append, recordsOf, recordsOfAll, topicNames } from '../stack/raw-topics.ts';
import { adminToken, type Stack } from '../stack/stack.ts';

const patient = 240_000;

/** Values that occur nowhere else: whoever is to be forgotten is known by them. */
const marks = {
  customerUserId: 'erase-customer-user-id-4c1e',
  email: 'erase-email-4c1e@example.com',
  phone: '+49-erase-phone-4c1e',
  username: 'erase-username-4c1e',
  gender: 'erase-gender-4c1e',
  idfa: 'ERASE-IDFA-4C1E',
  advertisingId: 'erase-advertising-id-4c1e',
  ip: '203.0.113.41',
  stripeCustomer: 'cus_erase_4c1e',
};
const { stripeCustomer, ...fields } = marks;
const everyMark = Object.values(marks);
const device = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android', appVersion: '1.0' };
const v1 = '/api/v1/web-api';

/** Comes last: the commands of all are too old to be kept then. @param stack that logs at debug */
export function erasureCases(stack: () => Stack): void {
  let profileId: string;
  beforeAll(async () => {
    await live();
  }, patient);

  async function post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    gateway = stack().gateways[0],
  ) {
    const response = await fetch(gateway + path, {
      method: 'POST',
      headers: { authorization: stack().app.secretKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const { data = {} } = (await response.json()) as { data?: { profileId?: string } };
    return { status: response.status, data };
  }
  const admin = (method: string, path = '') =>
    fetch(`${stack().gateways[0]}/admin/v1/apps/${stack().app.appId}/profiles/${profileId}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}` },
    });

  /** What a person leaves behind: fields, an answer kept under a key, attributes, decisions, events. */
  async function live(): Promise<void> {
    const created = await post(`${v1}/profiles`, { ...device, ...fields }, { 'idempotency-key': 'first' });
    expect(created.status).toBe(201);
    profileId = created.data.profileId ?? '';
    const { customerUserId } = marks;
    const custom = { key: 'goal', value: 'sleep' };
    expect((await post(`${v1}/profiles/custom-attributes`, { customerUserId, custom })).status).toBe(201);
    expect((await post(`${v1}/paywalls`, { profileId, placementId: 'onboarding' })).status).toBe(200);
    expect((await post(`${v1}/events`, [{ customerUserId, eventType: 'left_a_mark' }])).status).toBe(200);
    expect((await post(`${v1}/profiles`, { customerUserId, email: marks.email, ...device })).status).toBe(200);
    // As the purchase service writes it when Stripe names a customer: this test has no Stripe.
    await queryOnce(
      stack().databaseUrl,
      'insert into purchase_validation.stripe_customer (app_id, customer_id, profile_id) values ($1, $2, $3)',
      [stack().app.appId, stripeCustomer, profileId],
    );
  }

  /** Where they are until retention and compaction have done their work. */
  const untilOld = [`topic ${topics.profileCommands}`, `topic ${topics.profilePersonal}`];

  const textOf = ({ key, headers, value }: ReceivedMessage) => `${key} ${JSON.stringify(headers)} ${value?.toString()}`;
  const hexOf = (mark: string) => Buffer.from(mark).toString('hex');
  const tellsOf = (text: string) => everyMark.filter((mark) => text.includes(mark) || text.includes(hexOf(mark)));

  /** The tables and topics that hold a mark: all tables of all schemas, all topics from their beginnings. */
  async function whereMarksAre(): Promise<readonly string[]> {
    const places = new Set<string>();
    for (const row of await allRows(stack().databaseUrl))
      if (tellsOf(row).length > 0) places.add(`table ${row.split(':', 1)[0]}`);
    for (const [topic, records] of await recordsOfAll(stack(), await topicNames(stack())))
      if (records.some((record) => tellsOf(textOf(record)).length > 0)) places.add(`topic ${topic}`);
    return [...places].sort();
  }

  const newestPersonal = async () =>
    (await recordsOf(stack(), topics.profilePersonal)).filter(({ key }) => key === profileId).at(-1);

  async function until(condition: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await condition()); tries++) {
      if (tries > 180) throw new Error('it did not come to that');
      await sleep(500);
    }
  }

  it(
    'are found everywhere by this search, and in the export, while the person is known',
    async () => {
      expect(await whereMarksAre()).toEqual([
        'table gateway.idempotency_key',
        'table profile.personal',
        'table purchase_validation.stripe_customer',
        'table read_model.profile_personal',
        ...untilOld,
      ]);
      const exported = await admin('GET', '/export');
      expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="profile-${profileId}.json"`);
      const text = await exported.text();
      expect(tellsOf(text)).toEqual(everyMark);
      const { data } = JSON.parse(text);
      const types = data.events.map(({ type }: { type: string }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['ProfileCreated', 'CustomAttributeSet', 'PaywallServed', 'EventsReported']),
      );
      expect(data.decisions).toHaveLength(1);
    },
    patient,
  );

  it(
    'are gone from every table, and the newest word of the personal topic is a tombstone, once the person is erased',
    async () => {
      const erased = await admin('DELETE');
      expect(erased.status).toBe(202);
      expect((await admin('GET')).status).toBe(404);
      expect((await admin('GET', '/export')).status).toBe(404);
      expect((await admin('DELETE')).status).toBe(202);
      expect(await whereMarksAre()).toEqual(untilOld);
      expect(await newestPersonal()).toMatchObject({ value: null });
    },
    patient,
  );

  it(
    'do not come back with what was there before and is delivered again',
    async () => {
      const commands = (await recordsOf(stack(), topics.profileCommands)).filter((record) => record.key === profileId);
      const personal = (await recordsOf(stack(), topics.profilePersonal)).filter(
        (record) => record.key === profileId && record.value !== null,
      );
      await append(stack(), topics.profileCommands, commands);
      await append(stack(), topics.profilePersonal, personal);
      await until(async () => (await newestPersonal())?.value === null);
      const again = await post(`${v1}/profiles`, { ...device, ...fields }, { 'idempotency-key': 'first' });
      expect(again.status).toBe(404);
      await sleep(1_000);
      expect((await admin('GET')).status).toBe(404);
      expect(await whereMarksAre()).toEqual(untilOld);
      expect(await newestPersonal()).toMatchObject({ value: null });
    },
    patient,
  );

  it(
    'are nowhere at all once the personal topic is compacted and the commands are too old to be kept',
    async () => {
      await expireRecords(stack(), topics.profileCommands);
      await compactSoon(stack(), topics.profilePersonal);
      const tombstone = await newestPersonal();
      await until(async () => {
        // Any record closes the segment behind which it comes, once the broker has heard of the topic's new settings.
        await append(stack(), topics.profilePersonal, [tombstone!]);
        return (await whereMarksAre()).length === 0;
      });
    },
    patient,
  );

  it('were never in a log or a metric', async () => {
    const logs = stack().logs();
    expect(logs).toMatch(/"level":"debug"/);
    expect(tellsOf(logs)).toEqual([]);
    for (const management of stack().managements)
      expect(tellsOf(await (await fetch(`${management}/metrics`)).text())).toEqual([]);
  });

  it(
    'are only those given anew when the customer comes back, under the same id, through a gateway whose clock is behind',
    async () => {
      const { customerUserId } = marks;
      const wrongClock = fileURLToPath(new URL('../stack/wrong-clock.ts', import.meta.url));
      await stack().startService('gateway', 1, { NODE_OPTIONS: `--import ${wrongClock}` });
      const back = await post(`${v1}/profiles`, { customerUserId }, {}, stack().addressesOf('gateway', 1).gateway);
      expect([back.status, back.data]).toMatchObject([
        201,
        { profileId, customerUserId, email: null, country: null, custom: [] },
      ]);
      const timeline = (await (await admin('GET', '/timeline')).json()) as { data: { type: string }[] };
      expect(timeline.data.map(({ type }) => type)).toEqual(['ProfileCreated']);
      const found = [...(await allRows(stack().databaseUrl))].flatMap(tellsOf);
      expect(new Set(found)).toEqual(new Set([customerUserId]));
    },
    patient,
  );
}
