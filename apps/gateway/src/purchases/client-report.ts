import type { Attribution, ClientReport } from '@paywright/contracts';
import type { ReportedPurchaseDto } from './reported-purchase.dto.ts';

/** What the client says the purchase came of, as received; null if it sent none of it. */
export function attributionOf(dto: ReportedPurchaseDto, abTestId: number | null): Attribution | null {
  const attribution = {
    paywallId: dto.paywallId ?? null,
    placementId: dto.placementId ?? null,
    isExperiment: dto.isExperiment ?? null,
    aiPricingModelId: dto.aiPricingModelId ?? null,
    abTestId,
  };
  return saysSomething(attribution) ? attribution : null;
}

/** What the client says of price and trial; null if it says nothing. */
export function clientReportOf(dto: ReportedPurchaseDto, hasTrialPhase: boolean | null): ClientReport | null {
  const report = {
    price: dto.price == null ? null : decimalOf(dto.price),
    currency: dto.currency || null,
    hasTrialPhase,
  };
  return saysSomething(report) ? report : null;
}

const saysSomething = (fields: object): boolean => Object.values(fields).some((value) => value !== null);

/** To 12 decimals, without an exponent. @param value below 10^18 */
export function decimalOf(value: number): string {
  const shortest = String(value);
  return /^-?\d+(\.\d{1,12})?$/.test(shortest) ? shortest : value.toFixed(12).replace(/\.?0+$/, '');
}
