import { gathering } from '@paywright/event-sourcing';
import { chainIdOf } from '@paywright/purchases';
import type { Pool } from 'pg';
import { insertPlayTokens, selectPlayTokens } from './sql/play-token.sql.ts';

/** Where a purchase token belongs. `isReplaced`: a newer token of the chain took its place. */
export interface TokenPlace {
  readonly chainId: string;
  readonly isReplaced: boolean;
}

/** `isNew`: nobody has met the token before. */
export interface PlacedToken extends TokenPlace {
  readonly isNew: boolean;
}

/** Longer than any chain of plans that a person goes through; it ends links that would lead in a circle. */
const longestWalk = 30;
const mostAtOnce = 500;

/**
 * The chains that Play's purchase tokens belong to. A change of plan gives a new token that names the one before, and
 * old tokens stop answering: so what was found once is kept.
 */
export class PlayChains {
  readonly #pool: Pool;
  /** Read together, as many as have come. */
  readonly #read: (token: { readonly appId: number; readonly tokenId: string }) => Promise<TokenPlace | null>;

  /** @param pool of the schema `purchase_validation` */
  constructor(pool: Pool) {
    this.#pool = pool;
    this.#read = gathering(async (tokens) => {
      const { rows } = await pool.query<{ chain_id: string | null; replaced_by: string | null }>({
        name: 'select-play-tokens',
        text: selectPlayTokens,
        values: [tokens.map(({ appId }) => appId), tokens.map(({ tokenId }) => tokenId)],
      });
      return rows.map(({ chain_id: chainId, replaced_by: replacedBy }) =>
        chainId === null ? null : { chainId, isReplaced: replacedBy !== null },
      );
    }, mostAtOnce);
  }

  /** The place of a token that was met before. */
  find(appId: number, token: string): Promise<TokenPlace | null> {
    return this.#read({ appId, tokenId: idOf(appId, token) });
  }

  /**
   * The place of a token: that of the token before it, and so on, as far as Play still tells. The first one of whom
   * nothing is known gives the chain its id.
   * @param before the tokens that the token's own purchase names as replaced
   * @param linksOf the same of an older token; empty if Play does not tell any more
   */
  async place(
    appId: number,
    token: string,
    before: readonly string[],
    linksOf: (token: string) => Promise<readonly string[]>,
  ): Promise<PlacedToken> {
    const known = await this.find(appId, token);
    if (known) return { ...known, isNew: false };
    const path = [token];
    let chainId: string | undefined;
    for (let links = before; chainId === undefined && path.length < longestWalk;) {
      const older = links[0];
      if (older === undefined || path.includes(older)) break;
      path.push(older);
      chainId = (await this.find(appId, older))?.chainId;
      links = chainId === undefined ? await linksOf(older) : [];
    }
    chainId ??= chainIdOf(appId, 'play_store', path.at(-1) ?? token);
    return { ...(await this.#keep(appId, token, path, chainId)), isNew: true };
  }

  /** What another process kept first stays. */
  async #keep(appId: number, token: string, path: readonly string[], chainId: string): Promise<TokenPlace> {
    const ids = path.map((each) => idOf(appId, each));
    const replacedBy = [null, ...ids.slice(0, -1)];
    await this.#pool.query({ text: insertPlayTokens, values: [appId, ids, chainId, replacedBy] });
    return (await this.find(appId, token)) ?? { chainId, isReplaced: false };
  }
}

const idOf = (appId: number, token: string): string => chainIdOf(appId, 'play_store', token);
