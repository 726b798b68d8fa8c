import { Injectable } from '@nestjs/common';
import { CreateApp } from '@paywright/contracts';
import { v7 as uuidv7 } from 'uuid';
import { newApiKey } from '../../catalog/api-key.ts';
import { Apps } from '../../catalog/apps.ts';
import { ApiError, serviceUnavailable } from '../../http/api-error.ts';
import type { Author } from '../access/admin-caller.ts';
import { CatalogWrites } from '../catalog-writes.ts';

/** As many other apps may be created between a look and the claim. */
const mostAttempts = 20;

/** A new app. Its keys are shown this once. */
export interface CreatedApp {
  readonly id: number;
  readonly name: string;
  readonly secretKey: string;
  readonly publicKey: string;
}

/** Creates apps, each with a secret and a public key. */
@Injectable()
export class AppCreation {
  constructor(
    private readonly apps: Apps,
    private readonly writes: CatalogWrites,
  ) {}

  /** Claims the next free id: one that another gateway took meanwhile is refused, and the next one is tried. */
  async create(author: Author, name: string): Promise<CreatedApp> {
    const secret = newApiKey('secret');
    const published = newApiKey('public');
    const first = (this.apps.all().at(-1)?.id ?? 0) + 1;
    const body = { name, actor: author.actor, keys: [secret.record, published.record] };
    for (let id = first; id < first + mostAttempts; id++) {
      try {
        await this.writes.send(CreateApp, { author, appId: id, body, commandId: uuidv7() });
        return { id, name, secretKey: secret.key, publicKey: published.key };
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
    throw serviceUnavailable();
  }
}

const isTaken = (error: unknown) => error instanceof ApiError && error.code === 'APP_NOT_FOUND';
