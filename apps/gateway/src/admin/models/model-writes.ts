import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FreezeModel, LimitModelShare, ReplyOf } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import { Clock } from '@paywright/platform';
import { modelStreamOf } from '@paywright/purchases';
import { ModelQueries, type ModelOfApp } from '@paywright/read-model';
import { AwaitedWrites } from '../../commands/awaited-writes.ts';
import { commandFrom } from '../../commands/command-from.ts';
import type { Author } from '../access/admin-caller.ts';
import { writeDeadlineMs } from '../write-deadline.ts';

/** People change models a few times a year: their rows are asked for, and nobody is notified of them. */
const lookEveryMs = 25;

type ModelCommand = typeof FreezeModel | typeof LimitModelShare;

/** Changes of models, each seen by the next request through any gateway. */
@Injectable()
export class ModelWrites {
  constructor(
    private readonly writes: AwaitedWrites,
    private readonly models: ModelQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the command, and answers its reply once the read model shows what it did.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE (safe to repeat) at the deadline
   */
  send<D extends ModelCommand>(
    definition: D,
    author: Author,
    name: ModelOfApp,
    body: CommandToSend<D>['body'],
  ): Promise<ReplyOf<D>> {
    const asked = { appId: name.appId, key: modelStreamOf(name), body, deadlineMs: writeDeadlineMs };
    return this.writes.send(definition, commandFrom<D>(author, asked), ({ streamVersion }, deadline) =>
      this.#shown(name, streamVersion, deadline),
    );
  }

  async #shown(name: ModelOfApp, version: number, deadline: number): Promise<boolean> {
    while ((await this.models.version(name)) < version) {
      if (this.clock.steadyNow() >= deadline) return false;
      await pause(lookEveryMs);
    }
    return true;
  }
}
