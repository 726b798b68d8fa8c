import type { Command, DomainEvent } from '@paywright/contracts';
import type { CommandProcessor } from '@paywright/event-sourcing';
import type { Logger, Metrics } from '@paywright/platform';

/**
 * A processor whose commands are counted and timed by type and outcome, and logged with the id of the request that
 * each came from: at DEBUG, but a failed one at WARN, since its dead letter is told of elsewhere.
 */
export function observedProcessor<C extends Command, S, E extends DomainEvent>(
  process: CommandProcessor<C, S, E>,
  metrics: Metrics,
  logger: Logger,
): CommandProcessor<C, S, E> {
  const help = 'Time of the batch in which a command was decided and stored';
  const seconds = metrics.histogram('command_seconds', help, ['type', 'outcome']);
  return async (commands, late) => {
    const startedAt = performance.now();
    const outcomes = await process(commands, late);
    const milliseconds = performance.now() - startedAt;
    for (const outcome of outcomes) {
      const { id, type, requestId = id } = outcome.command;
      seconds.observe({ type, outcome: outcome.kind }, milliseconds / 1_000);
      const fields = { requestId, type, outcome: outcome.kind };
      if (outcome.kind === 'failed') logger.warn({ ...fields, reason: outcome.reason }, 'A command failed');
      else logger.debug({ ...fields, milliseconds }, 'Handled');
    }
    return outcomes;
  };
}
