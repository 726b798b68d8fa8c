import { Controller, Get, Query as QueryOf } from '@nestjs/common';
import { CatalogQueries } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';

/** What was done about dead letters is of no app, if these name none. */
const noApp = 0;

@Controller('admin/v1/audit')
export class AuditController {
  constructor(private readonly catalogs: CatalogQueries) {}

  @Get()
  list(@QueryOf() query: Query) {
    return listAnswer(this.catalogs.audit(pageRequest(query)), ({ id, time, actor, action, appId, before, after }) => ({
      id,
      time: isoTime(time),
      actor,
      action,
      appId: appId === noApp ? null : appId,
      before,
      after,
    }));
  }
}
