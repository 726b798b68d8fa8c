import { topics, type AnyCommandDefinition, DiscardDeadLetter, RetryDeadLetter } from '@paywright/contracts';
import type { Failpoint, OutgoingMessage, ReceivedMessage } from '@paywright/messaging';
import { createLogger, derivedId } from '@paywright/platform';
import type pg from 'pg';
import { z } from 'zod';
import { DeadLetterDesk } from '../dead-letters/dead-letter-desk.ts';
import type { SourceLog } from '../dead-letters/folded-letters.ts';
import { allProjections } from '../projections.ts';
import { clock } from './read-model.ts';

interface DeskParts {
  readonly source?: SourceLog;
  readonly publish?: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly failpoint?: Failpoint;
}

const nothingThere: SourceLog = {
  find: async () => null,
  findNewest: async ({ offset }) => ({ record: null, next: offset }),
};

/** A desk over a test database, as an instance of the projection has one. */
export function openDesk(pool: pg.Pool, parts: DeskParts = {}): DeadLetterDesk {
  return new DeadLetterDesk({
    pool,
    clock,
    projections: allProjections(new Set()),
    source: parts.source ?? nothingThere,
    publish: parts.publish ?? (() => Promise.reject(new Error('this test publishes nothing'))),
    logger: createLogger({ service: 'test', level: 'error' }),
    failpoint: parts.failpoint ?? (() => undefined),
  });
}

let commands = 0;

/** A command of an operator, as it comes from its topic; each of an id of its own, and with somebody who waits. */
function asked(definition: AnyCommandDefinition, deadLetterId: number): ReceivedMessage {
  const at = String(clock.now());
  const headers = {
    type: definition.type,
    version: '1',
    app: '0',
    'issued-at': at,
    deadline: at,
    'reply-partition': '3',
  };
  return {
    topic: topics.deadLetterCommands,
    partition: 0,
    offset: '0',
    key: String(deadLetterId),
    headers: { ...headers, id: derivedId(`operator's command ${commands++}`) },
    value: Buffer.from(JSON.stringify({ actor: 'ops', deadLetterId })),
    timestamp: clock.now(),
  };
}
export const askedToRetry = (id: number) => asked(RetryDeadLetter, id);
export const askedToDiscard = (id: number) => asked(DiscardDeadLetter, id);

const Reply = z.union([
  z.object({ status: z.literal('accepted'), body: RetryDeadLetter.reply }),
  z.object({ status: z.literal('refused'), refusal: z.object({ code: z.string(), message: z.string() }) }),
]);

/** What the desk answers: the outcome, or the code of its refusal with its sentence. */
export async function answerOf(desk: DeadLetterDesk, message: ReceivedMessage) {
  const { publish } = await desk.handle([message]);
  const reply = publish.find(({ topic }) => topic === topics.gatewayReplies);
  const answer = Reply.parse(JSON.parse(String(reply?.value)));
  return answer.status === 'accepted' ? answer.body : answer.refusal;
}
