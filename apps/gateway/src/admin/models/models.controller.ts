import { Controller, Get, HttpCode, Param, Post, Query as QueryOf } from '@nestjs/common';
import { FreezeModel, SetAiShare } from '@paywright/contracts';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { findApp } from '../apps/find-app.ts';
import type { Query } from '../listing.ts';
import { ModelEvaluation } from './model-evaluation.ts';
import { ModelWrites } from './model-writes.ts';
import { modelView } from './model-view.ts';
import { isInCatalog, modelNotFound, Models } from './models.ts';

@Controller('admin/v1/apps/:appId/models/:modelId')
export class ModelsController {
  constructor(
    private readonly apps: Apps,
    private readonly models: Models,
    private readonly evaluation: ModelEvaluation,
    private readonly writes: ModelWrites,
  ) {}

  @Get()
  async read(@Param('appId') appId: string, @Param('modelId') modelId: string): Promise<Answer> {
    return new Answer(modelView(await this.models.find(findApp(this.apps, appId), modelId)));
  }

  @Get('evaluation')
  async evaluate(
    @Param('appId') appId: string,
    @Param('modelId') modelId: string,
    @QueryOf() query: Query,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    await this.models.find(app, modelId);
    return new Answer(await this.evaluation.evaluate(app, modelId, query));
  }

  @Post('freeze')
  @HttpCode(200)
  freeze(@AuthorOf() author: Author, @Param('appId') appId: string, @Param('modelId') modelId: string) {
    return this.#freeze(author, appId, modelId, true);
  }

  @Post('unfreeze')
  @HttpCode(200)
  unfreeze(@AuthorOf() author: Author, @Param('appId') appId: string, @Param('modelId') modelId: string) {
    return this.#freeze(author, appId, modelId, false);
  }

  /** Gives AI the whole share back that the catalog has for it. To take some away is the catalog's. */
  @Post('restore-share')
  @HttpCode(200)
  async restoreShare(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @Param('modelId') modelId: string,
  ): Promise<Answer> {
    const name = this.#named(appId, modelId);
    const body = { model: name.model, from: null, aiShare: 1, evidence: null, actor: author.actor } as const;
    const { aiShare } = await this.writes.send(SetAiShare, author, name, body);
    return new Answer({ id: modelId, aiShare });
  }

  async #freeze(author: Author, appId: string, modelId: string, isFrozen: boolean): Promise<Answer> {
    const name = this.#named(appId, modelId);
    const body = { model: name.model, isFrozen, actor: author.actor };
    const reply = await this.writes.send(FreezeModel, author, name, body);
    return new Answer({ id: modelId, isFrozen: reply.isFrozen });
  }

  /** What serves nobody is not changed. */
  #named(appId: string, modelId: string) {
    const app = findApp(this.apps, appId);
    if (!isInCatalog(app, modelId)) throw modelNotFound();
    return { appId: app.id, model: modelId };
  }
}
