import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { ModelQueries } from '@paywright/read-model';
import type { App } from '../../catalog/apps.ts';
import { isoTime } from '../iso-time.ts';
import type { Query } from '../listing.ts';
import { reportPeriod } from '../reports/report-period.ts';
import { ExplorationSums } from './exploration.ts';
import { mostDecisions, turn } from './policy-log.ts';

const usualPeriodDays = 30;

/** Asks the log of decisions how a model spread its choices. */
@Injectable()
export class ModelExploration {
  constructor(
    private readonly models: ModelQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * @param query perhaps `from` and `to`
   * @throws ApiError VALIDATION_FAILED
   */
  async explored({ id: appId }: App, model: string, query: Query): Promise<object> {
    const { from, to } = reportPeriod(query, { end: this.clock.now(), days: usualPeriodDays });
    // No money is asked for: a day of it is the least to read.
    const wanted = { appId, model, from, to, days: 1, withContext: false, limit: mostDecisions };
    const { decisions, isWhole } = await this.models.weighed(wanted);
    const sums = new ExplorationSums();
    for (const [index, decision] of decisions.entries()) {
      if (index % turn === turn - 1) await nextTurn();
      sums.add(decision.weighing());
    }
    return { from: isoTime(from), to: isoTime(to), isWhole, ...sums.means() };
  }
}
