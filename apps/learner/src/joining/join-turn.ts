import type { ReceivedEvent } from '@paywright/messaging';
import type { LearnerCatalogs } from '../learner-catalogs.ts';
import { evolveChainRecord, withCredit, type ChainRecord } from './chain-record.ts';
import { factOfDecision, factOfSupersession, viewsOf } from './facts-of-event.ts';
import { emptyJourney, type Journey } from './journey.ts';
import type { Credited, Fact, Learned, Loss } from './fact.ts';
import { joinProfile } from './join-profile.ts';
import { begin, unsentMoneyOf } from './purchase-records.ts';

/** A record of some app's model. */
export interface AppLearned extends Learned {
  readonly appId: number;
}

type ProfileEvent = Extract<ReceivedEvent, { type: 'PaywallServed' | 'DecisionSuperseded' | 'EventsReported' }>;
type ChainEvent = Extract<ReceivedEvent, { service: string; body: { chainId: string } }>;

/** What an event is joined to; null: nothing is learned of it. */
export function isOfProfile(event: ReceivedEvent): event is ProfileEvent {
  return event.type === 'PaywallServed' || event.type === 'DecisionSuperseded' || event.type === 'EventsReported';
}
export const isOfChain = (event: ReceivedEvent): event is ChainEvent => 'chainId' in event.body;

export interface JoinTurnOptions {
  readonly catalogs: LearnerCatalogs;
  /** Profiles whose journeys nobody else may change meanwhile. */
  readonly locked: ReadonlySet<string>;
  /** Of those that have one. */
  readonly journeys: Map<string, Journey>;
  readonly chains: Map<string, ChainRecord>;
  /** Until when everything is joined, in milliseconds since the epoch. */
  readonly joinedUntil: number;
}

/** One transaction's worth of joining, in memory: what was loaded, what became of it, and what is to be learned. */
export class JoinTurn {
  readonly journeys: Map<string, Journey>;
  readonly chains: Map<string, ChainRecord>;
  readonly records: AppLearned[] = [];
  readonly losses: Loss[] = [];
  readonly #catalogs: LearnerCatalogs;
  readonly #joinedUntil: number;
  readonly #loaded: {
    readonly journeys: ReadonlyMap<string, Journey>;
    readonly chains: ReadonlyMap<string, ChainRecord>;
  };
  readonly #locked: ReadonlySet<string>;
  readonly #credited: Credited[] = [];
  /** Apps of the chains of this turn, and when each was heard of last. */
  readonly #heard = new Map<string, { readonly appId: number; readonly at: number }>();

  constructor({ catalogs, locked, journeys, chains, joinedUntil }: JoinTurnOptions) {
    this.#catalogs = catalogs;
    this.#locked = locked;
    this.#joinedUntil = joinedUntil;
    this.journeys = journeys;
    this.chains = chains;
    this.#loaded = { journeys: new Map(journeys), chains: new Map(chains) };
  }

  /** What is to be stored. */
  changes(): { readonly journeys: ReadonlyMap<string, Journey>; readonly chains: ReadonlyMap<string, ChainRecord> } {
    return {
      journeys: changed(this.#loaded.journeys, this.journeys),
      chains: changed(this.#loaded.chains, this.chains),
    };
  }

  /** An event of a profile's stream; one that was taken before changes nothing. */
  takeOfProfile(event: ProfileEvent): void {
    const { profileId, appId } = event.body;
    const journey = this.journeys.get(profileId) ?? emptyJourney(appId);
    const stream = event.type === 'EventsReported' ? 'impression' : 'selection';
    if (event.streamVersion <= journey.versions[stream]) return;
    const versions = { ...journey.versions, [stream]: event.streamVersion };
    this.journeys.set(profileId, { ...journey, versions });
    for (const fact of this.#factsOf(event)) this.join(profileId, fact);
  }

  /** An event of a chain's stream. What follows from it does with `settle`, once all of the chain's are taken. */
  takeOfChain(event: ChainEvent): void {
    const { chainId, appId } = event.body;
    const record = this.chains.get(chainId);
    if (record === undefined) throw new Error('A chain was not loaded.');
    this.chains.set(chainId, evolveChainRecord(record, event.streamVersion, event));
    this.#heard.set(chainId, { appId, at: event.time });
  }

  join(profileId: string, fact: Fact): void {
    const before = this.journeys.get(profileId);
    if (before === undefined) return;
    const { journey, records, credited, losses } = joinProfile(before, fact, this.#joinedUntil);
    this.journeys.set(profileId, journey);
    this.records.push(...records.map((learned) => ({ ...learned, appId: journey.appId })));
    this.losses.push(...losses);
    this.#credited.push(...credited);
    for (const { chain } of credited)
      if (!this.#heard.has(chain)) this.#heard.set(chain, { appId: journey.appId, at: 0 });
  }

  /** Begins what can begin of the chains that were taken. @returns chains that are still to be loaded */
  settle(): readonly string[] {
    const canJoin = (profileId: string) => this.#locked.has(profileId);
    for (const [chainId, { appId, at }] of [...this.#heard]) {
      const known = this.chains.get(chainId);
      if (known === undefined) continue;
      const products = this.#catalogs.productsOf(appId);
      const { record, begun } = begin(known, chainId, { products, at, canJoin });
      this.chains.set(chainId, record);
      for (const { profileId, leaves, start } of begun) {
        if (leaves !== undefined) this.join(leaves, { type: 'left', start, at });
        if (!this.journeys.has(profileId)) this.journeys.set(profileId, emptyJourney(appId));
        this.join(profileId, { type: 'started', start });
      }
    }
    return this.#credited.map(({ chain }) => chain).filter((chain) => !this.chains.has(chain));
  }

  /** Lets the money of credited chains follow their starts. Call it once every chain is loaded. */
  finish(): void {
    for (const { chain, id, model } of this.#credited) {
      const record = this.chains.get(chain);
      if (record !== undefined) this.chains.set(chain, withCredit(record, chain, id, model));
    }
    for (const [chainId, { appId }] of this.#heard) {
      const record = this.chains.get(chainId);
      if (record === undefined) continue;
      const unsent = unsentMoneyOf(record, chainId);
      if (unsent.length === 0) continue;
      this.records.push(...unsent.map((learned) => ({ ...learned, appId })));
      this.chains.set(chainId, { ...record, sent: [...record.sent, ...unsent.map(({ record: { id } }) => id)] });
    }
  }

  #factsOf(event: ProfileEvent): readonly Fact[] {
    const { time } = event;
    switch (event.type) {
      case 'PaywallServed': {
        const fact = factOfDecision(event.body, time, this.#catalogs);
        return fact === null ? [] : [fact];
      }
      case 'DecisionSuperseded':
        return [factOfSupersession(event.body, time)];
      case 'EventsReported':
        return viewsOf(event.body, time, this.#catalogs).map((view) => ({ type: 'viewed', view }));
    }
  }
}

const changed = <Value>(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>) =>
  new Map([...after].filter(([key, value]) => before.get(key) !== value));
