import { Body, Controller, Get, Headers, HttpCode, Param, Put, Query as QueryOf, Res } from '@nestjs/common';
import { ReplaceCatalog } from '@paywright/contracts';
import type { FastifyReply } from 'fastify';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { findApp } from '../apps/find-app.ts';
import { CatalogWrites } from '../catalog-writes.ts';
import { flag, type Query } from '../listing.ts';
import { checkCatalog } from './check-catalog.ts';
import { expectedRevision } from './if-match.ts';
import { hasRevision } from './if-none-match.ts';

@Controller('admin/v1/apps/:appId/catalog')
export class CatalogController {
  constructor(
    private readonly apps: Apps,
    private readonly writes: CatalogWrites,
  ) {}

  @Get()
  read(
    @Param('appId') appId: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const { document, revision } = findApp(this.apps, appId).snapshot;
    void reply.header('etag', `"${revision}"`);
    if (hasRevision(ifNoneMatch, revision)) void reply.code(304).send();
    else void reply.send(new Answer({ ...document, revision }));
  }

  @Put()
  @HttpCode(200)
  async replace(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @QueryOf() query: Query,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() body: unknown,
  ): Promise<Answer> {
    const dryRun = flag(query, 'dryRun');
    const force = flag(query, 'force');
    const ifRevision = expectedRevision(ifMatch);
    const app = findApp(this.apps, appId);
    const document = checkCatalog(body, { force });
    const command = { actor: author.actor, document, ifRevision, dryRun };
    return new Answer(await this.writes.send(ReplaceCatalog, { author, appId: app.id, body: command }));
  }
}
