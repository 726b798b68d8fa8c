import { ApiError, validationFailed } from '../http/api-error.ts';
import type { ProfileIdentity } from '../profiles/profile-ids.ts';
import { compileDto } from '../validation/compile-dto.ts';
import { EventDto } from './event.dto.ts';

const maxEvents = 500;

/** A client's events, all about one profile. */
export interface EventBatch {
  readonly events: readonly EventDto[];
  readonly identity: ProfileIdentity;
}

const checkEvent = compileDto(EventDto);

/**
 * Reads the body of `POST /events`: a fault of shape in any event comes before mixed identifiers.
 * @throws ApiError VALIDATION_FAILED, MIXED_PROFILE_IDENTIFIERS
 */
export function readEventBatch(body: unknown): EventBatch {
  if (!Array.isArray(body) || body.length < 1 || body.length > maxEvents) {
    throw validationFailed(`The body must be an array of 1 to ${maxEvents} events.`);
  }
  const events = body.map((event: unknown, index) => readEvent(event, `[${index}].`));
  return { events, identity: sharedIdentity(events) };
}

function readEvent(body: unknown, path: string): EventDto {
  const event = checkEvent(body, path);
  if (event.profileId == null && event.customerUserId == null) {
    throw validationFailed(`${path}profileId or ${path}customerUserId must be given.`);
  }
  if (event.eventType === 'paywall_shown' && event.paywallSessionId == null) requireExplicitFields(event, path);
  return event;
}

/** `aiPricingModelId` may be null, as a paywall of a placement without a model has it, but not left out. */
function requireExplicitFields(event: EventDto, path: string): void {
  const missing =
    (event.paywallId == null && 'paywallId') ||
    (event.placementId == null && 'placementId') ||
    (event.isExperiment == null && 'isExperiment') ||
    (event.aiPricingModelId === undefined && 'aiPricingModelId');
  if (missing) throw validationFailed(`${path}${missing} must be given where there is no paywallSessionId.`);
}

function sharedIdentity(events: readonly EventDto[]): ProfileIdentity {
  const profileId = events[0]?.profileId ?? null;
  const customerUserId = events[0]?.customerUserId ?? null;
  const same = events.every(
    (event) => (event.profileId ?? null) === profileId && (event.customerUserId ?? null) === customerUserId,
  );
  if (same && (profileId === null || customerUserId === null)) return { profileId, customerUserId };
  throw new ApiError(
    'MIXED_PROFILE_IDENTIFIERS',
    'All events of a request must have the same profileId or the same customerUserId, not both.',
  );
}
