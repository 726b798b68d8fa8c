import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withAiShares, type CatalogDocument, type PaywallServed } from '@paywright/contracts';
import {
  choiceVersion,
  choiceVersions,
  decide,
  decodeSnapshot,
  encodeSnapshot,
  learnedPolicy,
  snapshotId,
  toEngineCatalog,
  Trainer,
  type LearningRecord,
} from '@paywright/selection-engine';
import { adminGateway, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';
import { context, decisionRow, ids, revision, withTraffic } from '../testing/decision-records.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
});
afterAll(() => gateway.close());

const id = '0190a5b0-0000-7000-8000-00000000000a';
const hour = 3_600_000;
const document = withTraffic({ target: 'ai_model', weight: 90 }, { target: 'baseline', weight: 10 });
const facts = { ...context, timezone: 'Asia/Kolkata' };

/** What a model learned of exposures of bold, of which so many of a hundred started. */
function learned(starts: number) {
  const trainer = Trainer.fresh('main');
  const exposures = Array.from({ length: 300 }, (_, index): readonly LearningRecord[] => {
    const at = startedAt + index * 60_000;
    const exposure = { id: `${index}`, at, paywall: 'bold', values: { country: 'de', weekday: '3' }, side: 'ai', share: 1, logValue: null } as const; // prettier-ignore
    const bought = { product: 'p', plan: 'month', country: 'de', periodDays: 30, trialDays: 0 };
    const start = { type: 'start', id: `s${index}`, at, exposure, ...bought } as const;
    return [{ type: 'shown', ...exposure }, ...(index % 100 < starts ? [start] : [])];
  });
  const ticks = Array.from({ length: 40 }, (_, at) => ({ type: 'tick', at: startedAt + at * hour }) as const);
  for (const record of [...exposures.flat(), ...ticks].toSorted((one, other) => one.at - other.at))
    trainer.apply(record);
  const bytes = encodeSnapshot(trainer.snapshot());
  return { bytes, sha256: snapshotId(bytes) };
}
const former = learned(5);
const newer = learned(20);
/** The former model, as if it had learned from so much that it explores less. */
const seasonedBytes = encodeSnapshot({ ...decodeSnapshot(former.bytes), exposures: 1_000_000 });
const seasoned = { bytes: seasonedBytes, sha256: snapshotId(seasonedBytes) };

/** A decision by a model, with the user's clock as it was logged. */
function decided(
  sha256 = former.sha256,
  aiShares: Record<string, number> = {},
  { chosenBy = former, version = choiceVersion } = {},
) {
  const policy = learnedPolicy(chosenBy.sha256, decodeSnapshot(chosenBy.bytes), { version, utcOffsetOf: () => 330 });
  const catalog = toEngineCatalog(revision, withAiShares(document, aiShares), ids);
  const request = { placementId: 'onboarding', seed: id, baselineOnly: false, facts, at: startedAt };
  const decision = decide(request, catalog, () => policy);
  if (decision.kind !== 'served') throw new Error('nothing was served');
  const { paywall, path, isExperiment, candidates, probability, modelVersion } = decision;
  const weighing: PaywallServed['body']['weighing'] = {
    ...{ model: 'main', policy: policy.version, aiWeight: 90, baselineWeight: 10, baselinePaywall: 'calm' },
    ...{ baselinePropensity: 0.5, utcOffsetMinutes: 330, candidates: [] },
  };
  return decisionRow(
    id,
    {
      ...paywall,
      ...{ path: [...path], target: path[0].target, isExperiment, candidates: [...candidates], probability, weighing },
      ...{ context: facts, aiShares, modelVersion: modelVersion?.replace(chosenBy.sha256, sha256) ?? null },
    },
    document,
  );
}

const record = (row: ReturnType<typeof decided>, snapshots = [former, newer], kept: CatalogDocument = document) => {
  gateway.readModel.decisions = [row];
  gateway.readModel.revisions = [{ revision, time: startedAt, actor: 'ops', document: kept, ids }];
  gateway.readModel.modelSnapshots = new Map(snapshots.map(({ sha256, bytes }) => [sha256, bytes]));
};
const replay = async () => (await gateway.call('POST', `/apps/1/decisions/${id}/replay`)).body.data;

describe('the replay of what a model chose', () => {
  it('is the same, by the snapshot that the record names and the clock that it keeps', async () => {
    const row = decided();
    expect(row.decision.modelVersion).toBe(`${choiceVersion}:${former.sha256}`);
    record(row);
    expect(await replay()).toMatchObject({ same: true, modelVersion: row.decision.modelVersion });
  });

  it.each(choiceVersions)('goes by the rule of %s, by which it was chosen', async (version) => {
    const row = decided(seasoned.sha256, {}, { chosenBy: seasoned, version });
    record(row, [seasoned]);
    expect(await replay()).toMatchObject({ same: true, modelVersion: `${version}:${seasoned.sha256}` });
  });

  it('is another by another model, or another clock', async () => {
    record(decided(newer.sha256));
    expect(await replay()).toMatchObject({ same: false });
    const row = decided();
    const weighing = { ...row.decision.weighing!, utcOffsetMinutes: -480 };
    record({ ...row, decision: { ...row.decision, weighing } });
    expect(await replay()).toMatchObject({ same: false });
  });

  it('goes by the traffic that a guard left to AI', async () => {
    const held = decided(former.sha256, { main: 0 });
    expect(held.decision).toMatchObject({ target: 'baseline', path: [{ weight: 100 }] });
    record(held);
    expect(await replay()).toMatchObject({ same: true });
    record({ ...held, decision: { ...held.decision, aiShares: {} } });
    expect(await replay()).toMatchObject({ same: false });
  });

  it('says so when the model is not kept any more', async () => {
    record(decided(), []);
    expect(await replay()).toMatchObject({ same: false, replayed: { kind: 'model-forgotten' } });
    record({ ...decided(), decision: { ...decided().decision, modelVersion: 'learned-0:abc' } });
    expect(await replay()).toMatchObject({ same: false, replayed: { kind: 'model-forgotten' } });
  });

  it('says the same of a model of another engine, as after an upgrade', async () => {
    const bytes = encodeSnapshot({ ...decodeSnapshot(former.bytes), engine: 'learned-0' });
    const older = { bytes, sha256: snapshotId(bytes) };
    record(decided(older.sha256), [older]);
    expect(await replay()).toMatchObject({ same: false, replayed: { kind: 'model-forgotten' } });
  });
});
