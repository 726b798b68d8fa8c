import { Injectable } from '@nestjs/common';
import type { ServedPaywall } from '@paywright/contracts';
import { Clock } from '@paywright/platform';
import { ReadModelProgress } from '@paywright/read-model';
import { SessionTokens } from '@paywright/session-token';
import type { CompiledPaywall } from '../catalog/compiled-catalog.ts';
import type { ServedFields } from '../catalog/paywall-views.ts';
import { ApiError } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';
import { KnownProfiles } from '../profiles/known-profiles.ts';
import { missingProfile } from '../profiles/missing-profile.ts';
import { BaselineFallback } from './baseline-fallback.ts';
import { PaywallSelection } from './paywall-selection.ts';
import { selectionContextOf, type ContextOverrides } from './selection-context-of.ts';

/** A paywall is asked for. `baselineOnly`: by a customer user id alone. */
export interface PaywallRequest {
  readonly placementId: string;
  readonly profileId: string;
  readonly baselineOnly: boolean;
  readonly overrides: ContextOverrides;
}

/** The paywall to show, with what this answer adds to its own fields. */
export interface PaywallAnswer {
  readonly paywall: CompiledPaywall;
  readonly served: ServedFields;
}

/** Fetches paywalls, in both generations: selection chooses, or Baseline is served in its place. */
@Injectable()
export class PaywallServing {
  constructor(
    private readonly profiles: KnownProfiles,
    private readonly selection: PaywallSelection,
    private readonly fallback: BaselineFallback,
    private readonly tokens: SessionTokens,
    private readonly clock: Clock,
    private readonly progress: ReadModelProgress,
  ) {}

  /** @throws ApiError PLACEMENT_NOT_FOUND, PROFILE_NOT_FOUND, CIRCULAR_PLACEMENT_ALLOCATION, SERVICE_UNAVAILABLE */
  async serve(caller: Caller, { overrides, ...request }: PaywallRequest): Promise<PaywallAnswer> {
    const placement = caller.app.catalog.placements.get(request.placementId);
    if (placement === undefined) throw placementNotFound();
    const profile = await this.profiles.find(caller.app.id, request.profileId);
    if (profile === null) throw missingProfile(this.progress);
    const choice = { ...request, context: selectionContextOf(profile, overrides) };
    const chosen = await this.selection.choose(caller, choice);
    const { decision, paywall } = 'reason' in chosen ? this.fallback.serve(caller, choice, placement, chosen) : chosen;
    return { paywall, served: this.#served(caller.app.id, request.profileId, decision) };
  }

  #served(appId: number, profileId: string, decision: ServedPaywall): ServedFields {
    const { decisionId, placementId, paywallId, isExperiment, aiPricingModelId, abTestId } = decision;
    const attested = { appId, profileId, decisionId, placementId, paywallId, isExperiment, aiPricingModelId, abTestId };
    const paywallSessionId = this.tokens.issue({ ...attested, issuedAt: this.clock.now() });
    return { isExperiment, aiPricingModelId, paywallSessionId };
  }
}

const placementNotFound = () => new ApiError('PLACEMENT_NOT_FOUND', 'placementId names no placement of this app.');
