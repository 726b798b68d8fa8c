import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import { allRows } from '../../stack/all-rows.ts';
import { boughtAtPlay, boughtAtStripe } from '../bought.ts';
import { logsOf, topicTexts } from '../everywhere.ts';
import { eventually } from '../simulator.ts';
import { signedByStripe } from '../stripe-signature.ts';
import { dataOf, type World } from '../world.ts';

/** Where a person's own fields are until retention and compaction have done their work. */
const untilOld = [`topic ${topics.profileCommands}`, `topic ${topics.profilePersonal}`];

/** What a store tells of a person beside the purchase is kept nowhere, and what leads to the person goes with the person. */
export function erasedBuyerCases(world: () => World): void {
  /** Where any of the texts is: tables and topics by name, and the logs. */
  async function placesOf(texts: readonly string[]): Promise<readonly string[]> {
    const { kafka, database } = world().product.runtime();
    const isThere = (text: string) => texts.some((one) => text.includes(one));
    const places = new Set<string>();
    for (const row of await allRows(database)) if (isThere(row)) places.add(`table ${row.split(':', 1)[0]}`);
    for (const [topic, text] of await topicTexts(kafka)) if (isThere(text)) places.add(`topic ${topic}`);
    if (isThere(logsOf(world().dataDir))) places.add('logs');
    return [...places].sort();
  }

  it('leaves nothing of the person but what is too young to be forgotten', async () => {
    const { a, post, admin, simulator } = world();
    const [customerUserId, email, name] = [randomUUID(), `${randomUUID()}@example.com`, `Erna ${randomUUID()}`];
    const profileId = await world().newProfile(a, customerUserId);
    const letters = await post.sentDuring(async () => {
      await boughtAtStripe(world(), profileId);
      await eventually(async () =>
        expect(await world().profile(profileId)).toMatchObject({ paid: true, totalRevenueUsd: 9.99 }),
      );
    });
    const { productId, purchaseToken } = await boughtAtPlay(world(), { notify: true, productId: 'coach' });
    dataOf(await world().validatePlayStore({ productId, purchaseToken, profileId }));
    // Real events tell more of the person than the simulator's do.
    const news = letters.find(({ body }) => body.includes('"customer.subscription.created"'))!;
    const event = JSON.parse(news.body.toString());
    const { customer } = event.data.object;
    const personal = { customer_email: email, customer_name: name, customer_address: { line1: name } };
    const told = { ...event, id: `evt_${randomUUID()}`, data: { object: { ...event.data.object, ...personal } } };
    const seconds = Math.floor((await simulator.now()) / 1_000);
    const secret = a.keys.stripe.webhookSecrets[0];
    const again = signedByStripe(news, secret, seconds, Buffer.from(JSON.stringify(told)));
    expect((await post.deliver(again)).status).toBe(200);
    await eventually(async () => expect(JSON.stringify(await world().timeline(profileId))).toContain(told.id));
    expect(await placesOf([email, name])).toEqual([]);
    expect(customer).toMatch(/^cus_/);
    expect(await placesOf([customer])).toEqual(['table purchase_validation.stripe_customer']);

    expect((await admin.delete(`/apps/${a.appId}/profiles/${profileId}`)).status).toBe(202);
    await eventually(async () => expect(await placesOf([customer])).toEqual([]));
    expect(await placesOf([email, name, purchaseToken])).toEqual([]);
    const places = await placesOf([customerUserId]);
    expect(places.filter((place) => !untilOld.includes(place))).toEqual([]);
  });
}
