import { Injectable } from '@nestjs/common';
import { CatalogQueries, DecisionQueries, ModelQueries, type ModelReportRow } from '@paywright/read-model';
import { policyVersion } from '@paywright/selection-engine';
import type { App } from '../../catalog/apps.ts';
import { ApiError } from '../../http/api-error.ts';
import { catalogHas } from '../catalog-has.ts';
import { isStorable } from '../../validation/text.ts';
import { keptSnapshot } from './kept-snapshot.ts';
import type { KnownModel, LearnedModel } from './model-view.ts';
import { StoredReport } from './trainer-report.ts';

/** Models that the catalog has, and former ones that are still known. */
@Injectable()
export class Models {
  constructor(
    private readonly models: ModelQueries,
    private readonly decisions: DecisionQueries,
    private readonly catalogs: CatalogQueries,
  ) {}

  /**
   * @param model as in the path: its id in the catalog
   * @throws ApiError MODEL_NOT_FOUND
   */
  async check(app: App, model: string): Promise<void> {
    if (!isInCatalog(app, model)) await this.#history(app, model);
  }

  /**
   * @param model as in the path: its id in the catalog
   * @throws ApiError MODEL_NOT_FOUND
   */
  async find(app: App, model: string): Promise<KnownModel> {
    const { changes, report, former } = await this.#history(app, model);
    const { id: appId, snapshot } = app;
    const learned = report && (await this.#learned(appId, report));
    const drawn = learned?.report.draws.map(({ paywall }) => paywall) ?? [];
    const present = new Set(snapshot.document.paywalls.map(({ id }) => id));
    const formerPaywalls = await this.catalogs.lastKnown(
      appId,
      'paywalls',
      drawn.filter((paywall) => !present.has(paywall)),
    );
    return { model, snapshot, changes, learned, former, formerPaywalls };
  }

  /** What was done to the model, what it learned, and what it was called if it is archived. */
  async #history(app: App, model: string) {
    if (!isStorable(model)) throw modelNotFound(app);
    const isPresent = isInCatalog(app, model);
    const [changes, report, former] = await Promise.all([
      this.models.changes({ appId: app.id, model }),
      this.models.report({ appId: app.id, model }),
      this.catalogs.lastKnown(app.id, 'models', isPresent ? [] : [model]),
    ]);
    // It may have served, and be archived before anything came of it.
    if (!isPresent && changes.length === 0 && report === null && former.size === 0) throw modelNotFound(app);
    return { changes, report, former: former.get(model) ?? null };
  }

  async #learned(appId: number, { sha256, learnedUntil, report }: ModelReportRow): Promise<LearnedModel> {
    const snapshot = await keptSnapshot(this.decisions, appId, sha256);
    return {
      version: policyVersion(sha256),
      learnedUntil,
      exposures: snapshot && snapshot.exposures,
      report: StoredReport.parse(report),
    };
  }
}

export const isInCatalog = ({ snapshot }: Pick<App, 'snapshot'>, model: string): boolean =>
  snapshot.document.models.some(({ id }) => id === model);

/** @param name of the parameter that named it */
export function modelNotFound({ snapshot }: Pick<App, 'snapshot'>, name = 'modelId'): ApiError {
  const present = catalogHas(snapshot.document.models.map(({ id }) => id));
  return new ApiError('MODEL_NOT_FOUND', `${name} names no model of this app; ${present}`);
}
