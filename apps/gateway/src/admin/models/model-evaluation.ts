import { Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { CatalogQueries, DecisionQueries, ModelQueries } from '@paywright/read-model';
import { policyVersion, uniformPolicy } from '@paywright/selection-engine';
import type { App } from '../../catalog/apps.ts';
import { serviceUnavailable, validationFailed } from '../../http/api-error.ts';
import { isoTime } from '../iso-time.ts';
import type { Query } from '../listing.ts';
import { reportPeriod } from '../reports/report-period.ts';
import { evaluatedPolicy, policyName, type ServedSnapshot } from './evaluated-policy.ts';
import { keptSnapshot } from './kept-snapshot.ts';
import { policyEstimate } from './policy-estimate.ts';
import { mostDecisions, policyLog } from './policy-log.ts';

const dayMs = 86_400_000;
const usualDays = 14;
const longestDays = 730;
const usualPeriodDays = 90;

const learnedFromThese =
  'The model has learned from these decisions, so the estimate leans in its favour. Believe Baseline traffic first.';

/** Asks the log of decisions what a policy would have earned. */
@Injectable()
export class ModelEvaluation {
  constructor(
    private readonly models: ModelQueries,
    private readonly decisions: DecisionQueries,
    private readonly catalogs: CatalogQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * @param query `policy`, and perhaps `days` (of money behind each decision), `from` and `to`
   * @throws ApiError VALIDATION_FAILED; SERVICE_UNAVAILABLE while the model that is served now cannot be read
   */
  async evaluate({ id: appId, snapshot }: App, model: string, query: Query): Promise<object> {
    const days = daysOf(query['days']);
    const name = await policyName(query['policy'], snapshot.document, snapshot.ids.paywalls, (named) =>
      this.catalogs.formerPaywall(appId, named),
    );
    const now = this.clock.now();
    const { from, to } = reportPeriod(query, { end: now, days: usualPeriodDays });
    // A younger decision has not had the time to earn.
    const period = { from, to: Math.max(from, Math.min(to, now - days * dayMs)) };
    const current = name.kind === 'current' ? await this.#current(appId, model) : null;
    const wanted = { appId, model, ...period, days, withContext: name.kind === 'current', limit: mostDecisions };
    const { decisions, isWhole } = await this.models.weighed(wanted);
    const log = await policyLog(decisions, evaluatedPolicy(name, current));
    return {
      policy: query['policy'],
      modelVersion: name.kind === 'current' ? versionOf(current) : null,
      from: isoTime(period.from),
      to: isoTime(period.to),
      days,
      isWhole,
      ...policyEstimate(log, days),
      caution: current && learnedFromThese,
    };
  }

  /** @returns null if the model has learned nothing yet */
  async #current(appId: number, model: string): Promise<ServedSnapshot | null> {
    const report = await this.models.report({ appId, model });
    if (report === null) return null;
    const { sha256 } = report;
    const snapshot = await keptSnapshot(this.decisions, appId, sha256);
    if (snapshot === null) throw serviceUnavailable();
    return { sha256, snapshot };
  }
}

const versionOf = (current: ServedSnapshot | null): string =>
  current === null ? uniformPolicy.version : policyVersion(current.sha256);

function daysOf(value: unknown): number {
  if (value === undefined) return usualDays;
  const days = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (days >= 1 && days <= longestDays) return days;
  throw validationFailed(`days must be an integer from 1 to ${longestDays}.`);
}
