import { Inject, Injectable } from '@nestjs/common';
import type { AnyCommandDefinition, ReplyOf } from '@paywright/contracts';
import { CommandClient, type CommandToSend } from '@paywright/messaging';
import { Clock, endingWith, Metrics, type Tracer } from '@paywright/platform';
import { type AwaitedProfile, ReadModelProgress } from '@paywright/read-model';
import type { Histogram } from 'prom-client';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG, TRACER } from '../gateway-parts.ts';
import { serviceUnavailable } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';
import { accepted } from './accepted.ts';
import { commandFrom } from './command-from.ts';

interface ProfileCommand<D extends AnyCommandDefinition> {
  readonly caller: Caller;
  readonly profileId: string;
  readonly body: CommandToSend<D>['body'];
}

/** Writes about a profile, each seen by the client's next request through any gateway. */
@Injectable()
export class ProfileWrites {
  readonly #waitSeconds: Histogram;

  constructor(
    private readonly commands: CommandClient,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
    @Inject(TRACER) private readonly tracer: Tracer,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    metrics: Metrics,
  ) {
    const help = 'Time from a write’s reply until the read model showed it';
    this.#waitSeconds = metrics.histogram('gateway_read_your_writes_seconds', help, ['reached']);
  }

  /**
   * Sends the command, and answers its reply once the read model shows what it did.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE (safe to repeat) at the deadline
   */
  async send<D extends AnyCommandDefinition>(
    definition: D,
    { caller, profileId, body }: ProfileCommand<D>,
  ): Promise<ReplyOf<D>> {
    const deadlineMs = this.config.WRITE_DEADLINE_MS;
    const deadline = this.clock.machineNow() + deadlineMs;
    const command = commandFrom(caller, profileId, body, deadlineMs);
    const { streamVersion, personalVersion, body: reply } = accepted(await this.commands.send(definition, command));
    const awaited = { profileId, streamVersion, deadline, ...(personalVersion !== undefined && { personalVersion }) };
    const stop = this.#waitSeconds.startTimer();
    const reached = await this.#shown(caller, awaited);
    stop({ reached: String(reached) });
    if (!reached) throw serviceUnavailable();
    return reply;
  }

  #shown({ traceparent }: Caller, awaited: AwaitedProfile): Promise<boolean> {
    const span = traceparent ? this.tracer.start('await read model', { kind: 'internal', parent: traceparent }) : null;
    return endingWith(span === null ? [] : [span], this.progress.reached(awaited));
  }
}
