import { Injectable } from '@nestjs/common';
import type { AnyCommandDefinition, ReplyOf } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import { Clock } from '@paywright/platform';
import { ReadModelProgress } from '@paywright/read-model';
import { Apps } from '../catalog/apps.ts';
import { AwaitedWrites } from '../commands/awaited-writes.ts';
import { commandFrom } from '../commands/command-from.ts';
import type { Author } from './access/admin-caller.ts';
import { writeDeadlineMs } from './write-deadline.ts';

interface AppCommand<D extends AnyCommandDefinition> {
  readonly author: Author;
  readonly appId: number;
  readonly body: CommandToSend<D>['body'];
  /** Where one request becomes several commands; else the request's own. */
  readonly commandId?: string;
}

/** Changes of apps and their catalogs, each seen by this gateway's next request. */
@Injectable()
export class CatalogWrites {
  constructor(
    private readonly writes: AwaitedWrites,
    private readonly apps: Apps,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the command, and answers its reply once this gateway and the read model have
   * what it did.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE at the deadline
   */
  send<D extends AnyCommandDefinition>(
    definition: D,
    { author, appId, body, commandId = author.commandId }: AppCommand<D>,
  ): Promise<ReplyOf<D>> {
    const asked = { appId, key: String(appId), body, deadlineMs: writeDeadlineMs };
    return this.writes.send(
      definition,
      commandFrom<D>({ ...author, commandId }, asked),
      async ({ streamVersion }, deadline) => {
        const seen = await Promise.all([
          this.apps.reached(appId, streamVersion, Math.max(0, deadline - this.clock.steadyNow())),
          this.progress.catalogReached(appId, streamVersion, deadline),
        ]);
        return seen.every(Boolean);
      },
    );
  }
}
