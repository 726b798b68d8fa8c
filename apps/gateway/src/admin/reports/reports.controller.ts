import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { CatalogQueries, PlacementReportQueries, ReportTooLong, type PlacementPeriod } from '@paywright/read-model';
import { Apps, type App } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { ApiError, NotNowNorLater, validationFailed } from '../../http/api-error.ts';
import { isStorable } from '../../validation/text.ts';
import { findApp } from '../apps/find-app.ts';
import { catalogHas } from '../catalog-has.ts';
import type { Query } from '../listing.ts';
import { modelNotFound } from '../models/models.ts';
import { placementDaysView } from './placement-days-view.ts';
import { placementReportView } from './placement-report-view.ts';
import { reportPeriod } from './report-period.ts';

const usualDays = 30;

@Controller('admin/v1/apps/:appId/reports')
export class ReportsController {
  constructor(
    private readonly apps: Apps,
    private readonly reports: PlacementReportQueries,
    private readonly catalogs: CatalogQueries,
    private readonly clock: Clock,
  ) {}

  @Get('placements/:placementId')
  async ofPlacement(
    @Param('appId') appId: string,
    @Param('placementId') placementId: string,
    @QueryOf() query: Query,
  ): Promise<Answer> {
    const { reported, rows } = await this.#asked(appId, placementId, query, (period) =>
      this.reports.ofPlacement(period),
    );
    return new Answer(placementReportView(reported, rows));
  }

  @Get('placements/:placementId/days')
  async daysOfPlacement(
    @Param('appId') appId: string,
    @Param('placementId') placementId: string,
    @QueryOf() query: Query,
  ): Promise<Answer> {
    const { reported, rows } = await this.#asked(appId, placementId, query, (period) =>
      this.reports.daysOfPlacement(period),
    );
    return new Answer(placementDaysView(reported, rows));
  }

  /** A placement that is gone is known as long as a decision of the period names it. */
  async #asked<Row>(
    appId: string,
    placementId: string,
    query: Query,
    read: (period: PlacementPeriod) => Promise<readonly Row[]>,
  ) {
    const app = findApp(this.apps, appId);
    const period = { appId: app.id, placementId, ...reportPeriod(query, { end: this.clock.now(), days: usualDays }) };
    const model = modelOf(query);
    const ofModel = model === null ? {} : { model: await this.#numberOf(app, model) };
    const rows = isStorable(placementId) ? await read({ ...period, ...ofModel }).catch(refuseTooLong) : [];
    const isKnown = app.snapshot.document.placements.some(({ id }) => id === placementId);
    if (!isKnown && rows.length === 0) {
      const present = catalogHas(app.snapshot.document.placements.map(({ id }) => id));
      throw new ApiError('PLACEMENT_NOT_FOUND', `placementId names no placement of this app; ${present}`);
    }
    return { reported: { ...period, model }, rows };
  }

  /** A decision names its model as apps do, by a number that stays for ever. */
  async #numberOf(app: App, model: string): Promise<number> {
    const { id, snapshot } = app;
    const present = new Map(Object.entries(snapshot.ids.models)).get(model);
    const absent = present === undefined && isStorable(model) ? [model] : [];
    const number = present ?? (await this.catalogs.lastKnown(id, 'models', absent)).get(model)?.number;
    if (number === undefined) throw modelNotFound(app, 'model');
    return number;
  }
}

/** Who is told to send the same request again would wait as long, and be told the same. */
function refuseTooLong(error: unknown): never {
  if (!(error instanceof ReportTooLong)) throw error;
  throw new NotNowNorLater(
    'SERVICE_UNAVAILABLE',
    'The report takes too long: ask for a shorter period, with from and to.',
  );
}

function modelOf({ model }: Query): string | null {
  if (model === undefined) return null;
  if (typeof model === 'string' && model !== '') return model;
  throw validationFailed("model must be one model's id.");
}
