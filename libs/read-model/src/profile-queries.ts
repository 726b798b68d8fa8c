import { z } from 'zod';
import { coalescing } from './coalescing.ts';
import type { Queryable } from './database.ts';
import { ListCursors, type Page, type PageRequest } from './page.ts';
import type { ImpersonalProfileRow, ProfileRow } from './rows.ts';
import {
  searchProfiles,
  selectImpersonalProfiles,
  selectProfileVersion,
  selectProfiles,
  toImpersonalProfileRow,
  toProfileRow,
  type SelectedImpersonalProfile,
  type SelectedProfile,
} from './sql/select-profiles.sql.ts';
import { toUuid } from './uuid.ts';

const cursors = new ListCursors('profiles', z.uuid());

/** `query` is a profile id or the beginning of a customer user id. */
export type ProfileSearch = { readonly customerUserId: string } | { readonly query: string };

/** Profiles as the read model shows them. A profile of another app is none. */
export class ProfileQueries {
  readonly #database: Queryable;
  readonly #load: Load<ProfileRow>;
  readonly #loadImpersonal: Load<ImpersonalProfileRow>;

  constructor(database: Queryable) {
    this.#database = database;
    this.#load = loading(database, { name: 'select-profiles', text: selectProfiles }, toProfileRow);
    const impersonal = { name: 'select-impersonal-profiles', text: selectImpersonalProfiles };
    this.#loadImpersonal = loading(database, impersonal, toImpersonalProfileRow);
  }

  /** @param profileId any text: what is no UUID names no profile */
  find(appId: number, profileId: string): Promise<ProfileRow | null> {
    return findOf(this.#load, appId, profileId);
  }

  /** What may be known to who does not ask for the person: nothing personal is read. */
  findImpersonal(appId: number, profileId: string): Promise<ImpersonalProfileRow | null> {
    return findOf(this.#loadImpersonal, appId, profileId);
  }

  /** The version of the profile's stream that the read model shows, of an erased one too; 0 if it knows of none. */
  async versionOf(profileId: string): Promise<number> {
    const statement = { name: 'select-profile-version', text: selectProfileVersion, values: [profileId] };
    const { rows } = await this.#database.query<{ version: number }>(statement);
    return rows[0]?.version ?? 0;
  }

  async exists(appId: number, profileId: string): Promise<boolean> {
    return (await this.findImpersonal(appId, profileId)) !== null;
  }

  /**
   * Profiles by customer user id, in its order; a profile id finds its one. A list ends early if the last
   * profile that it showed is erased before the next page is asked for.
   * @throws InvalidCursor
   */
  async search(appId: number, search: ProfileSearch, { limit, cursor }: PageRequest): Promise<Page<ProfileRow>> {
    const after = cursors.read(cursor);
    const byId = 'query' in search && after === null ? await this.find(appId, search.query) : null;
    if (byId) return { entries: [byId], nextCursor: null };
    const pattern = 'query' in search ? `${escapeLike(search.query)}%` : escapeLike(search.customerUserId);
    const { rows } = await this.#database.query<SelectedProfile>({
      name: 'search-profiles',
      text: searchProfiles,
      values: [appId, pattern, after, limit + 1],
    });
    return cursors.page(rows.map(toProfileRow), limit, ({ profileId }) => profileId);
  }
}

type Load<Row> = (profileId: string) => Promise<Row | null>;

async function findOf<Row extends ImpersonalProfileRow>(load: Load<Row>, appId: number, profileId: string) {
  const id = toUuid(profileId);
  const profile = id === null ? null : await load(id);
  return profile?.appId === appId ? profile : null;
}

const loading = <Selected extends SelectedImpersonalProfile, Row>(
  database: Queryable,
  statement: { readonly name: string; readonly text: string },
  toRow: (row: Selected) => Row,
): Load<Row> =>
  coalescing(async (profileIds) => {
    const { rows } = await database.query<Selected>({ ...statement, values: [profileIds] });
    return new Map(rows.map((row) => [row.profile_id, toRow(row)]));
  });

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
