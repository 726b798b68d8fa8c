import { Inject, Injectable } from '@nestjs/common';
import type { AnyCommandDefinition, ReplyOf } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import { Clock } from '@paywright/platform';
import { ReadModelProgress } from '@paywright/read-model';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG } from '../gateway-parts.ts';
import type { Caller } from '../http/caller.ts';
import type { AcceptedReply } from './accepted.ts';
import { AwaitedWrites } from './awaited-writes.ts';
import { commandFrom } from './command-from.ts';

interface ProfileCommand<D extends AnyCommandDefinition> {
  readonly caller: Caller;
  readonly profileId: string;
  readonly body: CommandToSend<D>['body'];
}

/** Makes what a write did known to the next request though the read model is late; false where it cannot. */
type KnownOtherwise<D extends AnyCommandDefinition> = (reply: AcceptedReply<ReplyOf<D>>) => Promise<boolean>;

/** Ten times what the read model takes as a rule. */
const soonMs = 500;

/** Writes about a profile, each seen by the client's next request through any gateway. */
@Injectable()
export class ProfileWrites {
  constructor(
    private readonly writes: AwaitedWrites,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  /**
   * Sends the command, and answers its reply once the read model shows what it did, or `knownOtherwise` has made it known.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE (safe to repeat) at the deadline
   */
  send<D extends AnyCommandDefinition>(
    definition: D,
    { caller, profileId, body }: ProfileCommand<D>,
    knownOtherwise?: KnownOtherwise<D>,
  ): Promise<ReplyOf<D>> {
    const asked = { appId: caller.app.id, key: profileId, body, deadlineMs: this.config.WRITE_DEADLINE_MS };
    const command = commandFrom<D>(caller, asked);
    const shownBy = ({ streamVersion, personalVersion }: AcceptedReply<ReplyOf<D>>, deadline: number) =>
      this.progress.reached({
        ...{ profileId, streamVersion, deadline },
        ...(personalVersion !== undefined && { personalVersion }),
      });
    if (knownOtherwise === undefined) return this.writes.send(definition, command, shownBy);
    return this.writes.send(
      definition,
      command,
      (reply, deadline) => shownBy(reply, Math.min(deadline, this.clock.steadyNow() + soonMs)),
      async (reply, deadline) => (await knownOtherwise(reply)) || shownBy(reply, deadline),
    );
  }
}
