import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FreezeModel, LimitModelShare, ReplyOf } from '@paywright/contracts';
import { CommandClient, type CommandToSend } from '@paywright/messaging';
import { Clock } from '@paywright/platform';
import { modelStreamOf } from '@paywright/purchases';
import { ModelQueries, type ModelOfApp } from '@paywright/read-model';
import { accepted } from '../../commands/accepted.ts';
import { writeDeadlineMs } from '../write-deadline.ts';
import { serviceUnavailable } from '../../http/api-error.ts';
import type { Author } from '../access/admin-caller.ts';

/** People change models a few times a year: their rows are asked for, and nobody is notified of them. */
const lookEveryMs = 25;

type ModelCommand = typeof FreezeModel | typeof LimitModelShare;

/** Changes of models, each seen by the next request through any gateway. */
@Injectable()
export class ModelWrites {
  constructor(
    private readonly commands: CommandClient,
    private readonly models: ModelQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the command, and answers its reply once the read model shows what it did.
   * @throws ApiError with the service's refusal; SERVICE_UNAVAILABLE (safe to repeat) at the deadline
   */
  async send<D extends ModelCommand>(
    definition: D,
    { commandId, traceparent }: Author,
    name: ModelOfApp,
    body: CommandToSend<D>['body'],
  ): Promise<ReplyOf<D>> {
    const deadline = this.clock.machineNow() + writeDeadlineMs;
    const { streamVersion, body: reply } = accepted(
      await this.commands.send(definition, {
        id: commandId,
        appId: name.appId,
        key: modelStreamOf(name),
        body,
        deadlineMs: writeDeadlineMs,
        traceparent,
      }),
    );
    while ((await this.models.version(name)) < streamVersion) {
      if (this.clock.machineNow() >= deadline) throw serviceUnavailable();
      await pause(lookEveryMs);
    }
    return reply;
  }
}
