/** What a token attests of the paywall fetch that issued it. `issuedAt` is in milliseconds since the epoch. */
export interface SessionClaims {
  readonly appId: number;
  readonly profileId: string;
  readonly decisionId: string;
  readonly placementId: string;
  readonly paywallId: number;
  readonly aiPricingModelId: number | null;
  readonly abTestId: number | null;
  readonly isExperiment: boolean;
  readonly issuedAt: number;
}

/** Why a token cannot be used for an event. */
export type TokenFault = 'invalid' | 'unsupported-version' | 'wrong-app' | 'expired';
