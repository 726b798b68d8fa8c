import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SetCustomAttributes } from '@paywright/contracts';
import { ManualClock } from '@paywright/platform';
import { CommandTimeout, DeadlinePassed, ServiceOverloaded } from '../errors.ts';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { KafkaTest } from '../testing/kafka-test.ts';
import { until } from '../testing/until.ts';
import { CommandClient, type CommandClientOptions } from './command-client.ts';
import { commandReply, replyAddress } from './reply.ts';

const now = 1_700_000_000_000;
const forever = 3_600_000;
const accepted = { status: 'accepted', streamVersion: 3, body: { created: true, attributes: [] } };

describe('CommandClient on a real broker', () => {
  let test: KafkaTest;
  let commandTopic: string;
  let replies: string;
  beforeAll(async () => {
    test = new KafkaTest();
    replies = await test.topic(4);
    commandTopic = await test.topic(2);
  });
  afterAll(() => test.close());

  async function client(instance: number, options: Partial<CommandClientOptions> = {}): Promise<CommandClient> {
    const { kafka, metrics } = { ...test, ...options };
    const producer = options.producer ?? (await test.producer({ kafka }));
    const clock = new ManualClock(now);
    const topicsOfTest = { repliesTopic: replies, topicOf: () => commandTopic };
    const opened = new CommandClient({ kafka, producer, metrics, clock, instance, ...topicsOfTest, ...options });
    test.closing(() => opened.stop());
    await opened.start();
    return opened;
  }

  /** A gateway that has published once, and whose broker no longer answers. */
  async function cutOff() {
    const proxy = await test.brokerProxy();
    const producer = await test.producer({ kafka: test.connection(proxy.socketFactory) });
    const gateway = await client(0, { producer });
    await producer.send([{ topic: replies, partition: 0, headers: {}, value: 'warm-up' }]);
    proxy.cut();
    return { proxy, producer, gateway };
  }

  /** Groups of readers, by their joins, the latest first. */
  const joinedGroups = (): string[] =>
    test.logLines
      .filter(({ message }) => message === 'The reader joined its group')
      .map(({ fields }) => ('group' in fields ? String(fields.group) : ''))
      .filter((group) => group.startsWith('gw-replies'))
      .toReversed();

  const command = (deadlineMs = 10_000) => ({
    id: randomUUID(),
    appId: 1,
    key: randomUUID(),
    body: { attributes: [{ id: randomUUID(), key: 'goal', value: 'sleep' }] },
    deadlineMs,
  });

  /** The deadlines of two commands, as each ends: a deadline beyond 1.5 s is not waited for while a broker is silent. */
  async function inOrderOfTheirEnd(
    ask: (one: ReturnType<typeof command>) => Promise<unknown>,
    error: typeof CommandTimeout | typeof DeadlinePassed,
  ) {
    const ended: number[] = [];
    const asking = [forever, 400].map(async (deadlineMs) => {
      await expect(ask(command(deadlineMs))).rejects.toThrow(error);
      ended.push(deadlineMs);
    });
    await Promise.all(asking);
    return ended;
  }

  const sentCommand = async (id: string): Promise<ReceivedMessage> => {
    const find = async () => (await test.recordsOf(commandTopic)).find(({ headers }) => headers['id'] === id);
    await until(async () => (await find()) !== undefined);
    const found = await find();
    if (!found) throw new Error('The command is gone.');
    return found;
  };

  function replyTo({ headers }: ReceivedMessage, reply: object = accepted): OutgoingMessage {
    const address = replyAddress(headers);
    if (!address) throw new Error('The command says nobody awaits its reply.');
    return commandReply(replies, address, JSON.stringify(reply), {});
  }

  it('sends what a service needs to dispatch, and returns its reply', async () => {
    const producer = await test.producer();
    const gateway = await client(1);
    const wanted = command();
    const reply = gateway.send(SetCustomAttributes, { ...wanted, traceparent: 'trace' });
    const sent = await sentCommand(wanted.id);
    await producer.send([replyTo(sent)]);

    expect(await reply).toEqual(accepted);
    expect(sent).toMatchObject({ key: wanted.key, value: Buffer.from(JSON.stringify(wanted.body)) });
    expect(sent.headers).toEqual({
      id: wanted.id,
      type: 'SetCustomAttributes',
      version: '1',
      app: '1',
      'issued-at': String(now),
      deadline: String(now + 10_000),
      'reply-partition': '1',
      traceparent: 'trace',
    });
  }, 40_000);

  it('brings each reply to the gateway that waits, on partitions of their own and on the same one', async () => {
    const producer = await test.producer();
    const gateways = await Promise.all([client(2), client(3), client(3)]);
    const commands = gateways.map(() => command());
    const answers = gateways.map((gateway, index) => gateway.send(SetCustomAttributes, commands[index] ?? command()));
    const before = await test.measured('messaging_late_replies_total');
    for (const [index, { id }] of commands.entries())
      await producer.send([replyTo(await sentCommand(id), { ...accepted, streamVersion: index + 1 })]);
    expect(await Promise.all(answers)).toMatchObject([
      { streamVersion: 1 },
      { streamVersion: 2 },
      { streamVersion: 3 },
    ]);
    // The two on one partition each saw the other's.
    await until(async () => (await test.measured('messaging_late_replies_total')) === before + 2);
  }, 40_000);

  it('gives up at the deadline, and counts the reply that comes late', async () => {
    const producer = await test.producer();
    const gateway = await client(0);
    const wanted = command(300);
    await expect(gateway.send(SetCustomAttributes, wanted)).rejects.toThrow(CommandTimeout);
    const before = await test.measured('messaging_late_replies_total');
    await producer.send([replyTo(await sentCommand(wanted.id))]);
    await until(async () => (await test.measured('messaging_late_replies_total')) === before + 1);
  }, 40_000);

  it('loses no reply when it has to join its group again', async () => {
    const producer = await test.producer();
    const proxy = await test.brokerProxy();
    const gateway = await client(1, { kafka: test.connection(proxy.socketFactory), producer });
    const commands = Array.from({ length: 20 }, () => command(30_000));
    const answers = commands.map((one) => gateway.send(SetCustomAttributes, one));
    await producer.send([replyTo(await sentCommand(commands[0]?.id ?? ''))]);
    await answers[0];

    // Longer away than its session lasts: the broker expels it, and the replies come while nobody listens.
    proxy.cut();
    for (const { id } of commands.slice(1)) await producer.send([replyTo(await sentCommand(id))]);
    const [group = ''] = joinedGroups();
    await until(async () => (await test.membersOf(group)) === 0);
    proxy.mend();

    expect(await Promise.all(answers)).toHaveLength(20);
    await until(() => joinedGroups().filter((joined) => joined === group).length > 1);
  }, 60_000);

  it('refuses at once what exceeds its bounds', async () => {
    const gateway = await client(0, { maxPending: 1 });
    const first = gateway.send(SetCustomAttributes, command(500));
    await expect(gateway.send(SetCustomAttributes, command())).rejects.toThrow(ServiceOverloaded);
    await expect(first).rejects.toThrow(CommandTimeout);
  }, 40_000);

  it('refuses commands while the broker does not acknowledge, and never waits past a deadline for it', async () => {
    const { proxy, producer, gateway } = await cutOff();

    expect(await inOrderOfTheirEnd((one) => gateway.send(SetCustomAttributes, one), CommandTimeout)).toEqual([
      400,
      forever,
    ]);
    await until(() => producer.stalledMs > 1_500);
    await expect(gateway.send(SetCustomAttributes, command())).rejects.toThrow(ServiceOverloaded);
    proxy.mend();
  }, 40_000);

  it('lets one command at a time find out whether a silent broker is back, and none wait for it as long as for a reply', async () => {
    const { proxy, producer, gateway } = await cutOff();

    await expect(gateway.send(SetCustomAttributes, command(forever))).rejects.toThrow(CommandTimeout);
    await until(() => producer.queuedMessages === 0);
    const probe = gateway.send(SetCustomAttributes, command(forever));
    await expect(gateway.send(SetCustomAttributes, command(forever))).rejects.toThrow(ServiceOverloaded);
    await expect(probe).rejects.toThrow(CommandTimeout);

    proxy.mend();
    await until(() => gateway.deliver(SetCustomAttributes, command()).then(() => true, () => false)); // prettier-ignore
    const wanted = command(forever);
    const answer = gateway.send(SetCustomAttributes, wanted);
    await producer.send([replyTo(await sentCommand(wanted.id))]);
    expect(await answer).toEqual(accepted);
  }, 60_000);

  it('delivers: the broker has it by then, for longer than anybody waits', async () => {
    const gateway = await client(0);
    const wanted = command();
    await gateway.deliver(SetCustomAttributes, wanted);
    const sent = (await test.recordsOf(commandTopic)).find(({ headers }) => headers['id'] === wanted.id);
    expect(sent).toMatchObject({ key: wanted.key, value: Buffer.from(JSON.stringify(wanted.body)) });
    expect(sent?.headers).not.toHaveProperty('reply-partition');
    expect(Number(sent?.headers['deadline'])).toBeGreaterThan(now + 24 * 60 * 60 * 1_000);
  }, 40_000);

  it('does not deliver while the broker is away, and says so in time', async () => {
    const { proxy, producer, gateway } = await cutOff();

    expect(await inOrderOfTheirEnd((one) => gateway.deliver(SetCustomAttributes, one), DeadlinePassed)).toEqual([
      400,
      forever,
    ]);
    await until(() => producer.stalledMs > 1_500);
    await expect(gateway.deliver(SetCustomAttributes, command())).rejects.toThrow(ServiceOverloaded);
    proxy.mend();
  }, 40_000);

  it('posts until the broker has it, and awaits no reply', async () => {
    const proxy = await test.brokerProxy();
    const gateway = await client(0, { kafka: test.connection(proxy.socketFactory) });
    const { id, appId, key, body } = command();
    proxy.cut();
    gateway.post(SetCustomAttributes, { id, appId, key, body });
    proxy.mend();
    expect((await sentCommand(id)).headers).not.toHaveProperty('reply-partition');
  }, 40_000);
});
