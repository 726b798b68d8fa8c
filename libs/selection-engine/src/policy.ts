import type { EnginePaywall } from './engine-catalog.ts';

/** What is known of the user when a paywall is chosen. Absent is null; nothing here names a person. */
export interface ContextFacts {
  readonly country: string | null;
  readonly storeCountry: string | null;
  readonly locale: string | null;
  readonly currency: string | null;
  readonly device: string | null;
  readonly os: string | null;
  readonly osVersion: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly appBuild: string | null;
  readonly timezone: string | null;
  readonly attributionSource: string | null;
  readonly store: string | null;
  /** Milliseconds since the epoch. */
  readonly profileCreatedAt: number;
  readonly custom: Readonly<Record<string, string>>;
}

/** For whom, when and where a policy chooses. */
export interface ChoiceContext {
  readonly facts: ContextFacts;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The placement whose model serves: not the requested one, when traffic was led on from there. */
  readonly placementId: string;
}

/** What a policy makes of the candidates, in their order. The probabilities are ≥ 0 and add up to 1. */
export interface Choice {
  readonly scores: Float64Array;
  readonly probabilities: Float64Array;
}

/**
 * Weighs candidates. A pure function: the same context and candidates give the same bits under one version.
 * It does not draw: `decide` does, from the very probabilities that are logged.
 */
export interface Policy {
  /** Names the policy and its state in every record. The same version, the same choices. */
  readonly version: string;
  choose(context: ChoiceContext, candidates: readonly EnginePaywall[]): Choice;
}

/** The policy of a model, by the model's id in the catalog. */
export type PolicyOfModel = (model: string) => Policy;
