import type { Command, CommandTopic, DomainEvent } from '@paywright/contracts';
import { type CommandProcessor, isConflict, isInfrastructureFault } from '@paywright/event-sourcing';
import {
  type BatchHandler,
  type BatchResult,
  type BrokerTime,
  commandResults,
  decodeCommands,
  InfrastructureFault,
  type ReceivedMessage,
  type Service,
} from '@paywright/messaging';
import type { WriteServiceParts } from './write-service.ts';

/** What a service's controller hands its batches to: Nest's token for it. */
export class CommandBatchHandler {
  readonly handle: BatchHandler;

  constructor(handle: BatchHandler) {
    this.handle = handle;
  }
}

export interface CommandBatchOptions<C extends Command, S, E extends DomainEvent> {
  readonly service: Service;
  readonly topic: CommandTopic;
  readonly process: CommandProcessor<C, S, E>;
  /** Told of all that is fetched. */
  readonly brokerTime: BrokerTime;
  readonly before?: WriteServiceParts<C, S, E>['before'];
  readonly extraRecords?: WriteServiceParts<C, S, E>['extraRecords'];
}

/**
 * From a batch of messages to all that is to be published: decoded, decided, stored. Whether anybody still waits is for
 * the clock of the broker to say: compared with the sender's, ours would drop everything where one is seconds off.
 */
export function createCommandBatchHandler<C extends Command, S, E extends DomainEvent>(
  options: CommandBatchOptions<C, S, E>,
): CommandBatchHandler {
  const { service, topic, process, brokerTime, before, extraRecords = () => [] } = options;
  return new CommandBatchHandler(async (messages: readonly ReceivedMessage[]): Promise<BatchResult> => {
    const decoded = decodeCommands(topic, messages);
    // The topic's commands are those of its service's decider: of any other type there is no rule, and it fails.
    const commands = decoded.commands as readonly Command[] as readonly C[];
    const isLate = (command: C, index: number) => brokerTime.timeLeft(command, decoded.messages[index]!) <= 0;
    const late = new Set(commands.filter(isLate));
    await before?.(commands).catch(asInfrastructureFault);
    const outcomes = await process(commands, late).catch((error: unknown) => {
      // A conflict that does not end is other instances' haste, and no fault of the commands.
      if (isInfrastructureFault(error) || isConflict(error)) return asInfrastructureFault(error);
      throw error;
    });
    const results = commandResults(topic, service, outcomes, decoded.messages);
    const extra = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? extraRecords(outcome) : []));
    return {
      publish: [...results.publish, ...extra],
      deadLetters: [...decoded.deadLetters, ...results.deadLetters],
      stored: true,
    };
  });
}

function asInfrastructureFault(error: unknown): never {
  throw new InfrastructureFault('the batch cannot be handled now', { cause: error });
}
