import { Body, Controller, Get, HttpCode, Param, Post, Put, Query as QueryOf } from '@nestjs/common';
import { FreezeModel, LimitModelShare, type ShareLimit } from '@paywright/contracts';
import { Clock } from '@paywright/platform';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { findApp } from '../apps/find-app.ts';
import type { Query } from '../listing.ts';
import { ModelEvaluation } from './model-evaluation.ts';
import { ModelExploration } from './model-exploration.ts';
import { ModelWrites } from './model-writes.ts';
import { modelView } from './model-view.ts';
import { LimitShareDto } from './models.dto.ts';
import { isInCatalog, modelNotFound, Models } from './models.ts';

@Controller('admin/v1/apps/:appId/models/:modelId')
export class ModelsController {
  constructor(
    private readonly apps: Apps,
    private readonly models: Models,
    private readonly evaluation: ModelEvaluation,
    private readonly exploration: ModelExploration,
    private readonly writes: ModelWrites,
    private readonly clock: Clock,
  ) {}

  @Get()
  async read(@Param('appId') appId: string, @Param('modelId') modelId: string): Promise<Answer> {
    const model = await this.models.find(findApp(this.apps, appId), modelId);
    return new Answer(modelView(model, this.clock.now()));
  }

  @Get('evaluation')
  async evaluate(
    @Param('appId') appId: string,
    @Param('modelId') modelId: string,
    @QueryOf() query: Query,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    await this.models.check(app, modelId);
    return new Answer(await this.evaluation.evaluate(app, modelId, query));
  }

  @Get('exploration')
  async explore(
    @Param('appId') appId: string,
    @Param('modelId') modelId: string,
    @QueryOf() query: Query,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    await this.models.check(app, modelId);
    return new Answer(await this.exploration.explored(app, modelId, query));
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

  /** Leaves AI so much of the weight that the catalog has for it, whatever the guard did. */
  @Put('ai-share')
  limitShare(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @Param('modelId') modelId: string,
    @Body() { aiShare }: LimitShareDto,
  ) {
    return this.#limitShare(author, appId, modelId, aiShare);
  }

  /** Gives AI all of it back. */
  @Post('restore-share')
  @HttpCode(200)
  restoreShare(@AuthorOf() author: Author, @Param('appId') appId: string, @Param('modelId') modelId: string) {
    return this.#limitShare(author, appId, modelId, 1);
  }

  async #limitShare(author: Author, appId: string, modelId: string, aiShare: ShareLimit): Promise<Answer> {
    const name = this.#named(appId, modelId);
    const body = { model: name.model, aiShare, actor: author.actor };
    const reply = await this.writes.send(LimitModelShare, author, name, body);
    return new Answer({ id: modelId, aiShare: reply.aiShare });
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
    if (!isInCatalog(app, modelId)) throw modelNotFound(app);
    return { appId: app.id, model: modelId };
  }
}
