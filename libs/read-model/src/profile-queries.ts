import { z } from 'zod';
import { coalescing } from './coalescing.ts';
import type { Queryable } from './database.ts';
import { ListCursors, type Page, type PageRequest } from './page.ts';
import type { ProfileRow } from './rows.ts';
import { searchProfiles, selectProfiles, toProfileRow, type SelectedProfile } from './sql/select-profiles.sql.ts';
import { toUuid } from './uuid.ts';

const cursors = new ListCursors('profiles', z.uuid());

/** `query` is a profile id or the beginning of a customer user id. */
export type ProfileSearch = { readonly customerUserId: string } | { readonly query: string };

/** Profiles as the read model shows them. A profile of another app is none. */
export class ProfileQueries {
  readonly #database: Queryable;
  readonly #load: (profileId: string) => Promise<ProfileRow | null>;

  constructor(database: Queryable) {
    this.#database = database;
    this.#load = coalescing((profileIds) => loadProfiles(database, profileIds));
  }

  /** @param profileId any text: what is no UUID names no profile */
  async find(appId: number, profileId: string): Promise<ProfileRow | null> {
    const id = toUuid(profileId);
    const profile = id === null ? null : await this.#load(id);
    return profile?.appId === appId ? profile : null;
  }

  async exists(appId: number, profileId: string): Promise<boolean> {
    return (await this.find(appId, profileId)) !== null;
  }

  /** The profiles that there are, by id in lower case. */
  async findMany(appId: number, profileIds: readonly string[]): Promise<ReadonlyMap<string, ProfileRow>> {
    const found = await Promise.all(profileIds.map((profileId) => this.find(appId, profileId)));
    return new Map(found.flatMap((profile) => (profile ? [[profile.profileId, profile]] : [])));
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

async function loadProfiles(
  database: Queryable,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, ProfileRow>> {
  const { rows } = await database.query<SelectedProfile>({
    name: 'select-profiles',
    text: selectProfiles,
    values: [profileIds],
  });
  return new Map(rows.map((row) => [row.profile_id, toProfileRow(row)]));
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
