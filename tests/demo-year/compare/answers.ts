/** What the APIs say of a profile, as far as the comparison looks at it. */
export interface ProfileAnswer {
  readonly profileId: string;
  readonly state: string;
  readonly paid: boolean;
  readonly totalRevenueUsd: number;
  readonly accessLevels: Readonly<Record<string, AccessAnswer>>;
  readonly subscriptions: Readonly<Record<string, AccessAnswer>>;
  readonly nonSubscriptions: Readonly<Record<string, { readonly isRefund: boolean; readonly store: string }>>;
}

export interface AccessAnswer {
  readonly isActive: boolean;
  readonly willRenew: boolean;
  readonly isInGracePeriod: boolean;
  readonly isLifetime: boolean;
  /** ISO 8601, as the other one. */
  readonly startsAt: string | null;
  readonly expiresAt: string | null;
}

export interface LedgerRow {
  readonly id: string;
  readonly time: string;
  readonly type: string;
  readonly store: string;
  readonly environment: string;
  readonly transactionId: string;
  readonly productId: string;
  /** Decimal texts. */
  readonly amount: string;
  readonly currency: string;
  readonly usd: string | null;
  readonly rate: string | null;
  readonly refundOf: string | null;
  readonly paywallId: number | null;
  readonly placementId: string | null;
  readonly decisionId: string | null;
}
