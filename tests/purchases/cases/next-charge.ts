import { expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import { readTopic } from '@paywright/messaging/topics';
import type { MoneyRecord } from '@paywright/selection-engine';
import { LogEntry, modelKey } from '@paywright/selection-models';
import { connectToKafka } from '../../stack/connect-to-kafka.ts';
import { boughtAtPlay, boughtAtStripe, boughtInAppStore } from '../bought.ts';
import { learningPlacementId, model } from '../catalog.ts';
import { eventually } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

type Told = Pick<MoneyRecord, 'kind' | 'usd' | 'nextChargeUsd'>;

/** What stores say of the next charge reaches those who learn from it, long before it is charged. */
export function nextChargeCases(world: () => World): void {
  /** Somebody who saw a paywall that a model learns from. */
  async function viewer(): Promise<string> {
    const profileId = await world().newProfile();
    const { app } = world().a;
    const { paywallSessionId } = dataOf(await app.v1('/paywalls', { profileId, placementId: learningPlacementId }));
    await app.v1('/events', [{ eventType: 'paywall_shown', profileId, paywallSessionId }]);
    return profileId;
  }

  /** The money of what was bought since `before`, as the model's log has it. */
  async function learned(before: ReadonlySet<string>): Promise<readonly Told[]> {
    const money = (await moneyInLog()).filter(({ chain }) => !before.has(chain));
    return money.map(({ kind, usd, nextChargeUsd }) => ({ kind, usd, nextChargeUsd }));
  }

  async function moneyInLog(): Promise<readonly MoneyRecord[]> {
    const key = modelKey({ appId: world().a.appId, model });
    const records: MoneyRecord[] = [];
    const kafka = connectToKafka({ brokers: world().product.runtime().kafka });
    await readTopic(kafka, topics.selectionLearning, ({ key: of, value }) => {
      const entry = String(of) === key ? LogEntry.parse(JSON.parse(String(value))) : null;
      if (entry?.type === 'money') records.push(entry);
    });
    return records;
  }

  const knownChains = async () => new Set((await moneyInLog()).map(({ chain }) => chain));
  const told = (nextChargeUsd: number): Told => ({ kind: 'extra', usd: 0, nextChargeUsd });

  it('of a trial in the App Store, by the day’s rate, and another once it tells of a higher price', async () => {
    const before = await knownChains();
    const profileId = await viewer();
    const receipt = await boughtInAppStore(world(), { offerType: 'FREE_TRIAL', currency: 'EUR' });
    const validate = async () => void dataOf(await world().validateAppStore({ ...receipt, profileId }));
    await validate();
    await eventually(async () => expect(await learned(before)).toEqual([told(11.4885)]));
    const raised = { price: '12.99', consented: true };
    await world().simulator.act('app-store', receipt.originalTransactionId, 'price-increase', raised);
    for (let again = 0; again < 2; again++) await validate();
    await eventually(async () => expect(await learned(before)).toEqual([told(11.4885), told(14.9385)]));
    expect(await world().labels(profileId)).toEqual(['trial_started']);
    expect(await world().ledger(profileId)).toEqual([]);
  });

  it('of a trial at Google Play', async () => {
    const before = await knownChains();
    const profileId = await viewer();
    const token = await boughtAtPlay(world(), { offerId: 'welcome', offerPeriod: 'P7D' });
    dataOf(await world().validatePlayStore({ ...token, profileId }));
    await eventually(async () => expect(await learned(before)).toEqual([told(9.99)]));
  });

  it('of a trial at Stripe', async () => {
    const before = await knownChains();
    await boughtAtStripe(world(), await viewer(), { trialDays: 7 });
    await eventually(async () => expect(await learned(before)).toEqual([told(9.99)]));
  });
}
