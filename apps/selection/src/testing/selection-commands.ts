import { randomUUID } from 'node:crypto';
import { CatalogDocument, RecordFallback, ServePaywall } from '@paywright/contracts';
import { commandFor } from '@paywright/event-sourcing/testing';
import { toEngineCatalog, type EngineCatalog } from '@paywright/selection-engine';
import { context, issuedAt } from '@paywright/selection-models/testing';

export const profileId = '01890a5d-ac96-874b-bcce-b302099a8057';

type CatalogJson = Readonly<Record<'models' | 'placements', readonly object[]>>;

const paywalls = ['calm', 'bold', 'plain'].map((id) => ({ id, name: id, externalId: `${id}_v1` }));

/** A catalog as the service holds it: paywalls calm (1), bold (2) and plain (3); models from 11 on. */
export function catalogOf({ models, placements }: CatalogJson, revision = 4): EngineCatalog {
  const document = CatalogDocument.parse({ paywalls, models, placements });
  return toEngineCatalog(revision, document, {
    paywalls: { calm: 1, bold: 2, plain: 3 },
    models: Object.fromEntries(document.models.map(({ id }, index) => [id, 11 + index])),
  });
}

export const placement = (id: string, model: string | null, more: object = {}) => {
  return { id, name: id, baseline: 'plain', model, ...more };
};
export const model = (id: string, traffic: readonly object[], more: object = {}) => {
  return { id, name: id, candidates: ['calm', 'bold'], traffic, ...more };
};

export interface ServeGiven {
  readonly id?: string;
  readonly placementId?: string;
  readonly catalogRevision?: number;
  readonly baselineOnly?: boolean;
  readonly at?: number;
  readonly profileCreatedAt?: number;
}

export const serve = (given: ServeGiven = {}): ServePaywall => {
  const { id = randomUUID(), placementId = 'onboarding', catalogRevision = 4, baselineOnly = false } = given;
  const { profileCreatedAt = context.profileCreatedAt } = given;
  const body = { placementId, catalogRevision, baselineOnly, context: { ...context, profileCreatedAt } };
  return commandFor(ServePaywall, { id, key: profileId, issuedAt: given.at ?? issuedAt, body });
};

export const fallBack = (supersedes: string, id: string = randomUUID()): RecordFallback =>
  commandFor(RecordFallback, {
    id,
    key: profileId,
    body: {
      placementId: 'onboarding',
      paywall: 'plain',
      paywallId: 3,
      externalId: 'plain_v1',
      catalogRevision: 4,
      isExperiment: false,
      aiPricingModelId: 11,
      abTestId: null,
      supersedes,
      reason: 'deadline',
      latencyMs: 1_000,
      context,
    },
  });
