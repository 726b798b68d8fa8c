import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Outcome } from '@paywright/contracts';
import { createCommandProcessor } from '../command-processor.ts';
import type { EventStore } from '../event-store.ts';
import { commandFor } from './command-for.ts';
import { Break, Count, Counted, counter, snapshottingCounter } from './counter.ts';

const now = Date.UTC(2026, 5, 1);
const count = (key: string, by: number, more: Partial<Count> = {}) => commandFor(Count, { key, body: { by }, ...more });

/** Its Break takes back all that was counted. */
const resettable: typeof counter = {
  ...counter,
  decide: { ...counter.decide, Break: (_, total) => ({ events: [Counted.of({ by: -total })], reply: {} }) },
};

const throwing = () => {
  throw new TypeError('a defect');
};

const personalOf = (outcome: Outcome | undefined) => (outcome?.kind === 'accepted' ? outcome.personal : undefined);

/** What a processor promises on any store. A new processor is another instance: it has no memory of streams. */
export function describeCommandProcessor(storeOf: () => EventStore): void {
  const processorOn = (store: EventStore, decider = counter) => createCommandProcessor({ decider, store });

  it('answers each command in order, those of one stream on each other’s events', async () => {
    const process = processorOn(storeOf());
    const [a, b] = [randomUUID(), randomUUID()];
    const commands = [count(a, 2), count(b, 1), count(a, 3), count(b, 2_000), count(a, 0)];

    const outcomes = await process(commands);

    expect(outcomes.map(({ command }) => command)).toEqual(commands);
    expect(outcomes.map((outcome) => 'reply' in outcome && JSON.parse(outcome.reply))).toEqual([
      { status: 'accepted', streamVersion: 2, body: { total: 2 } },
      { status: 'accepted', streamVersion: 1, body: { total: 1 } },
      { status: 'accepted', streamVersion: 5, body: { total: 5 } },
      { status: 'refused', refusal: { code: 'VALIDATION_FAILED', message: 'by: the total is at most 1000.' } },
      { status: 'accepted', streamVersion: 5, body: { total: 5 } },
    ]);
  });

  it('fails a command that comes again when its outcome is forgotten, alone: repeated, it would conflict for ever', async () => {
    const store = storeOf();
    const [key, other] = [randomUUID(), randomUUID()];
    const command = count(key, 1);
    await processorOn(store)([command]);
    await store.forgetCommandsOlderThan(0);

    const again = { ...command, body: { by: 2 } };
    expect(await processorOn(store)([again, count(other, 1), count(key, 1)])).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('carried out before') },
      { kind: 'accepted', state: 1 },
      { kind: 'accepted', state: 2 },
    ]);
  });

  it('tells events whole: place, time, cause and correlation', async () => {
    const key = randomUUID();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const command = count(key, 2, { issuedAt: now - 5, traceparent });

    const [outcome] = await processorOn(storeOf())([command]);

    const placed = { stream: key, time: now - 5, causationId: command.id, correlationId: 'a'.repeat(32) };
    const event = { ...placed, type: 'Counted', version: 2, body: { by: 1 } };
    expect(outcome).toMatchObject({
      kind: 'accepted',
      state: 2,
      personal: null,
      events: [
        { ...event, streamVersion: 1 },
        { ...event, streamVersion: 2 },
      ],
    });
    const untraced = count(key, 1);
    expect(await processorOn(storeOf())([untraced])).toMatchObject([{ events: [{ correlationId: untraced.id }] }]);
  });

  it('refuses what leads to an event that its topic does not take, and stores nothing', async () => {
    const store = storeOf();
    const key = randomUUID();
    const taking = (mostEventBytes: number) => createCommandProcessor({ decider: counter, store, mostEventBytes });
    const process = taking(7);
    const command = count(key, 1);

    const [outcome] = await process([command]);

    expect(outcome).toMatchObject({ kind: 'refused', reply: expect.stringContaining('PAYLOAD_TOO_LARGE') });
    expect(outcome).toMatchObject({ reply: expect.stringContaining('8 bytes') });
    expect((await store.load([key], null)).get(key)?.events ?? []).toEqual([]);
    expect(await process([command, count(key, 0)])).toMatchObject([
      { kind: 'refused', reply: (outcome as { reply: string }).reply },
      { kind: 'accepted' },
    ]);
    expect(await taking(8)([count(key, 1)])).toMatchObject([{ kind: 'accepted', state: 1 }]);
  });

  it('repeats an outcome byte for byte, events included, however often and by whichever instance', async () => {
    const store = storeOf();
    const key = randomUUID();
    const command = count(key, 3);
    const process = processorOn(store);
    const first = await process([command]);
    await process([count(key, 1)]);

    for (const instance of [process, processorOn(store)]) {
      const [again, fresh] = await instance([command, count(key, 0)]);

      expect(again).toEqual({ ...first[0], state: 4 });
      expect(fresh).toMatchObject({ kind: 'accepted', state: 4, events: [] });
    }
  });

  it('repeats a refusal, though it would be accepted now', async () => {
    const store = storeOf();
    const key = randomUUID();
    const process = processorOn(store);
    await process([count(key, 999)]);
    const tooMuch = count(key, 2);
    const first = await process([tooMuch]);

    const lenient = { ...counter, decide: { ...counter.decide, Count: () => ({ events: [], reply: {} }) } };
    const again = await processorOn(store, lenient)([tooMuch]);

    expect(again).toEqual(first);
    expect(again).toMatchObject([{ kind: 'refused' }]);
  });

  it('decides a command once that comes twice in a batch, and answers both', async () => {
    const command = count(randomUUID(), 2);
    const twin = { ...command, traceparent: 'another' };

    const outcomes = await processorOn(storeOf())([command, twin]);

    expect(outcomes[1]).toEqual({ ...outcomes[0], command: twin });
    expect(outcomes[0]).toMatchObject({ kind: 'accepted', state: 2 });
  });

  it('lets a rule that throws cost its own command alone, and tells no value of it', async () => {
    const store = storeOf();
    const key = randomUUID();
    const commands = [count(key, 1), commandFor(Break, { key, body: {} }), count(key, 1)];

    const outcomes = await processorOn(store)(commands);

    expect(outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'failed' }, { kind: 'accepted', state: 2 }]);
    expect(JSON.stringify(outcomes[1])).toContain('RangeError');
    expect(JSON.stringify(outcomes[1])).not.toContain('secret');
  });

  it('repeats what was accepted before, though the rule throws now', async () => {
    const store = storeOf();
    const command = count(randomUUID(), 1);
    const [first] = await processorOn(store)([command]);

    const broken: typeof counter = {
      ...counter,
      decide: { ...counter.decide, Break: () => ({ events: [], reply: {} }), Count: throwing },
    };
    const outcomes = await processorOn(store, broken)([command, commandFor(Break, { key: command.key, body: {} })]);
    expect(outcomes).toMatchObject([first, { kind: 'accepted', state: 1 }]);
  });

  it('decides a command anew that failed, once its rule is mended', async () => {
    const store = storeOf();
    const command = commandFor(Break, { key: randomUUID(), body: {} });
    expect(await processorOn(store)([count(command.key, 3), command])).toMatchObject([{}, { kind: 'failed' }]);
    expect(await processorOn(store, resettable)([command])).toMatchObject([{ kind: 'accepted', state: 0 }]);
  });

  it('drops what nobody waits for, unless it was stored before', async () => {
    const store = storeOf();
    const key = randomUUID();
    const [stored, late, waited] = [count(key, 1), count(key, 1), count(key, 1)];
    const first = await processorOn(store)([stored]);

    const outcomes = await processorOn(store)([stored, late, waited], new Set([stored, late]));

    expect(outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'expired' }, { kind: 'accepted', state: 2 }]);
    expect(outcomes[0]).toEqual({ ...first[0], state: 1 });
  });

  it('decides a repetition that somebody waits for, though its first copy in the batch is too late', async () => {
    const late = count(randomUUID(), 1);
    const between = count(late.key, 2);

    const outcomes = await processorOn(storeOf())([late, between, { ...late }], new Set([late]));

    expect(outcomes).toMatchObject([
      { kind: 'accepted', state: 3 },
      { kind: 'accepted', state: 2 },
      { kind: 'accepted', state: 3 },
    ]);
  });

  it('decides a copy that somebody waits for, though a later one in the batch is too late', async () => {
    const waited = count(randomUUID(), 1);
    const late = { ...waited };

    const outcomes = await processorOn(storeOf())([waited, late], new Set([late]));

    expect(outcomes).toMatchObject([
      { kind: 'accepted', state: 1 },
      { kind: 'accepted', state: 1 },
    ]);
  });

  it('decides the first of the copies that somebody waits for, at its place', async () => {
    const first = count(randomUUID(), 1);

    const outcomes = await processorOn(storeOf())([first, count(first.key, 2), { ...first }]);

    expect(outcomes).toMatchObject([{ state: 1 }, { state: 3 }, { state: 1 }]);
  });

  it('tells the whole personal record after each change, and again on a repeat', async () => {
    const store = storeOf();
    const key = randomUUID();
    const save = (personal: Count['body']['personal'], by = 1) => commandFor(Count, { key, body: { by, personal } });
    const [first, second, cleared] = [save({ email: 'a@example.org' }), save({ phone: '1' }), save({ email: null })];
    const other = count(key, 1);
    const whole = { email: 'a@example.org', phone: '1' };
    const record = (version: number, fields: object) => ({ appId: 1, profileId: key, version, fields });

    expect(await processorOn(store)([first])).toMatchObject([{ personal: record(1, { email: 'a@example.org' }) }]);
    const [saved, counted] = await processorOn(store)([second, other]);
    expect([saved, counted].map(personalOf)).toEqual([record(2, whole), null]);
    const [repeated, unchanged, last] = await processorOn(store)([first, other, cleared]);

    expect([repeated, unchanged, last].map(personalOf)).toEqual([record(2, whole), null, record(4, { phone: '1' })]);
    expect(JSON.parse(last?.kind === 'accepted' ? last.reply : '{}')).toMatchObject({ personalVersion: 4 });
    expect(await processorOn(store)([save({ phone: '2' }, 0)])).toMatchObject([{ kind: 'failed' }]);
  });

  it('tells a rule whether personal fields are as given, in the batch and before it, and the reply their version', async () => {
    const store = storeOf();
    const key = randomUUID();
    const save = (by: number, personal: Count['body']['personal']) =>
      commandFor(Count, { key, body: { by, personal } });
    const [email, phone] = [{ email: 'a@example.org' }, { phone: '1' }];
    const repliesTo = async (process: ReturnType<typeof processorOn>, commands: Count[]) =>
      (await process(commands)).map((outcome) => [
        outcome.kind === 'accepted' && JSON.parse(outcome.reply),
        personalOf(outcome)?.version ?? null,
      ]);
    const accepted = (streamVersion: number, personalVersion: number, alone?: boolean) => ({
      ...{ status: 'accepted', streamVersion, personalVersion },
      body: { total: streamVersion, ...(alone !== undefined && { alone }) },
    });

    const process = processorOn(store);
    const first = [save(1, email), save(0, email), save(1, email), save(1, phone), save(0, email)];
    expect(await repliesTo(process, first)).toEqual([
      [accepted(1, 1), 3],
      [accepted(1, 1, true), null],
      [accepted(2, 1, true), null],
      [accepted(3, 3), 3],
      [accepted(3, 3, false), null],
    ]);
    for (const instance of [process, processorOn(store)])
      expect(await repliesTo(instance, [save(0, { ...phone, ...email })])).toEqual([[accepted(3, 3, true), null]]);
    await processorOn(store)([save(1, 'erased')]);
    expect(await repliesTo(process, [save(1, email), save(0, phone)])).toMatchObject([
      [accepted(5, 5), 5],
      [false, null],
    ]);
    expect(await repliesTo(process, [save(1, 'erased'), save(0, { email: null })])).toEqual([
      [accepted(6, 6), 6],
      [accepted(6, 6, true), null],
    ]);
  });

  it('says no and nothing changed from what is stored, not from memory', async () => {
    const store = storeOf();
    const key = randomUUID();
    const [early, other] = [processorOn(store), processorOn(store)];
    await early([count(key, 998)]);
    await other([count(key, 2)]);

    expect(await early([count(key, 0)])).toMatchObject([{ kind: 'accepted', state: 1_000 }]);

    await processorOn(store, resettable)([commandFor(Break, { key, body: {} })]);
    expect(await early([count(key, 1_000)])).toMatchObject([{ kind: 'accepted', state: 1_000 }]);
  });

  it('merges the personal changes of a batch, and tells both commands the whole', async () => {
    const key = randomUUID();
    const save = (personal: Count['body']['personal']) => commandFor(Count, { key, body: { by: 1, personal } });
    const commands = [save({ email: 'a@example.org', phone: '1' }), save({ phone: null, username: 'a' })];

    const outcomes = await processorOn(storeOf())(commands);

    const personal = { version: 2, fields: { email: 'a@example.org', username: 'a' } };
    expect(outcomes).toMatchObject([{ personal }, { personal }]);
    expect(outcomes[1]).toHaveProperty('personal.fields', personal.fields);
  });

  it('erases what was personal, in the batch and before it, and tells a repeated command of before no more', async () => {
    const store = storeOf();
    const key = randomUUID();
    const save = (personal: Count['body']['personal']) => commandFor(Count, { key, body: { by: 1, personal } });
    const [first, second, erase] = [save({ email: 'a@example.org' }), save({ phone: '1' }), save('erased')];
    const process = processorOn(store);
    await process([first]);

    expect((await process([second, erase])).map(personalOf)).toEqual([
      { appId: 1, profileId: key, version: 3, fields: {} },
      { appId: 1, profileId: key, version: 3, fields: {} },
    ]);
    const [repeated] = await processorOn(store)([first]);
    expect(personalOf(repeated)).toEqual({ appId: 1, profileId: key, version: 3, fields: {} });
    const [later] = await process([save({ username: 'b' })]);
    expect(personalOf(later)).toEqual({ appId: 1, profileId: key, version: 4, fields: { username: 'b' } });
    const [, begun] = await process([save('erased'), save({ phone: '2' })]);
    expect(personalOf(begun)).toEqual({ appId: 1, profileId: key, version: 6, fields: { phone: '2' } });
  });

  it('loses to an instance that was faster, and decides again on what that stored', async () => {
    const store = storeOf();
    const key = randomUUID();
    const [early, other] = [processorOn(store), processorOn(store)];
    await early([count(key, 1)]);
    await other([count(key, 1)]);

    const neighbour = randomUUID();
    const outcomes = await early([count(key, 1), count(neighbour, 1)]);

    expect(outcomes).toMatchObject([{ state: 3 }, { state: 1 }]);
  });

  it('folds from a snapshot to the same state as from all events', async () => {
    const store = storeOf();
    const key = randomUUID();
    const decoded: unknown[] = [];
    const decode: NonNullable<(typeof counter)['snapshot']>['decode'] = (state) => {
      decoded.push(state);
      return snapshottingCounter.snapshot!.decode(state);
    };
    const decider = { ...snapshottingCounter, snapshot: { ...snapshottingCounter.snapshot!, decode } };
    for (const by of [3, 2]) await processorOn(store, decider)([count(key, by)]);
    const process = processorOn(store, decider);
    for (const by of [1, 4, 2]) await process([count(key, by)]);

    const stored = (await store.load([key], 'counter-1')).get(key);
    const [[short], [full]] = [
      await processorOn(store, decider)([count(key, 0)]),
      await processorOn(store)([count(key, 0)]),
    ];

    expect(decoded).toEqual([{ total: 5 }, { total: 10 }]);
    expect(stored).toMatchObject({ snapshot: { version: 10, state: { total: 10 } } });
    expect(stored?.events).toHaveLength(2);
    expect(short).toMatchObject({ state: 12, reply: full?.kind === 'accepted' && full.reply });
  });
}
