import { beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogDocument, LimitModelShare, PaywallServed, topics, type ShareLimit } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { createCommandProcessor, decide } from '@paywright/event-sourcing';
import { InMemoryEventStore } from '@paywright/event-sourcing/testing';
import { BrokerTime, unawaitedCommand, type OutgoingMessage } from '@paywright/messaging';
import { derivedId, ManualClock } from '@paywright/platform';
import { modelStreamOf } from '@paywright/purchases';
import { createCommandBatchHandler } from '@paywright/write-service';
import { LogEntry, ModelRecord, snapshotRecords } from '@paywright/selection-models';
import { appSnapshot, hourMs, issuedAt } from '@paywright/selection-models/testing';
import { AppCatalogs } from '../../apps/selection/src/app-catalogs.ts';
import { controlRecords } from '../../apps/selection/src/control-records.ts';
import { selectionDecider } from '../../apps/selection/src/domain/selection-decider.ts';
import { initialState } from '../../apps/selection/src/domain/selection-state.ts';
import { exposureOf, startRecord } from '../../apps/learner/src/joining/crediting.ts';
import { factOfDecision } from '../../apps/learner/src/joining/facts-of-event.ts';
import { LearnerCatalogs } from '../../apps/learner/src/learner-catalogs.ts';
import { ModelLearner } from '../../apps/learner/src/training/model-learner.ts';
import { shareCommand } from '../../apps/learner/src/training/share-command.ts';
import { ServedModels } from '../../apps/selection/src/models/served-models.ts';
import { serve } from '../../apps/selection/src/testing/selection-commands.ts';

const name = { appId: 1, model: 'main' };
const perHour = 200;
/** Of a hundred who see it, so many start: what AI may choose is worse than what Baseline shows. */
const startsOfHundred: Readonly<Record<string, number>> = { calm: 2, bold: 4, plain: 14 };

const document = CatalogDocument.parse({
  ...exampleCatalog,
  paywalls: [...exampleCatalog.paywalls, { id: 'plain', name: 'Plain' }],
  models: exampleCatalog.models.map((model) => {
    return { ...model, traffic: ['ai_model', 'baseline'].map((target) => ({ target, weight: 50 })) };
  }),
  placements: exampleCatalog.placements.map((place) => ({ ...place, baseline: 'plain', stickyFor: null })),
});
const ids = { paywalls: { calm: 1, bold: 2, plain: 3 }, models: { main: 1 }, products: {}, paywallProducts: {} };
const snapshot = appSnapshot(1, 4, { document, ids });

/** The service and its learner, with a queue in Kafka's place: what one publishes, the other is told. */
class Loop {
  readonly tripped: unknown[] = [];
  readonly #clock = new ManualClock(issuedAt);
  readonly #models = new ServedModels({ onAiShares: (appId) => this.#catalogs.reshare(appId) });
  readonly #catalogs = new AppCatalogs(this.#models.aiSharesOf);
  readonly #learnerCatalogs = new LearnerCatalogs();
  readonly #decider = selectionDecider({
    catalogOf: (appId) => this.#catalogs.find(appId),
    aiSharesOf: this.#models.aiSharesOf,
    policyOf: this.#models.policyOf,
    clock: this.#clock,
  });
  readonly #commands = createCommandBatchHandler({
    service: 'selection',
    topic: topics.selectionCommands,
    process: createCommandProcessor({ decider: this.#decider, store: new InMemoryEventStore() }),
    brokerTime: new BrokerTime(this.#clock),
    extraRecords: controlRecords,
  });
  readonly #learner = ModelLearner.fresh('1/main');
  #at = issuedAt;
  #asked = 0;

  constructor() {
    this.#catalogs.apply(snapshot);
    this.#learnerCatalogs.apply(snapshot);
    const arms = ['calm', 'bold'].map((paywall) => ({ paywall, design: [] }));
    this.#learner.apply({ type: 'catalogue', at: this.#at, revision: 4, horizonDays: 180, arms });
    this.#learner.apply({ type: 'tick', at: this.#at });
  }

  serve(): PaywallServed['body'] {
    const id = `00000000-0000-4000-8000-${String(++this.#asked).padStart(12, '0')}`;
    const command = serve({ id, at: this.#at });
    const decision = decide(this.#decider, command, initialState);
    const [served] = 'events' in decision ? decision.events : [];
    if (served?.type !== 'PaywallServed') throw new Error('Nothing was served.');
    return PaywallServed.body.parse(served.body);
  }

  /** An hour of people who see what is served, and of what is learned from them. @returns what was served */
  async hour(): Promise<readonly PaywallServed['body'][]> {
    const all = Array.from({ length: perHour }, () => this.#shownTo());
    this.#at += hourMs;
    this.#learner.apply({ type: 'tick', at: this.#at });
    const learned = this.#learner.takeSnapshot();
    if (learned !== null) await this.#publish(snapshotRecords({ ...name, ...learned }));
    const share = this.#learner.takeShare();
    if (share !== null) await this.#publish([shareCommand(name, share, this.#at)]);
    return all;
  }

  /** A person's word on what AI has of its weight. */
  async limit(aiShare: ShareLimit): Promise<void> {
    const id = derivedId(`${this.#at}/${aiShare}`);
    const envelope = { id, appId: name.appId, key: modelStreamOf(name), issuedAt: this.#at };
    await this.#publish([unawaitedCommand(LimitModelShare, { ...envelope, body: { model: name.model, aiShare } })]);
  }

  get guardFactor(): number {
    return this.#learner.report().guard.factor;
  }

  #shownTo(): PaywallServed['body'] {
    const served = this.serve();
    const fact = factOfDecision(served, this.#at, this.#learnerCatalogs);
    if (fact?.type !== 'decided') throw new Error('Nothing is learned of the decision.');
    const decided = { ...fact.decided, shownAt: this.#at, keptUntil: this.#at };
    this.#learner.apply({ type: 'shown', ...exposureOf(decided, this.#at) });
    // Every hundred of them alike, in an order that no one's turn agrees with.
    if ((this.#asked * 61) % 100 < (startsOfHundred[served.paywall] ?? 0)) {
      const bought = { product: 'p', plan: 'month', country: 'de', periodDays: 30, trialDays: 0 };
      const start = {
        id: served.decisionId,
        chain: served.decisionId,
        at: this.#at,
        heardAt: this.#at,
        paywallId: served.paywallId,
        ...bought,
      };
      this.#learner.apply(startRecord(start, decided));
    }
    return served;
  }

  async #publish(messages: readonly OutgoingMessage[]): Promise<void> {
    for (const message of messages) {
      const { topic, key, headers, value } = message;
      const json: unknown = JSON.parse(String(value));
      if (topic === topics.selectionModels) this.#models.apply(ModelRecord.parse(json));
      else if (topic === topics.selectionLearning) this.#learner.apply(LogEntry.parse(json));
      else if (topic === topics.selectionEvents) this.tripped.push({ type: headers['ce_type'], body: json });
      else if (topic === topics.selectionCommands) {
        const place = { topic, partition: 0, offset: '0', timestamp: this.#at };
        const received = { ...place, key: String(key), headers: textsOf(headers), value: Buffer.from(String(value)) };
        const { publish, deadLetters } = await this.#commands.handle([received]);
        expect(deadLetters).toEqual([]);
        await this.#publish(publish);
      }
    }
  }
}

const textsOf = (headers: OutgoingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([header, text]) => [header, String(text)]));
const shareOfAi = (all: readonly PaywallServed['body'][]) =>
  all.filter(({ target }) => target === 'ai_model').length / all.length;

const loop = new Loop();

describe('a model that earns clearly less than Baseline', () => {
  /** What was served while the guard left AI so much. */
  const served = new Map<number, PaywallServed['body'][]>();

  beforeAll(async () => {
    for (let hour = 0; hour < 21 * 24 && (served.get(0)?.length ?? 0) < 1_000; hour++) {
      for (const one of await loop.hour()) {
        const left = one.aiShares?.['main'] ?? 1;
        const those = served.get(left) ?? [];
        served.set(left, those);
        those.push(one);
      }
    }
  }, 60_000);

  it('loses half of its traffic, then all of it, in what is served', () => {
    expect([...served.keys()]).toEqual([1, 0.5, 0]);
    expect(shareOfAi(served.get(1)?.slice(-4_000) ?? [])).toBeCloseTo(0.5, 1);
    expect(shareOfAi(served.get(0.5)?.slice(-4_000) ?? [])).toBeCloseTo(0.25, 1);
    expect(shareOfAi(served.get(0) ?? [])).toBe(0);
  });

  it('is said to, twice, with the evidence', () => {
    const worse = { difference: expect.any(Number), halfWidth: expect.any(Number) };
    const change = (formerAiShare: number, aiShare: number) =>
      expect.objectContaining({ body: expect.objectContaining({ model: 'main', formerAiShare, aiShare }) });
    expect(loop.tripped).toEqual([change(1, 0.5), change(0.5, 0)]);
    for (const event of loop.tripped) expect(event).toMatchObject({ body: { evidence: { starts: worse } } });
  });
});

describe('a person', () => {
  it.each([
    [0.5, 0.25],
    [0.25, 0.125],
    [0, 0],
    [1, 0.5],
  ] as const)('leaves AI %s of its weight, whatever the guard had said', async (limit, ofTraffic) => {
    await loop.limit(limit);
    const served = await loop.hour();
    expect(new Set(served.map(({ aiShares }) => aiShares?.['main'] ?? 1))).toEqual(new Set([limit]));
    expect(Math.abs(shareOfAi(served) - ofTraffic)).toBeLessThan(0.075);
    expect(loop.guardFactor).toBe(1);
  });
});
