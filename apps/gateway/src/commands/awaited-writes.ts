import { Inject, Injectable } from '@nestjs/common';
import type { AnyCommandDefinition, ReplyOf } from '@paywright/contracts';
import { CommandClient, type CommandToSend } from '@paywright/messaging';
import { Clock, endingWith, Metrics, type Tracer } from '@paywright/platform';
import type { Histogram } from 'prom-client';
import { TRACER } from '../gateway-parts.ts';
import { serviceUnavailable } from '../http/api-error.ts';
import { accepted, type AcceptedReply } from './accepted.ts';

/** Whether what the command did is shown by the deadline, a `steadyNow()` of the clock. */
type Shown<D extends AnyCommandDefinition> = (reply: AcceptedReply<ReplyOf<D>>, deadline: number) => Promise<boolean>;

/** Writes that are answered once the next request sees them. */
@Injectable()
export class AwaitedWrites {
  readonly #waitSeconds: Histogram;

  constructor(
    private readonly commands: CommandClient,
    private readonly clock: Clock,
    @Inject(TRACER) private readonly tracer: Tracer,
    metrics: Metrics,
  ) {
    const help = 'Time from a write’s reply until the read model showed it';
    this.#waitSeconds = metrics.histogram('gateway_read_your_writes_seconds', help, ['reached']);
  }

  /**
   * Sends the command, and answers its reply once it is shown, or `otherwise` made sure that the next request knows it.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE (safe to repeat) at the command's deadline
   */
  async send<D extends AnyCommandDefinition>(
    definition: D,
    command: CommandToSend<D>,
    shown: Shown<D>,
    otherwise: Shown<D> = () => Promise.resolve(false),
  ): Promise<ReplyOf<D>> {
    const deadline = this.clock.steadyNow() + command.deadlineMs;
    const reply = accepted(await this.commands.send(definition, command));
    const stop = this.#waitSeconds.startTimer();
    const { traceparent: parent } = command;
    const span = parent ? this.tracer.start('await read model', { kind: 'internal', parent }) : null;
    const reached = await endingWith(span === null ? [] : [span], shown(reply, deadline));
    stop({ reached: String(reached) });
    if (!reached && !(await otherwise(reply, deadline))) throw serviceUnavailable();
    return reply.body;
  }
}
