import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { CatalogQueries } from '@paywright/read-model';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { ApiError } from '../../http/api-error.ts';
import { findApp } from '../apps/find-app.ts';
import { isoTime } from '../iso-time.ts';
import { numberInPath } from '../number-in-path.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';

const greatestRevision = 999_999_999;

@Controller('admin/v1/apps/:appId/catalog/revisions')
export class RevisionsController {
  constructor(
    private readonly apps: Apps,
    private readonly catalogs: CatalogQueries,
  ) {}

  @Get()
  list(@Param('appId') appId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const app = findApp(this.apps, appId);
    return listAnswer(this.catalogs.revisions(app.id, page), ({ revision, time, actor }) => ({
      revision,
      time: isoTime(time),
      actor,
    }));
  }

  /** The document as it was, ready to be put back. */
  @Get(':revision')
  async read(@Param('appId') appId: string, @Param('revision') revision: string): Promise<Answer> {
    const app = findApp(this.apps, appId);
    const unknown = new ApiError('REVISION_NOT_FOUND', 'The catalog of this app has no such revision.');
    const found = await this.catalogs.revision(app.id, numberInPath('revision', revision, greatestRevision, unknown));
    if (found === null) throw unknown;
    return new Answer({ ...found.document, revision: found.revision });
  }
}
