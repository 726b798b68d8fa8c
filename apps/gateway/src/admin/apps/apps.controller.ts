import { Body, Controller, Get, Param, Post, Query as QueryOf } from '@nestjs/common';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';
import { AppCreation } from './app-creation.ts';
import { appView } from './app-view.ts';
import { CreateAppDto } from './apps.dto.ts';
import { findApp } from './find-app.ts';
import { pageOfApps } from './page-of-apps.ts';

@Controller('admin/v1/apps')
export class AppsController {
  constructor(
    private readonly apps: Apps,
    private readonly creation: AppCreation,
  ) {}

  @Post()
  async create(@AuthorOf() author: Author, @Body() { name }: CreateAppDto): Promise<Answer> {
    return new Answer(await this.creation.create(author, name), { created: true });
  }

  @Get()
  list(@QueryOf() query: Query) {
    return listAnswer(pageOfApps(this.apps.all(), pageRequest(query)), ({ snapshot }) => appView(snapshot));
  }

  @Get(':appId')
  find(@Param('appId') appId: string): Answer {
    return new Answer(appView(findApp(this.apps, appId).snapshot));
  }
}
