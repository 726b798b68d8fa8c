import type { Queryable, ImpersonalProfileRow } from '@paywright/read-model';
import { findUnshown, forgetUnshown, keepUnshown, purgeUnshown } from './sql/unshown-profiles.sql.ts';

/** As a new profile is: without attributes, and as old as its row. Without what tells the person. */
export type NewProfile = Pick<ImpersonalProfileRow, 'profileId' | 'appId' | 'version' | 'fields' | 'createdAt'>;

/** Longer than anybody lets the projection stand still, a weekend and holidays included. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

interface UnshownRow {
  readonly version: number;
  readonly fields: ImpersonalProfileRow['fields'];
  readonly created_at: Date;
}

/** New profiles that were acknowledged before the read model showed them, for a week, in the table of prisma/gateway. */
export class UnshownProfiles {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  async keep({ profileId, appId, version, fields, createdAt }: NewProfile, now: number): Promise<void> {
    const times = [createdAt, now + keptMs].map((time) => new Date(time));
    await this.#database.query({ ...keepUnshown, values: [profileId, appId, version, fields, ...times] });
  }

  /** Whether the read model shows it by now is for the caller to see. */
  async find(appId: number, profileId: string): Promise<ImpersonalProfileRow | null> {
    const { rows } = await this.#database.query<UnshownRow>({ ...findUnshown, values: [profileId, appId] });
    const [row] = rows;
    if (row === undefined) return null;
    const createdAt = row.created_at.getTime();
    return { profileId, appId, version: row.version, fields: row.fields, custom: [], createdAt, updatedAt: createdAt };
  }

  async forget(profileId: string): Promise<void> {
    await this.#database.query({ ...forgetUnshown, values: [profileId] });
  }

  /** Forgets what has expired. @returns how many that were, `limit` at most */
  async purge(now: number, limit: number): Promise<number> {
    const { rowCount } = await this.#database.query({ ...purgeUnshown, values: [new Date(now), limit] });
    return rowCount ?? 0;
  }
}
