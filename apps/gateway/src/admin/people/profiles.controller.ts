import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { DecisionQueries, ProfileQueries, TimelineQueries } from '@paywright/read-model';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { profileViewV1 } from '../../profiles/profile-view-v1.ts';
import { findApp } from '../apps/find-app.ts';
import { decisionView } from '../decisions/decision-view.ts';
import { isoTime } from '../iso-time.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';
import { findProfile } from './find-profile.ts';
import { profileSearch } from './profile-search.ts';

@Controller('admin/v1/apps/:appId/profiles')
export class AdminProfilesController {
  constructor(
    private readonly apps: Apps,
    private readonly profiles: ProfileQueries,
    private readonly timelines: TimelineQueries,
    private readonly decisions: DecisionQueries,
  ) {}

  @Get()
  search(@Param('appId') appId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const search = profileSearch(query);
    const app = findApp(this.apps, appId);
    return listAnswer(this.profiles.search(app.id, search, page), profileViewV1);
  }

  @Get(':profileId')
  async find(@Param('appId') appId: string, @Param('profileId') profileId: string): Promise<Answer> {
    return new Answer(profileViewV1(await findProfile(this.profiles, findApp(this.apps, appId).id, profileId)));
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

  @Get(':profileId/decisions')
  async decisionsOf(@Param('appId') appId: string, @Param('profileId') profileId: string, @QueryOf() query: Query) {
    const page = pageRequest(query);
    const app = findApp(this.apps, appId);
    await findProfile(this.profiles, app.id, profileId);
    return listAnswer(this.decisions.ofProfile(app.id, profileId, page), decisionView);
  }
}
