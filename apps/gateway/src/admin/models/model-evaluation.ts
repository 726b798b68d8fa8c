import { Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { DecisionQueries, ModelQueries } from '@paywright/read-model';
import { policyVersion, uniformPolicy } from '@paywright/selection-engine';
import type { App } from '../../catalog/apps.ts';
import { serviceUnavailable, validationFailed } from '../../http/api-error.ts';
import { isoTime } from '../iso-time.ts';
import type { Query } from '../listing.ts';
import { reportPeriod } from '../reports/report-period.ts';
import { evaluatedPolicy, policyName } from './evaluated-policy.ts';
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
    private readonly clock: Clock,
  ) {}

  /**
   * @param query `policy`, and perhaps `days` (of money behind each decision), `from` and `to`
   * @throws ApiError VALIDATION_FAILED
   */
  async evaluate({ id: appId, snapshot }: App, model: string, query: Query): Promise<object> {
    const days = daysOf(query['days']);
    const name = policyName(query['policy'], snapshot.document, snapshot.ids.paywalls);
    const now = this.clock.now();
    const { from, to } = reportPeriod(query, { end: now, days: usualPeriodDays });
    // A younger decision has not had the time to earn.
    const period = { from, to: Math.max(from, Math.min(to, now - days * dayMs)) };
    const current = name.kind === 'current' ? await this.#current(appId, model) : null;
    const wanted = { appId, model, ...period, days, withContext: name.kind === 'current', limit: mostDecisions };
    const { decisions, isWhole } = await this.models.weighed(wanted);
    const log = await policyLog(decisions, evaluatedPolicy(name, current?.bytes ?? null));
    return {
      policy: query['policy'],
      modelVersion: current?.version ?? null,
      from: isoTime(period.from),
      to: isoTime(period.to),
      days,
      isWhole,
      ...policyEstimate(log),
      caution: current?.bytes ? learnedFromThese : null,
    };
  }

  async #current(appId: number, model: string): Promise<{ version: string; bytes: Uint8Array | null }> {
    const report = await this.models.report({ appId, model });
    if (report === null) return { version: uniformPolicy.version, bytes: null };
    const bytes = await this.decisions.modelSnapshot(appId, report.sha256);
    if (bytes === null) throw serviceUnavailable();
    return { version: policyVersion(report.sha256), bytes };
  }
}

function daysOf(value: unknown): number {
  if (value === undefined) return usualDays;
  const days = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (days >= 1 && days <= longestDays) return days;
  throw validationFailed(`days must be an integer from 1 to ${longestDays}.`);
}
