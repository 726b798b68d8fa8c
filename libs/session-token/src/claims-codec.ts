import type { SessionClaims } from './session-claims.ts';

/**
 * The claims in a fixed layout, so that every token has one length and one spelling:
 * flags (1 byte: bit 0 isExperiment) · profileId, decisionId (16 bytes each) · appId, paywallId,
 * aiPricingModelId, abTestId, issuedAt (float64 each, exact for every safe integer; NaN is null) ·
 * placementId (64 bytes, zeros behind it).
 */
const layout = { flags: 0, profileId: 1, decisionId: 17, numbers: 33, placementId: 73 } as const;
const placementBytes = 64;

const claimsLength = layout.placementId + placementBytes;

const uuidPattern = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;
const placementPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** @throws RangeError if a claim does not fit: an id that is no UUID, a placement id not of a catalog, no integer */
export function encodeClaims(claims: SessionClaims): Buffer {
  const bytes = Buffer.alloc(claimsLength);
  bytes.writeUInt8(claims.isExperiment ? 1 : 0, layout.flags);
  uuidBytes('profileId', claims.profileId).copy(bytes, layout.profileId);
  uuidBytes('decisionId', claims.decisionId).copy(bytes, layout.decisionId);
  const numbers = [claims.appId, claims.paywallId, claims.aiPricingModelId, claims.abTestId, claims.issuedAt];
  numbers.forEach((number, index) => {
    if (number !== null && !Number.isSafeInteger(number)) throw new RangeError('A number of the claims is no integer.');
    bytes.writeDoubleBE(number ?? NaN, layout.numbers + 8 * index);
  });
  if (!placementPattern.test(claims.placementId)) throw new RangeError('placementId is no id of a catalog.');
  bytes.write(claims.placementId, layout.placementId, 'latin1');
  return bytes;
}

/** The claims of bytes that `encodeClaims` wrote; null if these are none. */
export function decodeClaims(bytes: Buffer): SessionClaims | null {
  if (bytes.length !== claimsLength) return null;
  const [appId, paywallId, aiPricingModelId, abTestId, issuedAt] = [0, 1, 2, 3, 4].map((index) => {
    const number = bytes.readDoubleBE(layout.numbers + 8 * index);
    return Number.isSafeInteger(number) ? number : null;
  });
  if (appId == null || paywallId == null || issuedAt == null) return null;
  return {
    appId,
    profileId: uuidText(bytes, layout.profileId),
    decisionId: uuidText(bytes, layout.decisionId),
    placementId: bytes.toString('latin1', layout.placementId).replace(/\0+$/, ''),
    paywallId,
    aiPricingModelId: aiPricingModelId ?? null,
    abTestId: abTestId ?? null,
    isExperiment: bytes.readUInt8(layout.flags) === 1,
    issuedAt,
  };
}

function uuidBytes(name: string, uuid: string): Buffer {
  if (!uuidPattern.test(uuid)) throw new RangeError(`${name} is no UUID.`);
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

const uuidText = (bytes: Buffer, start: number) =>
  bytes.toString('hex', start, start + 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
