import { Controller, Delete, Get, HttpCode, Param, Query as QueryOf, StreamableFile } from '@nestjs/common';
import { DecisionQueries, ProfileQueries, PurchaseQueries, TimelineQueries } from '@paywright/read-model';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { ProfileViewsV1 } from '../../profiles/profile-views-v1.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { findApp } from '../apps/find-app.ts';
import { decisionView } from '../decisions/decision-view.ts';
import { isoTime } from '../iso-time.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';
import { findProfile } from './find-profile.ts';
import { ledgerEntryView } from './ledger-entry-view.ts';
import { ProfileErasure } from './profile-erasure.ts';
import { ProfileExport } from './profile-export.ts';
import { profileSearch } from './profile-search.ts';

const jsonType = 'application/json; charset=utf-8';

@Controller('admin/v1/apps/:appId/profiles')
export class AdminProfilesController {
  constructor(
    private readonly apps: Apps,
    private readonly profiles: ProfileQueries,
    private readonly timelines: TimelineQueries,
    private readonly decisions: DecisionQueries,
    private readonly purchases: PurchaseQueries,
    private readonly views: ProfileViewsV1,
    private readonly exports: ProfileExport,
    private readonly erasure: ProfileErasure,
  ) {}

  @Get()
  search(@Param('appId') appId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const search = profileSearch(query);
    const app = findApp(this.apps, appId);
    const shown = this.profiles.search(app.id, search, page).then((found) => this.views.showPage(app, found));
    return listAnswer(shown, (view) => view);
  }

  @Get(':profileId')
  async find(@Param('appId') appId: string, @Param('profileId') profileId: string): Promise<Answer> {
    const app = findApp(this.apps, appId);
    return new Answer(await this.views.show(app, await findProfile(this.profiles, app.id, profileId)));
  }

  /** 202, as what the topics hold is gone only once they are compacted, and the commands once they are old. */
  @Delete(':profileId')
  @HttpCode(202)
  async erase(@AuthorOf() author: Author, @Param('appId') appId: string, @Param('profileId') profileId: string) {
    const erasedAt = await this.erasure.erase(findApp(this.apps, appId), profileId, author);
    return { ok: true, data: { profileId, erasedAt: isoTime(erasedAt) } };
  }

  @Get(':profileId/export')
  async export(@Param('appId') appId: string, @Param('profileId') profileId: string): Promise<StreamableFile> {
    const app = findApp(this.apps, appId);
    const profile = await findProfile(this.profiles, app.id, profileId);
    const disposition = `attachment; filename="profile-${profile.profileId}.json"`;
    return new StreamableFile(await this.exports.open(app, profile), { type: jsonType, disposition });
  }

  @Get(':profileId/timeline')
  async timeline(@Param('appId') appId: string, @Param('profileId') profileId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const app = findApp(this.apps, appId);
    await findProfile(this.profiles, app.id, profileId);
    return listAnswer(this.timelines.ofProfile(app.id, profileId, page), ({ id, type, time, service, data }) => ({
      id,
      type,
      time: isoTime(time),
      service,
      data,
    }));
  }

  @Get(':profileId/ledger')
  async ledger(@Param('appId') appId: string, @Param('profileId') profileId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const app = findApp(this.apps, appId);
    await findProfile(this.profiles, app.id, profileId);
    return listAnswer(this.purchases.ledgerOf(profileId, page), ledgerEntryView);
  }

  @Get(':profileId/decisions')
  async decisionsOf(@Param('appId') appId: string, @Param('profileId') profileId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const app = findApp(this.apps, appId);
    await findProfile(this.profiles, app.id, profileId);
    return listAnswer(this.decisions.ofProfile(app.id, profileId, page), decisionView);
  }
}
