import { randomUUID } from 'node:crypto';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ReportEvents } from '@paywright/contracts';
import { CommandClient } from '@paywright/messaging';
import { Clock } from '@paywright/platform';
import { ReadModelProgress } from '@paywright/read-model';
import { SessionTokens } from '@paywright/session-token';
import { accepted } from '../commands/accepted.ts';
import { commandFrom } from '../commands/command-from.ts';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG } from '../gateway-parts.ts';
import { CallerOf, type Caller } from '../http/caller.ts';
import { KnownProfiles } from '../profiles/known-profiles.ts';
import { missingProfile } from '../profiles/missing-profile.ts';
import { ProfileIds, requireOurId } from '../profiles/profile-ids.ts';
import { attributed } from './attribution.ts';
import { readEventBatch } from './event-batch.ts';

@Controller('api/v1/web-api/events')
export class EventsV1Controller {
  constructor(
    private readonly ids: ProfileIds,
    private readonly tokens: SessionTokens,
    private readonly profiles: KnownProfiles,
    private readonly commands: CommandClient,
    private readonly clock: Clock,
    private readonly progress: ReadModelProgress,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  /** Acknowledged when the batch is durable: nobody waits for the read model. */
  @Post()
  @HttpCode(200)
  async report(@CallerOf() caller: Caller, @Body() body: unknown): Promise<{ ok: true }> {
    const appId = caller.app.id;
    const batch = readEventBatch(body);
    const profileId = this.ids.named(appId, batch.identity);
    // A repeated batch may be stored already: a token that was young enough for it then is so now.
    const now = caller.begunAt ?? this.clock.now();
    const attribution = { tokens: this.tokens, appId, profileId, now };
    const events = attributed(batch.events, attribution).map((event) => ({ eventId: randomUUID(), ...event }));
    const profile = await this.profiles.find(appId, requireOurId(profileId));
    if (profile === null) throw missingProfile(this.progress);
    const asked = { appId, key: profileId, body: { events }, deadlineMs: this.config.WRITE_DEADLINE_MS };
    accepted(await this.commands.send(ReportEvents, commandFrom<typeof ReportEvents>(caller, asked)));
    return { ok: true };
  }
}
