import { Injectable } from '@nestjs/common';
import { DecisionQueries, ModelQueries, type ModelReportRow } from '@paywright/read-model';
import { policyVersion } from '@paywright/selection-engine';
import type { App } from '../../catalog/apps.ts';
import { ApiError } from '../../http/api-error.ts';
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
  ) {}

  /**
   * @param model as in the path: its id in the catalog
   * @throws ApiError MODEL_NOT_FOUND
   */
  async find({ id: appId, snapshot }: App, model: string): Promise<KnownModel> {
    if (!isStorable(model)) throw modelNotFound();
    const [changes, report] = await Promise.all([
      this.models.changes({ appId, model }),
      this.models.report({ appId, model }),
    ]);
    if (!isInCatalog({ snapshot }, model) && changes.length === 0 && report === null) throw modelNotFound();
    return { model, snapshot, changes, learned: report && (await this.#learned(appId, report)) };
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

export const modelNotFound = (): ApiError => new ApiError('MODEL_NOT_FOUND', 'modelId names no model of this app.');
