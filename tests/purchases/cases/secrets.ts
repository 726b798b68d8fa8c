import { expect, it } from '@jest/globals';
import { boughtAtPlay } from '../bought.ts';
import { logsOf, topicTexts } from '../everywhere.ts';
import { dataOf, type World } from '../world.ts';

/** A part of a key that is found if the key is, however its lines are broken or escaped. */
const pieceOf = (pem: string): string => pem.split('\n')[2] ?? pem;

/** Keys to the stores and tokens of purchases stay where they belong. Comes last: everything else has left its traces. */
export function secretsCases(world: () => World): void {
  const secretsOf = ({ a, b }: World): ReadonlyMap<string, string> =>
    new Map(
      [a, b].flatMap(({ keys }, index): [string, string][] => [
        [`${index} App Store key`, pieceOf(keys.appStore.privateKey)],
        [`${index} service account`, pieceOf(accountOf(keys.playStore.serviceAccount).private_key)],
        [`${index} Stripe key`, keys.stripe.apiKey],
        [`${index} webhook secret`, keys.stripe.webhookSecrets[0]],
      ]),
    );
  const accountOf = (account: string | { private_key: string }): { private_key: string } =>
    typeof account === 'string' ? JSON.parse(account) : account;
  const found = (text: string, secrets: ReadonlyMap<string, string>): readonly string[] =>
    [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);

  it('the search would find them: the logs and topics are not empty', async () => {
    const topics = await topicTexts(world().product.runtime().kafka);
    for (const name of ['purchase.requests', 'purchase.commands', 'purchase.events', 'gateway.replies'])
      expect(topics.get(name)?.length ?? 0).toBeGreaterThan(0);
    expect(logsOf(world().dataDir)).toMatch(/purchase-validation/);
    const [[name, secret]] = [...secretsOf(world())] as [[string, string]];
    expect(found(`x ${secret} y`, secretsOf(world()))).toEqual([name]);
  });

  it('no key and no purchase token is in a topic', async () => {
    const profileId = await world().newProfile();
    const { productId, purchaseToken } = await boughtAtPlay(world(), { notify: true });
    dataOf(await world().validatePlayStore({ productId, purchaseToken, profileId }));
    const secrets = new Map([...secretsOf(world()), ['purchase token', purchaseToken]]);
    for (const [topic, text] of await topicTexts(world().product.runtime().kafka))
      expect([topic, found(text, secrets)]).toEqual([topic, []]);
    expect(found(logsOf(world().dataDir), secrets)).toEqual([]);
  });

  it('no key is in a log, an answer of the admin API, or a metric', async () => {
    const secrets = secretsOf(world());
    expect(found(logsOf(world().dataDir), secrets)).toEqual([]);
    const { appId } = world().a;
    const summary = await world().admin.get(`/apps/${appId}/credentials`);
    expect(summary.body.data).toMatchObject({ appStore: { setAt: expect.any(String) } });
    const audit = await world().admin.get('/audit?limit=200');
    expect(audit.status).toBe(200);
    for (const { text } of [summary, audit]) expect(found(text, secrets)).toEqual([]);
    for (const { management } of world().product.runtime().services)
      expect(found(await (await fetch(`${management}/metrics`)).text(), secrets)).toEqual([]);
  });

  it('the check of a store says what is wrong, and not the key', async () => {
    const { admin, a, simulator } = world();
    const path = `/apps/${a.appId}/credentials/stripe/check`;
    expect(dataOf(await admin.post(path))).toMatchObject({ ok: true });
    await simulator.fault('stripe', '401', 5);
    const wrong = await admin.post(path);
    await simulator.mend();
    expect(dataOf(wrong)).toMatchObject({ ok: false, message: expect.stringMatching(/\w+/) });
    expect(found(wrong.text, secretsOf(world()))).toEqual([]);
  });
}
