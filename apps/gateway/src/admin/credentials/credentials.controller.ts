import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { RecordCredentialsChange, type Store } from '@paywright/contracts';
import { StoreCredentialsBook } from '@paywright/store-credentials';
import { Apps, type App } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { findApp } from '../apps/find-app.ts';
import { CatalogWrites } from '../catalog-writes.ts';
import { checkCredentialsForm } from './check-credentials-form.ts';
import { CredentialsChecks } from './credentials-checks.ts';
import { credentialsView } from './credentials-view.ts';
import { StoreInPath, storeSegments } from './store-in-path.ts';

/**
 * What opens the stores, for writing alone. A change is made first and told to the audit after: if that fails, the
 * client is told to repeat it, and a repeated change is told again.
 */
@Controller('admin/v1/apps/:appId/credentials')
export class CredentialsController {
  constructor(
    private readonly apps: Apps,
    private readonly book: StoreCredentialsBook,
    private readonly writes: CatalogWrites,
    private readonly checks: CredentialsChecks,
  ) {}

  @Get()
  read(@Param('appId') appId: string): Answer {
    return this.#answer(findApp(this.apps, appId));
  }

  @Put(storeSegments)
  @HttpCode(200)
  async set(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @StoreInPath() store: Store,
    @Body() body: unknown,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    await this.book.put(app.id, store, checkCredentialsForm(store, body));
    return this.#told(app, author, store, 'set');
  }

  @Delete(storeSegments)
  @HttpCode(200)
  async remove(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @StoreInPath() store: Store,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    await this.book.remove(app.id, store);
    return this.#told(app, author, store, 'removed');
  }

  @Post(storeSegments.map((segment) => `${segment}/check`))
  @HttpCode(200)
  async check(@Param('appId') appId: string, @StoreInPath() store: Store): Promise<Answer> {
    return new Answer(await this.checks.check(findApp(this.apps, appId), store));
  }

  async #told(app: App, author: Author, store: Store, change: 'set' | 'removed'): Promise<Answer> {
    const body = { actor: author.actor, store, change };
    await this.writes.send(RecordCredentialsChange, { author, appId: app.id, body });
    return this.#answer(app);
  }

  #answer({ id }: App): Answer {
    return new Answer(credentialsView(this.book.summaries(id)));
  }
}
