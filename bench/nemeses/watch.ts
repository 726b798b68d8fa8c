import { setTimeout as sleep } from 'node:timers/promises';
import { Probe, type Attempt, type Question } from '../../tests/torture/probe.ts';
import type { Arena } from '../../tests/torture/arena/arena.ts';
import { adminToken } from '../../tests/stack/stack.ts';
import { createSubject, placementId } from '../subject.ts';

/** Longer than a request may take: whoever asks now knows by then. */
const calmMs = 3_000;
const withinMs = 60_000;

/** A request for each kind of work that clients wait for. */
const questionsOf = ({ profileId, paywallSessionId }: { profileId: string; paywallSessionId: string }): Question[] => [
  { path: '/profiles', body: { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios' } },
  { path: '/profiles/custom-attributes', body: { profileId, custom: { key: 'goal', value: 'calm' } } },
  { path: '/paywalls', body: { profileId, placementId } },
  { path: '/events', body: [{ profileId, paywallSessionId, eventType: 'opened' }] },
];

/** Asks for every kind of work five times a second, as long as it is there. */
export class Watch {
  readonly #probes: readonly Probe[];

  private constructor(probes: readonly Probe[]) {
    this.#probes = probes;
  }

  static async open({ stack }: Arena): Promise<Watch> {
    const { secretKey, users } = await createSubject({ gateway: stack.gateways[0]!, adminToken }, 1);
    const questions = questionsOf(users[0]!);
    return new Watch(questions.map((question) => new Probe(() => stack.gateways, secretKey, question)));
  }

  /** What each kind of work was asked for. */
  get attempts(): readonly (readonly Attempt[])[] {
    return this.#probes.map(({ attempts }) => attempts);
  }

  /** Resolves when every request of the last seconds succeeded. @throws if that is not so within a minute */
  async untilWell(): Promise<void> {
    for (const end = performance.now() + withinMs; ; await sleep(100)) {
      const since = performance.now() - calmMs;
      const isWell = this.attempts.every((attempts) => {
        const recent = attempts.filter(({ askedAt }) => askedAt > since);
        return recent.length > 0 && recent.every(({ succeeded }) => succeeded);
      });
      if (isWell) return;
      if (performance.now() > end) throw new Error('requests do not succeed again within a minute');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#probes.map((probe) => probe.stop()));
  }
}
