import type { Chain } from '@paywright/purchases';
import {
  InvalidCursor,
  type AuditRow,
  type DecisionRow,
  type DecisionYield,
  type LedgerRow,
  type Page,
  type PageRequest,
  type ProfileRow,
  type ProfileSearch,
  type RevisionDocument,
  type TimelineEntry,
} from '@paywright/read-model';

/** A read model of rows handed in, newest first; a cursor is the place to go on from. */
export class FakeReadModel {
  profiles: readonly ProfileRow[] = [];
  timeline: readonly TimelineEntry[] = [];
  decisions: readonly DecisionRow[] = [];
  revisions: readonly RevisionDocument[] = [];
  auditRows: readonly AuditRow[] = [];
  ledger: readonly LedgerRow[] = [];
  shownAt: number | null = null;
  /** By SHA-256. */
  modelSnapshots: ReadonlyMap<string, Uint8Array> = new Map();
  earned: DecisionYield = { conversions: 0, revenueUsd: '0' };
  /** By owner. */
  chains: ReadonlyMap<string, readonly Chain[]> = new Map();
  /** How often chains were asked for. */
  chainQueries = 0;
  reached = true;

  readonly profileQueries = {
    find: async (appId: number, profileId: string) =>
      this.profiles.find((profile) => profile.appId === appId && profile.profileId === profileId) ?? null,
    search: async (appId: number, search: ProfileSearch, request: PageRequest) =>
      pageOf(
        this.profiles.filter((profile) => profile.appId === appId && matches(profile, search)),
        request,
      ),
  };
  readonly timelineQueries = {
    ofProfile: async (_appId: number, _profileId: string, request: PageRequest) => pageOf(this.timeline, request),
  };
  readonly decisionQueries = {
    ofProfile: async (_appId: number, _profileId: string, request: PageRequest) => pageOf(this.decisions, request),
    find: async (appId: number, decisionId: string) =>
      this.decisions.find(({ decision }) => decision.appId === appId && decision.decisionId === decisionId) ?? null,
    firstShownAt: async () => this.shownAt,
    modelSnapshot: async (_appId: number, sha256: string) => this.modelSnapshots.get(sha256) ?? null,
  };
  readonly purchaseQueries = {
    chainsOf: async (profileIds: readonly string[]) => {
      this.chainQueries += 1;
      return new Map(profileIds.map((profileId) => [profileId, this.chains.get(profileId) ?? []]));
    },
    ledgerOf: async (_profileId: string, request: PageRequest) => pageOf(this.ledger, request),
    outcomeOf: async () => this.earned,
  };
  readonly catalogQueries = {
    revisions: async (_appId: number, request: PageRequest) => pageOf(this.revisions, request),
    revision: async (_appId: number, revision: number) =>
      this.revisions.find((row) => row.revision === revision) ?? null,
    audit: async (request: PageRequest) => pageOf(this.auditRows, request),
  };
  readonly progress = { catalogReached: async () => this.reached };
}

function matches({ profileId, personal }: ProfileRow, search: ProfileSearch): boolean {
  const customer = personal.customerUserId;
  if ('customerUserId' in search) return customer === search.customerUserId;
  return profileId === search.query || (customer?.startsWith(search.query) ?? false);
}

function pageOf<Entry>(rows: readonly Entry[], { limit, cursor }: PageRequest): Page<Entry> {
  const start = cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(start)) throw new InvalidCursor();
  const entries = rows.slice(start, start + limit);
  return { entries, nextCursor: start + limit < rows.length ? String(start + limit) : null };
}
