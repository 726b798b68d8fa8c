import { Inject, Injectable } from '@nestjs/common';
import {
  ServePaywall,
  type RecordFallback,
  type Reply,
  type SelectionContext,
  type ServedPaywall,
} from '@paywright/contracts';
import { CommandClient, CommandTimeout, ServiceOverloaded } from '@paywright/messaging';
import type { Logger } from '@paywright/platform';
import { Apps } from '../catalog/apps.ts';
import type { CompiledPaywall } from '../catalog/compiled-catalog.ts';
import { commandFrom } from '../commands/command-from.ts';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG, LOGGER } from '../gateway-parts.ts';
import { ApiError } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';

/** A paywall is to be chosen. `baselineOnly`: the profile was named by a customer user id alone. */
export interface PaywallChoice {
  readonly placementId: string;
  readonly profileId: string;
  readonly baselineOnly: boolean;
  readonly context: SelectionContext;
}

/** What is served: the decision, and its paywall in the catalog revision that decided. */
export interface ChosenPaywall {
  readonly decision: ServedPaywall;
  readonly paywall: CompiledPaywall;
}

/** Selection has not chosen: why, and how long it was waited for, in whole milliseconds. */
export interface NoAnswer {
  readonly reason: RecordFallback['body']['reason'];
  readonly waitedMs: number;
}

/** Asks the selection service, which decides and records. */
@Injectable()
export class PaywallSelection {
  constructor(
    private readonly commands: CommandClient,
    private readonly apps: Apps,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The service's choice; or why there is none by the deadline.
   * @throws ApiError with the service's refusal, such as CIRCULAR_PLACEMENT_ALLOCATION
   */
  async choose(caller: Caller, choice: PaywallChoice): Promise<ChosenPaywall | NoAnswer> {
    const begun = performance.now();
    const chosen = await this.#ask(caller, choice);
    return typeof chosen === 'string' ? { reason: chosen, waitedMs: Math.round(performance.now() - begun) } : chosen;
  }

  async #ask(caller: Caller, { profileId, ...choice }: PaywallChoice): Promise<ChosenPaywall | NoAnswer['reason']> {
    const deadlineMs = this.config.PAYWALL_DEADLINE_MS;
    const giveUpAt = performance.now() + deadlineMs;
    const body = { ...choice, catalogRevision: caller.app.catalog.revision };
    try {
      const asked = { appId: caller.app.id, key: profileId, body, deadlineMs };
      const reply = await this.commands.send(ServePaywall, commandFrom<typeof ServePaywall>(caller, asked));
      // Selection refuses what its own copy of the catalog is too old to decide, and what is too long to be recorded:
      // for the client it is not there.
      if (reply.status === 'failed' || isUnavailable(reply)) return 'unavailable';
      if (reply.status === 'refused') throw new ApiError(reply.refusal.code, reply.refusal.message);
      const paywall = await this.#paywallOf(caller.app.id, reply.body, giveUpAt - performance.now());
      return paywall === undefined ? 'unavailable' : { decision: reply.body, paywall };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof CommandTimeout) return 'deadline';
      if (error instanceof ServiceOverloaded) return 'overload';
      this.logger.error({ error }, 'Selection could not be asked: Baseline is served');
      return 'unavailable';
    }
  }

  /** Selection may know a newer catalog than this gateway does yet. After a restart older ones are not held. */
  async #paywallOf(appId: number, decision: ServedPaywall, withinMs: number): Promise<CompiledPaywall | undefined> {
    const { catalogRevision, paywall } = decision;
    const held = this.apps.find(appId)?.catalogAt(catalogRevision);
    if (held !== undefined) return held.paywalls.get(paywall);
    await this.apps.reachedRevision(appId, catalogRevision, withinMs);
    const app = this.apps.find(appId);
    return (app?.catalogAt(catalogRevision) ?? app?.catalog)?.paywalls.get(paywall);
  }
}

const isUnavailable = (reply: Reply) =>
  reply.status === 'refused' && ['SERVICE_UNAVAILABLE', 'PAYLOAD_TOO_LARGE'].includes(reply.refusal.code);
