import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import type { ReceivedMessage } from '@paywright/messaging/topics';
import { append, recordsOf, recordsOfAll, topicNames } from '../stack/raw-topics.ts';
import type { Stack } from '../stack/stack.ts';

const patient = 180_000;

/** Values that occur nowhere else, so that finding one anywhere tells where it came from. */
const marks = {
  customerUserId: 'mark-customer-user-id-7f3a',
  email: 'mark-email-7f3a@example.com',
  phone: '+49-mark-phone-7f3a',
  username: 'mark-username-7f3a',
  gender: 'mark-gender-7f3a',
  idfa: 'MARK-IDFA-7F3A',
  advertisingId: 'mark-advertising-id-7f3a',
  ip: '203.0.113.77',
};
const v2Marks = {
  appUserId: 'mark-app-user-id-9b1c',
  email: 'mark-email-9b1c@example.com',
  ipAddress: '2001:db8::9b1c',
};
const overrideMark = '198.51.100.42';
const secrets = ['mark-wrong-key-5d2e'];
const everyMark = [...Object.values(marks), ...Object.values(v2Marks), overrideMark];

const device = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android', appVersion: '1.0' };

/** Where the fields of a person are, and where they are not. @param stack that logs at debug */
export function personalFieldCases(stack: () => Stack): void {
  beforeAll(async () => {
    await everyKindOfRequest();
    await sleep(2_000);
  }, patient);

  async function post(path: string, body: unknown, key = stack().app.secretKey): Promise<number> {
    const response = await fetch(stack().gateways[0]! + path, {
      method: 'POST',
      headers: {
        authorization: key,
        'content-type': 'application/json',
        'idempotency-key': `key ${path}`.replace(' ', '-'),
      },
      body: JSON.stringify(body),
    });
    return response.status;
  }

  /** Requests that carry the marks: taken, refused, failing at every depth. */
  async function everyKindOfRequest(): Promise<void> {
    const v1 = '/api/v1/web-api';
    const { customerUserId } = marks;
    expect(await post(`${v1}/profiles`, { ...device, ...marks })).toBe(201);
    expect(await post(`${v1}/profiles`, { ...device, ...marks, country: 'Atlantis' })).toBe(422);
    expect(await post('/v2/profiles', { ...device, ...v2Marks })).toBe(201);
    expect(await post(`${v1}/custom-attributes-unknown`, marks)).toBe(404);
    const attribute = { customerUserId, custom: { key: 'goal', value: 'sleep' } };
    expect(await post(`${v1}/profiles/custom-attributes`, attribute)).toBe(201);
    const fetched = { customerUserId, placementId: 'onboarding', ip: overrideMark };
    expect(await post(`${v1}/paywalls`, fetched)).toBe(200);
    expect(await post(`${v1}/events`, [{ customerUserId, eventType: 'mark_reported' }])).toBe(200);
    expect(await post(`${v1}/profiles`, { ...device, ...marks }, secrets[0])).toBe(401);
    await poisonedCommand();
  }

  /** A command with the marks, which no service can handle: it goes to the dead letters. */
  async function poisonedCommand(): Promise<void> {
    const command = (await recordsOf(stack(), topics.profileCommands)).find((record) =>
      textOfRecords([record]).includes(marks.email),
    );
    await append(stack(), topics.profileCommands, [{ ...command!, headers: { ...command!.headers, version: '99' } }]);
  }

  const found = (where: string, text: string, wanted: readonly string[]) =>
    wanted.filter((mark) => text.includes(mark)).map((mark) => `${mark} in ${where}`);

  const textOf = async (topic: string) => textOfRecords(await recordsOf(stack(), topic));

  function textOfRecords(records: readonly ReceivedMessage[]): string {
    return records
      .map(({ key, headers, value }) => `${key} ${JSON.stringify(headers)} ${value?.toString()}`)
      .join('\n');
  }

  /** Commands expire within days; the personal topic is where the fields belong. */
  const mayCarry = (topic: string) => topic.endsWith('.commands') || topic === topics.profilePersonal;

  it(
    'are found where they belong: the search would see them',
    async () => {
      expect(found('', await textOf(topics.profilePersonal), Object.values(marks))).toHaveLength(
        Object.keys(marks).length,
      );
      expect(found('', await textOf(topics.profileCommands), everyMark)).not.toEqual([]);
      expect(await textOf('profile.dead-letter')).toMatch(/dead-letter-reason/);
    },
    patient,
  );

  it(
    'are in no event, dead letter, reply or snapshot',
    async () => {
      const searched = (await topicNames(stack())).filter((topic) => !mayCarry(topic));
      expect(searched).toEqual(
        expect.arrayContaining([topics.profileEvents, topics.impressionEvents, 'profile.dead-letter']),
      );
      for (const [topic, records] of await recordsOfAll(stack(), searched))
        expect(found(topic, textOfRecords(records), [...everyMark, ...secrets, stack().app.secretKey])).toEqual([]);
    },
    patient,
  );

  it('are in no line of a log, not even at debug', () => {
    const logs = stack().logs();
    expect(logs).toMatch(/"level":"debug"/);
    expect(found('the logs', logs, [...everyMark, ...secrets, stack().app.secretKey])).toEqual([]);
  });

  it('are in no metric', async () => {
    for (const management of stack().managements) {
      const metrics = await (await fetch(`${management}/metrics`)).text();
      expect(metrics).toMatch(/process_cpu/);
      expect(found(management, metrics, [...everyMark, ...secrets, stack().app.secretKey])).toEqual([]);
    }
  });
}
