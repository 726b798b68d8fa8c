import { Injectable } from '@nestjs/common';
import type { RecordFallback } from '@paywright/contracts';
import type { CommandToPost } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import type { Counter } from 'prom-client';
import { v5 as uuidv5 } from 'uuid';
import type { CompiledPlacement } from '../catalog/compiled-catalog.ts';
import type { Caller } from '../http/caller.ts';
import { encodeFallback, FallbackRecords } from './fallback-records.ts';
import type { ChosenPaywall, NoAnswer, PaywallChoice } from './paywall-selection.ts';

/** Answers in selection's place with a placement's Baseline paywall, and has that recorded. */
@Injectable()
export class BaselineFallback {
  readonly #served: Counter;

  constructor(
    private readonly records: FallbackRecords,
    metrics: Metrics,
  ) {
    const help = 'Paywalls that the gateway served without an answer from selection';
    this.#served = metrics.counter('gateway_fallbacks_total', help, ['reason']);
  }

  /**
   * A decision of its own, which supersedes the one that may still come. Its id follows from the command's, so
   * that a request repeated by its key falls back to the same decision. With a key it is recorded once the answer is
   * kept: before, a repeated request may still be answered with selection's decision, which must then count.
   * @throws ServiceOverloaded if it could not be recorded
   */
  serve(
    caller: Caller,
    choice: PaywallChoice,
    placement: CompiledPlacement,
    { reason, waitedMs }: NoAnswer,
  ): ChosenPaywall {
    const { app, commandId, requestId, traceparent } = caller;
    const { id: placementId, baseline: paywall, aiPricingModelId, abTestId } = placement;
    const decision = {
      decisionId: uuidv5('fallback', commandId),
      placementId,
      paywall: paywall.id,
      paywallId: paywall.paywallId,
      catalogRevision: app.catalog.revision,
      isExperiment: false,
      aiPricingModelId,
      abTestId,
    };
    const { decisionId, ...recorded } = decision;
    const { profileId, context } = choice;
    const body = {
      ...recorded,
      externalId: paywall.externalId,
      supersedes: commandId,
      reason,
      context,
      latencyMs: waitedMs,
    };
    const command = { id: decisionId, appId: app.id, key: profileId, body, traceparent, requestId };
    this.#record(caller, command);
    this.#served.inc({ reason });
    return { decision, paywall };
  }

  #record({ postWithAnswer }: Caller, command: CommandToPost<typeof RecordFallback>): void {
    if (postWithAnswer) postWithAnswer(encodeFallback(command));
    else this.records.record(command);
  }
}
