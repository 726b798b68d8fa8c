import type { Chain } from '@paywright/purchases';
import {
  InvalidCursor,
  ReportTooLong,
  type AuditRow,
  type DecisionRow,
  type DecisionYield,
  type ExportedEvent,
  type ExportedImpression,
  type LedgerRow,
  type ModelChange,
  type ModelReportRow,
  type NamedObject,
  type Page,
  type PageRequest,
  type PlacementDay,
  type PlacementPeriod,
  type PlacementReportRow,
  type ProfileRow,
  type ProfileSearch,
  type RevisionDocument,
  type TimelineEntry,
  type WeighedDecision,
  type WeighedRequest,
} from '@paywright/read-model';

/** A read model of rows handed in, newest first; a cursor is the place to go on from. */
export class FakeReadModel {
  profiles: readonly ProfileRow[] = [];
  timeline: readonly TimelineEntry[] = [];
  decisions: readonly DecisionRow[] = [];
  revisions: readonly RevisionDocument[] = [];
  archived = { models: new Map<string, NamedObject>(), paywalls: new Map<string, NamedObject>() };
  auditRows: readonly AuditRow[] = [];
  ledger: readonly LedgerRow[] = [];
  shownAt: number | null = null;
  /** By SHA-256. */
  modelSnapshots: ReadonlyMap<string, Uint8Array> = new Map();
  events: readonly ExportedEvent[] = [];
  impressions: readonly ExportedImpression[] = [];
  stripeCustomerIds: readonly string[] = [];
  earned: DecisionYield = { conversions: 0, revenueUsd: '0' };
  /** By owner. */
  chains: ReadonlyMap<string, readonly Chain[]> = new Map();
  /** How often chains were asked for. */
  chainQueries = 0;
  reached = true;
  /** An error is thrown. */
  reportRows: readonly PlacementReportRow[] | ReportTooLong = [];
  reportDays: readonly PlacementDay[] = [];
  /** The periods that reports were asked for. */
  readonly periods: PlacementPeriod[] = [];
  /** Newest first; of every model. */
  modelChanges: readonly ModelChange[] = [];
  modelReport: ModelReportRow | null = null;
  weighed: readonly WeighedDecision[] = [];
  readonly weighedRequests: WeighedRequest[] = [];

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
  readonly exportQueries = {
    events: () => listed(this.events),
    impressions: async () => this.impressions,
    stripeCustomerIds: async () => this.stripeCustomerIds,
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
    lastKnown: async (_appId: number, list: 'models' | 'paywalls', ids: readonly string[]) =>
      new Map([...this.archived[list]].filter(([id]) => ids.includes(id))),
    formerPaywall: async (_appId: number, named: string) =>
      [...this.archived.paywalls].find(([id, { externalId, number }]) =>
        [id, externalId, String(number)].includes(named),
      )?.[0] ?? null,
    audit: async (request: PageRequest) => pageOf(this.auditRows, request),
  };
  readonly modelQueries = {
    changes: async () => this.modelChanges,
    version: async () => (this.reached ? Infinity : 0),
    report: async () => this.modelReport,
    weighed: async (request: WeighedRequest) => {
      this.weighedRequests.push(request);
      const decisions = this.weighed
        .filter(({ time }) => time >= request.from && time < request.to)
        .map((decision) => (request.withContext ? decision : { ...decision, context: contextNotAsked }));
      return { decisions: decisions.slice(0, request.limit), isWhole: decisions.length <= request.limit };
    },
  };
  readonly reportQueries = {
    ofPlacement: async (period: PlacementPeriod) => {
      this.periods.push(period);
      if (this.reportRows instanceof ReportTooLong) throw this.reportRows;
      return this.reportRows;
    },
    daysOfPlacement: async (period: PlacementPeriod) => {
      this.periods.push(period);
      return this.reportDays;
    },
  };
  readonly progress = { reached: async () => this.reached, catalogReached: async () => this.reached };
}

async function* listed<Entry>(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}

const contextNotAsked = (): never => {
  throw new Error('The context was not asked for.');
};

function matches({ profileId, personal }: ProfileRow, search: ProfileSearch): boolean {
  const customer = personal.customerUserId;
  if ('customerUserId' in search) return customer === search.customerUserId;
  return profileId === search.query || (customer?.startsWith(search.query) ?? false);
}

export function pageOf<Entry>(rows: readonly Entry[], { limit, cursor }: PageRequest): Page<Entry> {
  const start = cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(start)) throw new InvalidCursor();
  const entries = rows.slice(start, start + limit);
  return { entries, nextCursor: start + limit < rows.length ? String(start + limit) : null };
}
