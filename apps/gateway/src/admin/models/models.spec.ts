import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { modelStreamOf } from '@paywright/purchases';
import { encodeSnapshot, snapshotId, Trainer } from '@paywright/selection-engine';
import { exampleCatalog } from '@paywright/contracts/testing';
import { adminGateway, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
  await gateway.call('PUT', '/apps/1/catalog', { body: exampleCatalog });
});
afterAll(() => gateway.close());

const path = '/apps/1/models/main';
const model = { appId: 1, model: 'main' };
const untaught = Trainer.fresh('1/main').snapshot();
const served = { ...untaught, exposures: 9_450 };
const [bytes, ofAnotherEngine] = [encodeSnapshot(served), encodeSnapshot({ ...served, engine: 'learned-0' })];
const sha256 = snapshotId(bytes);
const side = (exposures: number, starts: number) => ({ exposures, starts, usd: starts * 10, usdSquares: starts * 200 });
const stratum = { since: 0, share: 1, ai: side(9_000, 450), baseline: side(1_000, 50) };
const report = {
  ...{ strata: [stratum], driftAlarms: 1, starts: 500, waitingExposures: 3, lastDriftAlarms: [] },
  guard: { factor: 1, epochs: [0], triedSince: 0, exposures: 10_000 },
  draws: [
    { paywall: 'calm', drawn: 30, expected: 31.5, shown: 28 },
    { paywall: 'former', drawn: 10, expected: 8.5, shown: 9 },
  ],
  rebuild: {
    ...{ type: 'rebuilt', at: startedAt, night: startedAt, isPromoted: false, liveLoss: 0.14, rebuiltLoss: 0.15 },
    ...{ judgedExposures: 310, exposures: 9_000, liveSha256: 'a', rebuiltSha256: 'b', from: '17' },
  },
};

/** The model has learned and published. */
function learned() {
  gateway.readModel.modelReport = { sha256, learnedUntil: startedAt, report };
  gateway.readModel.modelSnapshots = new Map([[sha256, bytes]]);
}
const read = async () => (await gateway.call('GET', path, { token: viewerToken })).body.data;

describe('GET model', () => {
  it('shows evenly before anything was learned', async () => {
    gateway.clock.advance(3_600_000);
    expect(await read()).toEqual({
      asOf: '2026-01-01T01:00:00.000Z',
      ...{ id: 'main', name: 'Main', aiPricingModelId: 1, state: 'uniform', version: 'uniform-1', learnedUntil: null },
      ...{ decisionsLearned: 0, starts: 0, driftAlarms: 0, promises: [], lastRebuild: null, changes: [] },
      concentration: { promised: null, brought: null },
      candidates: [
        { paywall: 'calm', paywallId: 1, externalId: 'calm_v1', isCandidate: true, drawn: 0, shown: 0, share: null },
        { paywall: 'bold', paywallId: 2, externalId: 'bold', isCandidate: true, drawn: 0, shown: 0, share: null },
      ],
      guardrail: {
        ...{ aiShare: 1, verdict: 'open', since: null, exposures: { aiModel: 0, baseline: 0 } },
        startsCompared: { aiModel: 0, baseline: 0 },
        ...{ sampleRatio: null, starts: null, usd: null, outlook: [] },
      },
    });
  });

  it('tells what was learned, how candidates share, and what the guard sees', async () => {
    learned();
    const data = await read();
    expect(data).toMatchObject({
      ...{ state: 'learning', version: `learned-2:${sha256}`, learnedUntil: new Date(startedAt).toISOString() },
      ...{ decisionsLearned: 9_450, starts: 500, driftAlarms: 1 },
      lastRebuild: {
        ...{ dueAt: new Date(startedAt).toISOString(), isPromoted: false, losses: { live: 0.14, rebuilt: 0.15 } },
        ...{ judgedDecisions: 310, decisionsLearned: 9_000 },
      },
      candidates: [
        { paywall: 'calm', share: 0.75, drawn: 30, shown: 28 },
        { paywall: 'bold', share: 0 },
        { paywall: 'former', isCandidate: false, paywallId: null, externalId: null, share: 0.25 },
      ],
      guardrail: {
        ...{ aiShare: 1, verdict: 'open', exposures: { aiModel: 9_000, baseline: 1_000 } },
        startsCompared: { aiModel: 450, baseline: 50 },
      },
    });
    const { starts, outlook } = data.guardrail;
    // Baseline brings .5 USD an exposure; the less AI differs, the longer nobody knows.
    expect(outlook).toMatchObject([
      { share: 0.5, usd: 0.25, exposures: expect.any(Number) },
      ...[{ share: 0.2 }, { share: 0.1 }, { share: 0.05, usd: 0.025 }],
    ]);
    const more = outlook.map(({ exposures }: { exposures: number }) => exposures);
    expect(more).toEqual(more.toSorted((a: number, b: number) => a - b));
    expect(more.at(-1)).toBeGreaterThan(10_000);
    expect(starts.difference).toBeCloseTo(0, 12);
    expect([starts.low < 0, starts.high > 0]).toEqual([true, true]);
  });

  it('is even as long as it has learned from no decision, though it has published', async () => {
    const none = encodeSnapshot(untaught);
    const published = { sha256: snapshotId(none), learnedUntil: startedAt, report };
    gateway.readModel.modelReport = published;
    gateway.readModel.modelSnapshots = new Map([[published.sha256, none]]);
    expect(await read()).toMatchObject({
      state: 'uniform',
      version: `learned-2:${published.sha256}`,
      decisionsLearned: 0,
    });
  });

  it('compares the newest share alone', async () => {
    learned();
    const strata = [stratum, { ...stratum, since: startedAt, ai: side(10, 0), baseline: side(10, 0) }];
    const guard = { ...report.guard, epochs: [0, startedAt] };
    gateway.readModel.modelReport = { sha256, learnedUntil: startedAt, report: { ...report, strata, guard } };
    expect((await read()).guardrail).toMatchObject({
      ...{ since: new Date(startedAt).toISOString(), exposures: { aiModel: 10, baseline: 10 }, starts: null },
    });
  });

  it('counts as compared nothing that AI showed while it had all of the traffic', async () => {
    learned();
    const strata = [
      { ...stratum, share: 0.9, ai: side(700, 30), baseline: side(80, 45) },
      { ...stratum, share: 1, ai: side(9_000, 450), baseline: side(0, 0) },
    ];
    gateway.readModel.modelReport = { sha256, learnedUntil: startedAt, report: { ...report, strata } };
    expect((await read()).guardrail).toMatchObject({
      ...{ exposures: { aiModel: 700, baseline: 80 }, startsCompared: { aiModel: 30, baseline: 45 }, starts: null },
    });
  });

  it('tells whether both sides were shown as often as they were drawn', async () => {
    learned();
    const ratioOf = async (ai: number, baseline: number) => {
      const strata = [{ ...stratum, share: 0.9, ai: side(ai, 0), baseline: side(baseline, 0) }];
      gateway.readModel.modelReport = { sha256, learnedUntil: startedAt, report: { ...report, strata } };
      return (await read()).guardrail.sampleRatio;
    };
    expect(await ratioOf(9_010, 990)).toEqual({ aiShare: 0.901, expectedAiShare: 0.9, isOff: false });
    expect(await ratioOf(8_500, 1_500)).toEqual({ aiShare: 0.85, expectedAiShare: 0.9, isOff: true });
  });

  it('tells what guards and people did, newest first', async () => {
    const evidence = { starts: null, usd: { difference: -1, halfWidth: 0.5 }, exposures: 900 };
    gateway.readModel.modelChanges = [
      { time: startedAt + 1, type: 'ModelFrozen', body: { ...model, actor: 'ops' } },
      { time: startedAt, type: 'ModelGuardTripped', body: { ...model, aiShare: 0.5, formerAiShare: 1, evidence } },
    ];
    const nothing = { aiShare: null, formerAiShare: null, evidence: null };
    const data = await read();
    expect(data).toMatchObject({ state: 'frozen', guardrail: { aiShare: 0.5 } });
    expect(data.changes).toEqual([
      { time: new Date(startedAt + 1).toISOString(), type: 'ModelFrozen', actor: 'ops', ...nothing },
      {
        ...{ time: new Date(startedAt).toISOString(), type: 'ModelGuardTripped', actor: null },
        ...{ aiShare: 0.5, formerAiShare: 1, evidence },
      },
    ]);
  });

  it('tells what is left of a share by a person and the guard together', async () => {
    const evidence = { starts: null, usd: { difference: -1, halfWidth: 0.5 }, exposures: 900 };
    gateway.readModel.modelChanges = [
      { time: startedAt + 3, type: 'ModelGuardReleased', body: { ...model, aiShare: 1, formerAiShare: 0.5, evidence } },
      { time: startedAt + 2, type: 'ModelGuardTripped', body: { ...model, aiShare: 0.5, formerAiShare: 1, evidence } },
      { time: startedAt + 1, type: 'ModelFrozen', body: model },
      {
        time: startedAt,
        type: 'ModelShareLimited',
        body: { ...model, aiShare: 0.25, formerAiShare: 0.5, actor: 'ops' },
      },
    ];
    const data = await read();
    expect(data.guardrail.aiShare).toBe(0.25);
    const shares = data.changes.map((one: { formerAiShare: number; aiShare: number }) => [
      one.formerAiShare,
      one.aiShare,
    ]);
    expect(shares).toEqual([[0.125, 0.25], [0.25, 0.125], [null, null], [0.5, 0.25]]); // prettier-ignore
  });

  it('tells what is left, though not every change is known between a person’s and the guard’s', async () => {
    const evidence = { starts: null, usd: { difference: -1, halfWidth: 0.5 }, exposures: 900 };
    gateway.readModel.modelChanges = [
      { time: startedAt + 9, type: 'ModelGuardReleased', body: { ...model, aiShare: 1, formerAiShare: 0.5, evidence } },
      { time: startedAt, type: 'ModelShareLimited', body: { ...model, aiShare: 0.5, formerAiShare: 1, actor: 'ops' } },
    ];
    const [newest] = (await read()).changes;
    expect([newest.formerAiShare, newest.aiShare]).toEqual([0.25, 0.5]);
  });

  it('calls an archived model, and what is no candidate any more, as they were called last', async () => {
    learned();
    const { archived } = gateway.readModel;
    archived.models.set('former', { name: 'Former model', externalId: null, number: 5 });
    archived.paywalls.set('former', { name: 'Former', externalId: 'former_v2', number: 7 });
    const { body } = await gateway.call('GET', '/apps/1/models/former');
    expect(body.data).toMatchObject({ state: 'archived', name: 'Former model', aiPricingModelId: 5 });
    expect(body.data.candidates).toContainEqual(
      expect.objectContaining({ paywall: 'former', paywallId: 7, externalId: 'former_v2' }),
    );
    expect(await read()).toMatchObject({ name: 'Main' });
  });

  it('knows an archived model that served and had learned nothing yet', async () => {
    gateway.readModel.archived.models.set('brief', { name: 'Brief model', externalId: null, number: 5 });
    const { status, body } = await gateway.call('GET', '/apps/1/models/brief');
    expect([status, body.data?.state, body.data?.name]).toEqual([200, 'archived', 'Brief model']);
  });

  it('does not count what another engine learned, and knows a model that the catalog had', async () => {
    learned();
    gateway.readModel.modelSnapshots = new Map([[sha256, ofAnotherEngine]]);
    expect(await read()).toMatchObject({ decisionsLearned: null });
    expect((await gateway.call('GET', '/apps/1/models/former')).body.data).toMatchObject({
      state: 'archived',
      name: null,
    });
    gateway.readModel.modelReport = null;
    expect(await gateway.call('GET', '/apps/1/models/former')).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND', error: 'modelId names no model of this app; its catalog has main.' },
    });
  });
});

describe('what a person does to a model', () => {
  it.each([
    ['freeze', 'FreezeModel', { isFrozen: true }],
    ['unfreeze', 'FreezeModel', { isFrozen: false }],
  ])('%ss it', async (route, type, reply) => {
    expect((await gateway.call('POST', `${path}/${route}`)).body.data).toEqual({ id: 'main', ...reply });
    expect(gateway.catalogService.sent.at(-1)).toMatchObject({
      ...{ type, appId: 1, key: modelStreamOf(model), body: { model: 'main', actor: 'ops', ...reply } },
    });
  });

  it('gives AI its whole share back', async () => {
    const { body, headers } = await gateway.call('POST', `${path}/restore-share`);
    expect(body.data).toEqual({ id: 'main', aiShare: 1 });
    expect(gateway.catalogService.sent.at(-1)).toMatchObject({
      ...{ type: 'LimitModelShare', key: modelStreamOf(model), requestId: headers['x-request-id'] },
      body: { model: 'main', aiShare: 1, actor: 'ops' },
    });
  });

  it.each([0, 0.25, 0.5, 1])('leaves AI a share of %s', async (aiShare) => {
    const answer = await gateway.call('PUT', `${path}/ai-share`, { body: { aiShare } });
    expect(answer.body.data).toEqual({ id: 'main', aiShare });
    expect(gateway.catalogService.sent.at(-1)).toMatchObject({
      ...{ type: 'LimitModelShare', appId: 1, key: modelStreamOf(model) },
      body: { model: 'main', aiShare, actor: 'ops' },
    });
  });

  it.each([{ aiShare: 0.3 }, { aiShare: '0.5' }, { aiShare: null }, {}])('refuses the share of %j', async (body) => {
    const answer = await gateway.call('PUT', `${path}/ai-share`, { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([
    ['POST', 'freeze', {}],
    ['POST', 'unfreeze', {}],
    ['POST', 'restore-share', {}],
    ['PUT', 'ai-share', { aiShare: 0 }],
  ] as const)('%s %s is no viewer’s, nor of a model that is not there', async (method, route, body) => {
    const viewed = await gateway.call(method, `${path}/${route}`, { token: viewerToken, body });
    expect([viewed.status, viewed.body.code]).toEqual([403, 'FORBIDDEN']);
    learned();
    const former = await gateway.call(method, `/apps/1/models/former/${route}`, { body });
    expect([former.status, former.body.code]).toEqual([404, 'MODEL_NOT_FOUND']);
    expect(gateway.catalogService.sent.some(({ type }) => type === 'FreezeModel' || type === 'LimitModelShare')).toBe(
      false,
    );
  });

  it('is asked to be repeated when nobody can see it in time', async () => {
    gateway.readModel.reached = false;
    const answer = gateway.call('POST', `${path}/freeze`);
    const passing = setInterval(() => gateway.clock.set(gateway.clock.now() + 1_000), 5);
    expect((await answer).status).toBe(503);
    clearInterval(passing);
  });
});
