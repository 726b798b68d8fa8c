import type { DeadLetterOutcome, DiscardDeadLetter, Refusal, Reply, RetryDeadLetter } from '@paywright/contracts';
import type { DeadLetterFilter, DeadLetterInFull, PageRequest, ParkedKeyRow } from '@paywright/read-model';
import { pageOf } from './fake-read-model.ts';

const failedAt = Date.UTC(2026, 0, 1, 12);

export const deadLetter: DeadLetterInFull = {
  id: 12,
  group: 'projection',
  topic: 'profile.events',
  partition: 3,
  offset: '4711',
  key: '0190a5b0-7c3e-8f00-9b1d-3f5a6c7d8e9f',
  appId: 1,
  messageId: '0190a5b3-4f61-7c32-8e40-6c8d9fa01b23',
  type: 'ProfileUpdated.v9',
  status: 'open',
  reason: 'Its source publishes no event of this type and version.',
  attempts: 1,
  recordedAt: failedAt,
  failedAt,
  settledAt: null,
  settledBy: null,
  skippedVersion: null,
  headers: { ce_type: 'ProfileUpdated.v9', 'x-of-a-stranger': 'secret' },
  payload: Buffer.from('{"appId":1}'),
  payloadLength: 11,
  parked: 2,
  actions: [],
};
export const parkedKey: ParkedKeyRow = {
  group: 'projection',
  topic: 'profile.events',
  key: '0190a5b0-7c3e-8f00-9b1d-3f5a6c7d8e9f',
  deadLetterId: 12,
  parked: 2,
  since: failedAt,
};

type Asked = Pick<RetryDeadLetter | DiscardDeadLetter, 'id' | 'key' | 'body' | 'requestId'>;

/** Dead letters handed in, newest first, and the projection that acts on them: it keeps what it is asked. */
export class FakeDeadLetters {
  letters: readonly DeadLetterInFull[] = [];
  keys: readonly ParkedKeyRow[] = [];
  /** What the next actions are refused with. */
  refusal: Refusal | null = null;
  readonly asked: (Asked & { readonly type: string })[] = [];

  readonly queries = {
    list: async ({ group, topic, appId, status }: DeadLetterFilter, request: PageRequest) => {
      const wanted: [unknown, keyof DeadLetterInFull][] = [
        [group, 'group'],
        [topic, 'topic'],
        [appId, 'appId'],
        [status, 'status'],
      ];
      const matches = (letter: DeadLetterInFull) =>
        wanted.every(([value, name]) => value === undefined || letter[name] === value);
      return pageOf(this.letters.filter(matches), request);
    },
    find: async (id: number) => this.letters.find((letter) => letter.id === id) ?? null,
    parked: async (_filter: DeadLetterFilter, request: PageRequest) => pageOf(this.keys, request),
  };

  /** Takes the commands that are its own out of what another is sent. */
  before<Sent>(other: { send(definition: { readonly type: string }, sent: Sent): Promise<Reply> }) {
    return {
      send: ({ type }: { readonly type: string }, sent: Sent & Asked): Promise<Reply> =>
        type === 'RetryDeadLetter' || type === 'DiscardDeadLetter' ? this.#act(type, sent) : other.send({ type }, sent),
    };
  }

  async #act(type: string, { id, key, body, requestId }: Asked): Promise<Reply> {
    this.asked.push({ type, id, key, body, requestId });
    if (this.refusal) return { status: 'refused', refusal: this.refusal };
    return { status: 'accepted', streamVersion: 0, body: this.#outcome(type, body.deadLetterId) };
  }

  #outcome(type: string, id: number): DeadLetterOutcome {
    const status = type === 'RetryDeadLetter' ? 'retried' : 'discarded';
    const rest = { reason: null, attempts: 2, released: 2, parked: 0, nextDeadLetter: null };
    return { id, status, ...rest, skippedVersion: status === 'discarded' ? 2 : null };
  }
}
