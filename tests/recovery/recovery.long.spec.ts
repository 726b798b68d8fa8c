import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../conformance/http.ts';
import { acknowledgedWrites, newHistory, type History } from '../faults/history.ts';
import { violations } from '../faults/invariants.ts';
import { observe } from '../faults/observe.ts';
import { allRows } from '../stack/all-rows.ts';
import { addressOf, buy, erase, ledgerOf, newBuyer, shownOf, startLoad, writeOn } from './clients.ts';
import { compareReadModels, untilArchived } from './database.ts';
import { Installation } from './installation.ts';

const patient = 300_000;

let installation: Installation;
let history: History;
let buyer: string;
/** What was shown last before something was lost. */
let shown: Json;
/** Somebody who was erased since the copy that is restored. */
let erased: string;
const erasedAddress = 'erased@example.com';

beforeAll(async () => {
  installation = new Installation();
  await installation.makeDatabase();
  await installation.run('archive_mode = on');
  await installation.start();
  history = newHistory(installation.product.runtime().demo?.appId ?? 0);
}, patient);
afterAll(async () => {
  await installation?.stop();
  installation?.remove();
}, patient);

const addresses = () => {
  const { database: databaseUrl, kafka: brokers } = installation.product.runtime();
  return { databaseUrl, brokers };
};
const watched = () => [buyer, ...history.profiles.slice(0, 5).map(({ profileId }) => profileId)];

async function writeForAWhile(into: History, meanwhile: () => Promise<unknown>): Promise<void> {
  const load = startLoad(installation.product, into);
  try {
    await Promise.all([sleep(1_500), meanwhile()]);
  } finally {
    await load.stop();
  }
}

/** All that was acknowledged is there, once, stored, published and shown; and what was shown is shown again. */
async function expectAllThere(): Promise<void> {
  expect(violations(history, await observe(addresses()))).toEqual([]);
  expect(await shownOf(installation.product, watched())).toEqual(shown);
}

/** Streams go on behind what they hold, customers buy, and new ones come. */
async function expectToGoOn(): Promise<void> {
  await writeOn(installation.product, history);
  await buy(installation.product, buyer);
  await writeForAWhile(history, async () => undefined);
  expect(violations(history, await observe(addresses()))).toEqual([]);
  const entries = ledgerOf(shown, buyer).length;
  shown = await shownOf(installation.product, watched());
  expect(ledgerOf(shown, buyer)).toHaveLength(entries + 1);
}

/** Whom the restored copy holds, though they were erased since: until the commands are run that erase them again. */
async function expectErasedAgain(): Promise<void> {
  expect(await addressOf(installation.product, erased)).toBe(erasedAddress);
  expect(await installation.run('while read')).toBe(`${erased} 202\n`);
  expect(await addressOf(installation.product, erased)).toBeNull();
  const rows = await allRows(addresses().databaseUrl);
  expect(rows.filter((row) => row.includes(erasedAddress))).toEqual([]);
  expect(await shownOf(installation.product, watched())).toEqual(shown);
}

describe('the commands of docs/backup.md', () => {
  it(
    'bring back all that was acknowledged until the log was archived, when everything is lost',
    async () => {
      buyer = await newBuyer(installation.product);
      erased = await newBuyer(installation.product, erasedAddress);
      await writeForAWhile(history, () => installation.run('npm run --silent backup'));
      await writeForAWhile(history, async () => undefined);
      await observe(addresses());
      shown = await shownOf(installation.product, watched());
      await untilArchived(addresses().databaseUrl);
      const copied = installation.archived();
      const afterwards = newHistory(history.appId);
      await writeForAWhile(afterwards, () => erase(installation.product, erased));
      await installation.stop();
      installation.loseArchivedBut(copied);
      installation.destroy('kafka');

      await installation.run('recovery.signal');
      await installation.run('npm run --silent erasures');
      // Kafka knows of what came afterwards, and the database does not.
      await expect(installation.runCommands('npm run republish')).rejects.toMatchObject({
        stderr: expect.stringContaining('There are records in'),
      });
      await installation.run('npm run republish');
      await installation.start();

      expect(acknowledgedWrites(history)).toBeGreaterThan(50);
      expect(acknowledgedWrites(afterwards)).toBeGreaterThan(10);
      await expectAllThere();
      await expectToGoOn();
    },
    patient,
  );

  it('erase again whom the copy holds, and nobody else', expectErasedAgain, patient);

  it(
    'bring back the topics, when Kafka is lost',
    async () => {
      await installation.stop();
      installation.destroy('postgres', 'postgres.password', 'secrets.json');
      await expect(installation.runCommands('GATEWAY_PORT=0 npm start')).rejects.toMatchObject({
        stderr: expect.stringContaining('was never told of them'),
      });

      // A key of which the purchase service can make nothing: the others may publish all of theirs.
      await expect(installation.runCommands('MASTER_KEY=none npm run republish')).rejects.toMatchObject({
        stderr: expect.stringContaining('purchase-validation were not all published'),
      });
      await expect(installation.start()).rejects.toThrow('Delete the topics');
      await installation.run('npm run republish');
      await installation.start();

      await expectAllThere();
      await expectToGoOn();
    },
    patient,
  );

  it(
    'lead to a read model that a rebuild from the topics makes again',
    async () => {
      await observe(addresses());
      await installation.runCommands('npm run rebuild -- read-model');
      const { tables, rows, different } = await compareReadModels(addresses().databaseUrl);
      expect(different).toEqual([]);
      expect(tables).toBeGreaterThan(14);
      expect(rows).toBeGreaterThan(100);
      await installation.runCommands('npm run rebuild -- read-model --drop-former');
    },
    patient,
  );

  it(
    'bring back a cold copy as it was',
    async () => {
      erased = await newBuyer(installation.product, erasedAddress);
      await installation.stop();
      await installation.run('tar -cSpf');
      await installation.start();
      await erase(installation.product, erased);
      await installation.stop();
      await installation.run('./postgres');
      await installation.run('npm run --silent erasures');
      await installation.run('rm -rf "$DATA" &&');
      await installation.start();

      await expectAllThere();
      await expectErasedAgain();
    },
    patient,
  );
});
