import type { ErrorCode, ReportedEvent } from '@paywright/contracts';
import { checkToken, type SessionClaims, type SessionTokens, type TokenFault } from '@paywright/session-token';
import { ApiError } from '../http/api-error.ts';
import type { EventDto } from './event.dto.ts';

type Attribution = Omit<ReportedEvent, 'eventId' | 'eventType'>;
/** An event as it is reported, but for its id. */
export type AttributedEvent = Omit<ReportedEvent, 'eventId'>;

export interface AttributionContext {
  readonly tokens: SessionTokens;
  readonly appId: number;
  readonly profileId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Each event of a batch with what it is attributed to: what its token attests, else its explicit fields as sent.
 * @throws ApiError for the first token that cannot be used
 */
export function attributed(events: readonly EventDto[], context: AttributionContext): AttributedEvent[] {
  // The events of a batch mostly share one token: its signature is computed once.
  const verified = new Map<string, SessionClaims>();
  return events.map((event, index) => {
    const { eventType, paywallSessionId: token } = event;
    if (token == null) return { eventType, ...explicitAttribution(event) };
    const claims = verified.get(token) ?? verifiedClaims(context.tokens, token, index);
    verified.set(token, claims);
    const fault = checkToken(claims, { ...context, eventType });
    if (fault !== null) throw unusable(fault, index);
    return { eventType, ...attestedAttribution(claims, context.profileId) };
  });
}

function verifiedClaims(tokens: SessionTokens, token: string, index: number): SessionClaims {
  const verification = tokens.verify(token);
  if (!verification.ok) throw unusable(verification.fault, index);
  return verification.claims;
}

/** The messages are the specification's, which cannot say of which event they are: the details do. */
function unusable(fault: TokenFault, index: number): ApiError {
  const [code, message] = tokenFaults[fault];
  return new ApiError(code, message, [{ path: `/${index}/paywallSessionId`, message }]);
}

const tokenFaults: Readonly<Record<TokenFault, readonly [ErrorCode, string]>> = {
  invalid: ['SESSION_TOKEN_INVALID', 'paywallSessionId is not a valid Paywright paywall session token.'],
  'unsupported-version': ['SESSION_TOKEN_UNSUPPORTED_VERSION', 'paywallSessionId uses an unsupported token version.'],
  'wrong-app': ['SESSION_TOKEN_WRONG_APP', 'paywallSessionId was issued for a different app.'],
  expired: [
    'SESSION_TOKEN_EXPIRED',
    'paywallSessionId has expired for this event type. Fetch a new paywall before reporting the view.',
  ],
};

const attestedAttribution = (claims: SessionClaims, profileId: string): Attribution => ({
  decisionId: claims.decisionId,
  paywallId: claims.paywallId,
  placementId: claims.placementId,
  aiPricingModelId: claims.aiPricingModelId,
  abTestId: claims.abTestId,
  isExperiment: claims.isExperiment,
  foreignToken: claims.profileId !== profileId,
});

const explicitAttribution = (event: EventDto): Attribution => ({
  decisionId: null,
  paywallId: event.paywallId ?? null,
  placementId: event.placementId ?? null,
  aiPricingModelId: event.aiPricingModelId ?? null,
  abTestId: event.abTestId ?? null,
  isExperiment: event.isExperiment ?? null,
  foreignToken: false,
});
