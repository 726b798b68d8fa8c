import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { DecisionQueries, PurchaseQueries, type DecisionRow } from '@paywright/read-model';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { ApiError } from '../../http/api-error.ts';
import { findApp } from '../apps/find-app.ts';
import { DecisionReplays } from './decision-replay.ts';
import { decisionExplanation } from './decision-view.ts';

@Controller('admin/v1/apps/:appId/decisions/:decisionId')
export class DecisionsController {
  constructor(
    private readonly apps: Apps,
    private readonly decisions: DecisionQueries,
    private readonly purchases: PurchaseQueries,
    private readonly replays: DecisionReplays,
  ) {}

  @Get()
  async explain(@Param('appId') appId: string, @Param('decisionId') decisionId: string): Promise<Answer> {
    const app = findApp(this.apps, appId);
    const row = await this.#find(app.id, decisionId);
    const { profileId, decisionId: id } = row.decision;
    const [shownAt, earned] = await Promise.all([
      this.decisions.firstShownAt(app.id, profileId, id),
      this.purchases.outcomeOf(id),
    ]);
    return new Answer(decisionExplanation(row, { shownAt, ...earned }));
  }

  @Post('replay')
  @HttpCode(200)
  async replay(@Param('appId') appId: string, @Param('decisionId') decisionId: string): Promise<Answer> {
    const app = findApp(this.apps, appId);
    return new Answer(await this.replays.replay(app.id, await this.#find(app.id, decisionId)));
  }

  async #find(appId: number, decisionId: string): Promise<DecisionRow> {
    const row = await this.decisions.find(appId, decisionId);
    if (row === null) throw new ApiError('DECISION_NOT_FOUND', 'decisionId names no decision of this app.');
    return row;
  }
}
