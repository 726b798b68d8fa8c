import { Inject, Injectable } from '@nestjs/common';
import type { AnyCommandDefinition, ReplyOf } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import { ReadModelProgress } from '@paywright/read-model';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG } from '../gateway-parts.ts';
import type { Caller } from '../http/caller.ts';
import { AwaitedWrites } from './awaited-writes.ts';
import { commandFrom } from './command-from.ts';

interface ProfileCommand<D extends AnyCommandDefinition> {
  readonly caller: Caller;
  readonly profileId: string;
  readonly body: CommandToSend<D>['body'];
}

/** Writes about a profile, each seen by the client's next request through any gateway. */
@Injectable()
export class ProfileWrites {
  constructor(
    private readonly writes: AwaitedWrites,
    private readonly progress: ReadModelProgress,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  /**
   * Sends the command, and answers its reply once the read model shows what it did.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE (safe to repeat) at the deadline
   */
  send<D extends AnyCommandDefinition>(
    definition: D,
    { caller, profileId, body }: ProfileCommand<D>,
  ): Promise<ReplyOf<D>> {
    const asked = { appId: caller.app.id, key: profileId, body, deadlineMs: this.config.WRITE_DEADLINE_MS };
    return this.writes.send(definition, commandFrom<D>(caller, asked), ({ streamVersion, personalVersion }, deadline) =>
      this.progress.reached({
        ...{ profileId, streamVersion, deadline },
        ...(personalVersion !== undefined && { personalVersion }),
      }),
    );
  }
}
