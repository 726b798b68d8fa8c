import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { DecisionQueries, ProfileQueries, PurchaseQueries, TimelineQueries } from '@paywright/read-model';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { ProfileViewsV1 } from '../../profiles/profile-views-v1.ts';
import { findApp } from '../apps/find-app.ts';
import { decisionView } from '../decisions/decision-view.ts';
import { isoTime } from '../iso-time.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';
import { findProfile } from './find-profile.ts';
import { ledgerEntryView } from './ledger-entry-view.ts';
import { profileSearch } from './profile-search.ts';

@Controller('admin/v1/apps/:appId/profiles')
export class AdminProfilesController {
  constructor(
    private readonly apps: Apps,
    private readonly profiles: ProfileQueries,
    private readonly timelines: TimelineQueries,
    private readonly decisions: DecisionQueries,
    private readonly purchases: PurchaseQueries,
    private readonly views: ProfileViewsV1,
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
