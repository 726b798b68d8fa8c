import { mock } from 'node:test';
import { describe, expect, it } from '@jest/globals';
import { Metrics, noTracer, onBehalfOf } from '@paywright/platform';
import { RecordingTracer } from '@paywright/platform/testing';
import { StoreFault } from '@paywright/stores';
import { type Asks, StoreGuard } from './store-guard.ts';

const silent = () => Promise.reject(new StoreFault('unavailable', 'It does not answer.'));
const play = { appId: 1, store: 'play_store' } as const;
const deadline = 5_000;

/** Questions that are answered when they are told to. */
function heldQuestions() {
  const release: (() => void)[] = [];
  const question = () => new Promise<void>((resolve) => release.push(resolve));
  return { question, asked: () => release.length, answerAll: () => release.splice(0).forEach((answer) => answer()) };
}

describe('a store that leaves questions unanswered', () => {
  async function exhausted(time?: () => number): Promise<StoreGuard> {
    const guard = new StoreGuard(new Metrics(), noTracer, time);
    for (let i = 0; i < 5; i++) await guard.ask(play, deadline, silent).catch(() => undefined);
    return guard;
  }

  it('is left alone after five of them', async () => {
    const guard = await exhausted();
    const question = mock.fn(() => Promise.resolve('here'));
    await expect(guard.ask(play, deadline, question)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(question.mock.callCount()).toBe(0);
  });

  it('is still asked for other apps, and other stores for this one', async () => {
    const guard = await exhausted();
    await expect(guard.ask({ ...play, appId: 2 }, deadline, () => Promise.resolve('here'))).resolves.toBe('here');
    await expect(guard.ask({ appId: 1, store: 'stripe' }, deadline, () => Promise.resolve('here'))).resolves.toBe(
      'here',
    );
  });

  it('is still asked for requests where it left look-ups unanswered, and the other way round', async () => {
    const lookUps = { ...play, asker: 'look-ups' } as const;
    for (const [silentTo, others] of [
      [lookUps, play],
      [play, lookUps],
    ] as const) {
      const guard = new StoreGuard(new Metrics());
      for (let i = 0; i < 5; i++) await guard.ask(silentTo, deadline, silent).catch(() => undefined);
      await expect(guard.ask(others, deadline, () => Promise.resolve('here'))).resolves.toBe('here');
    }
  });

  it('is left alone once more where the first question behind that had hardly any time', async () => {
    mock.timers.enable({ apis: ['Date'] });
    try {
      const guard = await exhausted();
      mock.timers.tick(5_001);
      const late = (signal: AbortSignal) =>
        new Promise<void>((_, reject) => {
          signal.onabort = () => reject(new StoreFault('unavailable', 'It did not answer in time.'));
        });
      await expect(guard.ask(play, 10, late)).rejects.toMatchObject({ kind: 'unavailable' });
      const question = mock.fn(() => Promise.resolve('here'));
      await expect(guard.ask(play, deadline, question)).rejects.toMatchObject({ kind: 'unavailable' });
      expect(question.mock.callCount()).toBe(0);
    } finally {
      mock.timers.reset();
    }
  });

  it('is asked again after a while', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    try {
      const guard = await exhausted();
      mock.timers.tick(5_001);
      await expect(guard.ask(play, deadline, () => Promise.resolve('here'))).resolves.toBe('here');
      await expect(guard.ask(play, deadline, () => Promise.resolve('again'))).resolves.toBe('again');
    } finally {
      mock.timers.reset();
    }
  });

  it('is asked again after the same while where the machine’s clock was set back meanwhile', async () => {
    const hour = 3_600_000;
    mock.timers.enable({ apis: ['Date'], now: 2 * hour });
    try {
      let time = 0;
      const guard = await exhausted(() => time);
      mock.timers.setTime(hour);
      time = 4_999;
      await expect(guard.ask(play, deadline, () => Promise.resolve('here'))).rejects.toMatchObject({
        kind: 'unavailable',
      });
      time = 5_000;
      for (let i = 0; i < 5; i++) await expect(guard.ask(play, deadline, silent)).rejects.toThrow();
      time = 10_000;
      for (const answer of ['here', 'again'])
        await expect(guard.ask(play, deadline, () => Promise.resolve(answer))).resolves.toBe(answer);
    } finally {
      mock.timers.reset();
    }
  });
});

it('takes a store’s no for an answer, however often', async () => {
  const guard = new StoreGuard(new Metrics());
  const no = () => Promise.reject(new StoreFault('not-found', 'Unknown.'));
  for (let i = 0; i < 20; i++) await expect(guard.ask(play, deadline, no)).rejects.toMatchObject({ kind: 'not-found' });
});

it('asks 16 questions of an app at a time, lets 64 wait and refuses the next', async () => {
  const guard = new StoreGuard(new Metrics());
  const held = heldQuestions();
  const all = Array.from({ length: 80 }, () => guard.ask(play, deadline, held.question));
  expect(held.asked()).toBe(16);
  await expect(guard.ask(play, deadline, held.question)).rejects.toMatchObject({ kind: 'unavailable' });
  const other = guard.ask({ ...play, appId: 2 }, deadline, held.question);
  expect(held.asked()).toBe(17);
  while (held.asked() > 0) {
    held.answerAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all([...all, other]);
});

it('lets apps whose store hangs take nothing from the others', async () => {
  const guard = new StoreGuard(new Metrics());
  const held = heldQuestions();
  const hung = Array.from({ length: 10 * 80 }, (_, index) =>
    guard.ask({ ...play, appId: 1 + (index % 10) }, deadline, held.question),
  );
  await expect(guard.ask({ ...play, appId: 99 }, deadline, () => Promise.resolve('here'))).resolves.toBe('here');
  while (held.asked() > 0) {
    held.answerAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(hung);
});

it('asks 256 questions of all apps together at a time, and other stores meanwhile', async () => {
  const guard = new StoreGuard(new Metrics());
  const held = heldQuestions();
  const all = Array.from({ length: 17 * 16 }, (_, index) =>
    guard.ask({ ...play, appId: 1 + (index % 17) }, deadline, held.question),
  );
  expect(held.asked()).toBe(256);
  await expect(guard.ask({ appId: 1, store: 'stripe' }, deadline, () => Promise.resolve('here'))).resolves.toBe('here');
  while (held.asked() > 0) {
    held.answerAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
});

it('asks nothing any more when the time is over before the turn comes', async () => {
  const guard = new StoreGuard(new Metrics());
  const held = heldQuestions();
  const first = Array.from({ length: 16 }, () => guard.ask(play, deadline, held.question));
  const late = guard.ask(play, 5, held.question);
  await new Promise((resolve) => setTimeout(resolve, 20));
  held.answerAll();
  await Promise.all(first);
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
  expect(held.asked()).toBe(0);
});

it('takes for silence only what a store had time to answer', async () => {
  const guard = new StoreGuard(new Metrics());
  const answered = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.onabort = () => reject(new StoreFault('unavailable', 'It did not answer in time.'));
      setTimeout(resolve, 40);
    });
  const late = Array.from({ length: 16 }, () => guard.ask(play, 10, answered));
  const behind = Array.from({ length: 8 }, () => guard.ask(play, 10, answered));
  for (const ended of await Promise.allSettled([...late, ...behind])) expect(ended.status).toBe('rejected');
  await expect(guard.ask(play, deadline, answered)).resolves.toBeUndefined();
});

it('passes on what is no fault of a store, as it came', async () => {
  const error = new TypeError('ours');
  await expect(new StoreGuard(new Metrics()).ask(play, deadline, () => Promise.reject(error))).rejects.toBe(error);
});

describe('a question of a recorded trace', () => {
  const whole = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const asked = async (question: () => Promise<unknown>, times = 1) => {
    const tracer = new RecordingTracer();
    const guard = new StoreGuard(new Metrics(), tracer);
    for (let i = 0; i < times; i++)
      await onBehalfOf([whole], () => guard.ask(play, deadline, question)).catch(() => undefined);
    await guard.ask({ appId: 2, store: 'stripe' }, deadline, () => Promise.resolve('untraced'));
    return tracer.spans;
  };

  it('is one span, which says which store was asked and nothing else', async () => {
    const spans = await asked(() => Promise.resolve('here'));
    expect(spans).toMatchObject([{ name: 'ask play_store', kind: 'client', parent: whole.traceparent, error: null }]);
    expect(spans[0]?.attributes).toEqual({ 'peer.service': 'play_store' });
  });

  it('ends with its fault, and where the store is left alone there is none', async () => {
    const spans = await asked(silent, 7);
    expect(spans).toHaveLength(5);
    expect(spans[0]?.error).toBeInstanceOf(StoreFault);
  });
});

describe('what is told of a store that leaves questions unanswered', () => {
  function timedGuard() {
    const metrics = new Metrics();
    const time = { now: 0 };
    const guard = new StoreGuard(metrics, noTracer, () => time.now);
    const told = async (store: string) =>
      Number(new RegExp(`^store_circuits_open{store="${store}"} (\\d+)$`, 'm').exec(await metrics.text())?.[1]);
    const ask = (asks: Asks, question: () => Promise<unknown>, times = 1) =>
      Promise.all(Array.from({ length: times }, () => guard.ask(asks, deadline, question).catch(() => undefined)));
    return { told, ask, time };
  }

  it('is for how many apps', async () => {
    const { ask, told } = timedGuard();
    for (const appId of [1, 2]) await ask({ ...play, appId }, silent, 5);
    await ask({ ...play, asker: 'look-ups' }, silent, 5);
    await ask({ ...play, appId: 3 }, silent, 4);
    expect([await told('play_store'), await told('stripe')]).toEqual([2, 0]);
  });

  it('lasts as long as an app that asks each quarter of an hour is not answered, and for an hour', async () => {
    const { ask, told, time } = timedGuard();
    await ask(play, silent, 5);
    time.now += 15 * 60_000;
    expect(await told('play_store')).toBe(1);
    time.now += 46 * 60_000;
    expect(await told('play_store')).toBe(0);
  });

  it.each([
    ['an answer', () => Promise.resolve('here')],
    ['a refusal', () => Promise.reject(new StoreFault('not-found', 'No such purchase.'))],
  ])('ends with %s to anything else that is asked of the app', async (_, question) => {
    const { ask, told, time } = timedGuard();
    for (const appId of [1, 2]) await ask({ ...play, appId }, silent, 5);
    time.now += 6_000;
    await ask({ ...play, asker: 'look-ups' }, question);
    expect(await told('play_store')).toBe(1);
  });
});
