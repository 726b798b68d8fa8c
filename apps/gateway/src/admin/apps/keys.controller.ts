import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { IssueKey, RevokeKey } from '@paywright/contracts';
import { newApiKey } from '../../catalog/api-key.ts';
import { Apps } from '../../catalog/apps.ts';
import { Answer } from '../../http/answer.ts';
import { ApiError } from '../../http/api-error.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { CatalogWrites } from '../catalog-writes.ts';
import { isoTime } from '../iso-time.ts';
import { numberInPath } from '../number-in-path.ts';
import { IssueKeyDto } from './apps.dto.ts';
import { findApp } from './find-app.ts';

const greatestKeyId = 999_999_999;

@Controller('admin/v1/apps/:appId/keys')
export class KeysController {
  constructor(
    private readonly apps: Apps,
    private readonly writes: CatalogWrites,
  ) {}

  /** The key is in this answer, and nowhere else. */
  @Post()
  async issue(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @Body() { kind }: IssueKeyDto,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    const { key, record } = newApiKey(kind);
    const body = { actor: author.actor, key: record };
    const { keyId, createdAt } = await this.writes.send(IssueKey, { author, appId: app.id, body });
    const { prefix } = record;
    return new Answer({ id: keyId, kind, key, prefix, createdAt: isoTime(createdAt) }, { created: true });
  }

  @Delete(':keyId')
  @HttpCode(200)
  async revoke(
    @AuthorOf() author: Author,
    @Param('appId') appId: string,
    @Param('keyId') keyId: string,
  ): Promise<Answer> {
    const app = findApp(this.apps, appId);
    const unknown = new ApiError('KEY_NOT_FOUND', 'keyId names no key of this app.');
    const id = numberInPath('keyId', keyId, greatestKeyId, unknown);
    const body = { actor: author.actor, keyId: id };
    const { revokedAt } = await this.writes.send(RevokeKey, { author, appId: app.id, body });
    return new Answer({ id, revokedAt: isoTime(revokedAt) });
  }
}
