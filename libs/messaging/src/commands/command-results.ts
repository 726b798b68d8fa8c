import { topics, type CommandTopic, type Outcome, type Reply } from '@paywright/contracts';
import { toCloudEvent } from '../events/cloud-event.ts';
import { personalMessage } from '../events/personal-message.ts';
import type { BatchResult, DeadLetter, OutgoingMessage, ReceivedMessage } from '../message.ts';
import type { Service } from '../services.ts';
import { commandReply, replyAddress } from './reply.ts';

/**
 * All that a batch of commands leads to: events and personal records in the order of the commands, and the replies,
 * byte for byte as they are stored. A failed command is a dead letter, whose reply says so, and so is one that is too long
 * where nobody hears of it; an expired one is nothing.
 * @param outcomes one a command, in offset order
 * @param messages the commands' own, in the same order: an id may stand in several, which differ in who waits
 */
export function commandResults(
  topic: CommandTopic,
  service: Service,
  outcomes: readonly Outcome[],
  messages: readonly ReceivedMessage[],
): BatchResult {
  const publish: OutgoingMessage[] = [];
  const deadLetters: DeadLetter[] = [];
  const published = new Set<string>();
  for (const [index, outcome] of outcomes.entries()) {
    const message = messages[index];
    if (!message) throw new Error(`An outcome on ${topic} belongs to no message of its batch.`);
    const reason = outcome.kind === 'failed' ? outcome.reason : unheardLoss(message, outcome);
    if (reason !== null) deadLetters.push({ message, reason });
    // A command given twice in a batch has its events twice in the outcomes.
    const again = published.has(outcome.command.id);
    published.add(outcome.command.id);
    if (!again) publish.push(...recordsOf(service, outcome));
    publish.push(...replyTo(message, outcome));
  }
  return { publish, deadLetters };
}

function recordsOf(service: Service, outcome: Outcome): OutgoingMessage[] {
  if (outcome.kind !== 'accepted') return [];
  const { events, personal, command } = outcome;
  const records = events.map((event) => toCloudEvent(service, event, command.key, command.traceparent));
  return personal === null ? records : [...records, personalMessage(personal)];
}

/** Why a command is lost that no rule refused, if nobody is told. */
function unheardLoss({ headers }: ReceivedMessage, outcome: Outcome): string | null {
  if (outcome.kind !== 'refused' || replyAddress(headers) !== null) return null;
  const reply = JSON.parse(outcome.reply) as Reply; // the text is ours
  return reply.status === 'refused' && reply.refusal.code === 'PAYLOAD_TOO_LARGE' ? reply.refusal.message : null;
}

function replyTo({ headers }: ReceivedMessage, outcome: Outcome): OutgoingMessage[] {
  const address = replyAddress(headers);
  if (address === null || outcome.kind === 'failed' || outcome.kind === 'expired') return [];
  const version = outcome.kind === 'accepted' ? outcome.events.at(-1)?.streamVersion : undefined;
  return [
    commandReply(topics.gatewayReplies, address, outcome.reply, {
      status: outcome.kind,
      stream: outcome.command.key,
      ...(version !== undefined && { 'stream-version': String(version) }),
    }),
  ];
}
