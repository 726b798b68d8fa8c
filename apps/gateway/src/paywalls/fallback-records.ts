import { Injectable } from '@nestjs/common';
import { RecordFallback } from '@paywright/contracts';
import { CommandClient, type CommandToPost } from '@paywright/messaging';
import { z } from 'zod';
import type { FollowUps } from '../idempotency/follow-ups.ts';

type Fallback = CommandToPost<typeof RecordFallback>;

const KeptFallback = z.object({
  id: z.uuid(),
  appId: z.int(),
  key: z.uuid(),
  body: RecordFallback.body,
  traceparent: z.string().optional(),
  requestId: z.string().optional(),
});

/** The record of a fallback as it is kept beside its answer. */
export const encodeFallback = (fallback: Fallback): string => JSON.stringify(fallback);

/** Has fallbacks recorded by selection, whose inbox makes a record that is posted again one record. */
@Injectable()
export class FallbackRecords implements FollowUps {
  constructor(private readonly commands: CommandClient) {}

  /** @throws ServiceOverloaded if too many wait to be recorded */
  record(fallback: Fallback): void {
    this.commands.post(RecordFallback, fallback);
  }

  /** @param followUp what `encodeFallback` made */
  post(followUp: string): void {
    this.record(KeptFallback.parse(JSON.parse(followUp)));
  }
}
