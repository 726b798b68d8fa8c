import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Weighing } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import type { WeighedDecision } from '@paywright/read-model';
import { encodeSnapshot, snapshotId, Trainer } from '@paywright/selection-engine';
import { reportSchemas } from '../../openapi/schemas/report-schemas.ts';
import { adminGateway, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';
import { context } from '../testing/decision-records.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
  await gateway.call('PUT', '/apps/1/catalog', { body: exampleCatalog });
});
afterAll(() => gateway.close());

const day = 86_400_000;

/** Bold three times in four where AI is drawn, and it is nine times in ten; Baseline is calm, or none of the two. */
function weighingOf(baselinePaywall = 'calm'): Weighing {
  const candidate = (paywall: string, probability: number) => {
    const propensity = 0.9 * probability + (paywall === baselinePaywall ? 0.1 : 0);
    return { paywall, score: 0, variance: null, probability, value: null, propensity };
  };
  return {
    ...{ model: 'main', policy: 'uniform-1', aiWeight: 9, baselineWeight: 1, baselinePaywall, baselinePropensity: baselinePaywall === 'calm' ? 0.325 : 0.1 }, // prettier-ignore
    ...{ utcOffsetMinutes: null, candidates: [candidate('calm', 0.25), candidate('bold', 0.75)] },
  };
}

const decided = (profile: number, paywall: string, usd: string, weighing = weighingOf()): WeighedDecision => ({
  ...{ profileId: `p${profile}`, time: startedAt - 20 * day, paywall, placementId: 'onboarding', usd },
  ...{ weighing: () => weighing, context: () => context },
});

/** Of 4,000 decisions 1,300 are calm, of which one in ten earns 10; and 2,700 bold, of which one in five earns 2. */
const log = (size = 4_000) =>
  Array.from({ length: size }, (_, index) => {
    const isCalm = index % 40 < 13;
    if (isCalm) return decided(index, 'calm', Math.floor(index / 40) % 10 === 0 ? '10' : '0');
    return decided(index, 'bold', Math.floor(index / 40) % 5 === 0 ? '2' : '0');
  });
const evaluate = async (policy: string, more = '') =>
  gateway.call('GET', `/apps/1/models/main/evaluation?policy=${encodeURIComponent(policy)}${more}`);
const estimateOf = async (policy: string) => (await evaluate(policy)).body.data;

describe('GET evaluation', () => {
  beforeEach(() => {
    gateway.readModel.weighed = log();
  });

  it.each([
    ['paywall:calm', 1],
    ['paywall:calm_v1', 1],
    ['paywall:2', 0.4],
    ['baseline', 1],
    ['uniform', 0.7],
    ['ai', 0.25 * 1 + 0.75 * 0.4],
    ['current', 0.7],
  ])('finds what %s would have earned', async (policy, usd) => {
    const data = await estimateOf(policy);
    expect(data).toMatchObject({ policy, refusal: null, decisions: 4_000, notOffered: 0, neverShown: 0, days: 14 });
    const { value, low, high } = data.usdPerDecision;
    expect(value).toBeCloseTo(usd, 9);
    expect([low < value, value < high]).toEqual([true, true]);
    expect(data.effectiveSampleSize).toBeLessThanOrEqual(4_000);
  });

  it('is as it is described', async () => {
    const described = Object.keys(Object(reportSchemas['Evaluation']?.['properties']));
    expect(Object.keys(await estimateOf('uniform')).sort()).toEqual(described.sort());
  });

  it('tells the effective decisions of a fixed paywall: those that showed it', async () =>
    expect(await estimateOf('paywall:calm')).toMatchObject({
      effectiveSampleSize: expect.closeTo(1_300, 6),
      earning: 130,
    }));

  it('judges the model that is served now, and says that it has seen these decisions', async () => {
    const served = Trainer.fresh('1/main').snapshot();
    const [bytes, ofAnotherEngine] = [encodeSnapshot(served), encodeSnapshot({ ...served, engine: 'learned-0' })];
    gateway.readModel.modelReport = { sha256: snapshotId(bytes), learnedUntil: startedAt, report: emptyReport };
    gateway.readModel.modelSnapshots = new Map([[snapshotId(bytes), bytes]]);
    const data = await estimateOf('current');
    expect(data).toMatchObject({
      modelVersion: `learned-2:${snapshotId(bytes)}`,
      caution: expect.stringContaining('leans'),
    });
    expect(data.usdPerDecision.value).toBeCloseTo(0.7, 3);
    for (const kept of [[], [[snapshotId(bytes), ofAnotherEngine]] as const]) {
      gateway.readModel.modelSnapshots = new Map(kept);
      expect(await evaluate('current')).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    }
  });

  it('refuses with a reason', async () => {
    gateway.readModel.archived.paywalls.set('gone', { name: 'Gone', externalId: 'gone', number: 6 });
    expect((await estimateOf('paywall:gone')).refusal).toBe(
      'What this policy would show was a candidate of none of 4000 decisions.',
    );
    gateway.readModel.weighed = log(400);
    expect(await estimateOf('paywall:calm')).toMatchObject({
      ...{
        usdPerDecision: null,
        refusal: expect.stringMatching(/^The 400 decisions tell as much of this policy as 130 /),
      },
    });
    gateway.readModel.weighed = log().map((one) => ({ ...one, usd: '0' }));
    expect((await estimateOf('uniform')).refusal).toMatch(/^The 0 decisions that earned .* 0 payers .*; below 30/);
    gateway.readModel.weighed = [];
    expect((await estimateOf('uniform')).refusal).toMatch(/no decision in this period that is 14 days old by now/);
    const { body } = await evaluate('uniform', '&days=1');
    expect(body.data.refusal).toMatch(/no decision in this period that is 1 day old by now/);
  });

  it('refuses what few payers of great weight tell, however many decisions earned', async () => {
    const weighing = weighingOf('bold');
    // Calm was shown once in forty: four of its decisions earn, and weigh as much as the 156 of bold.
    const [calm = weighing.candidates[0]!, bold = weighing.candidates[1]!] = weighing.candidates;
    const rare = {
      ...weighing,
      candidates: [
        { ...calm, propensity: 0.025 },
        { ...bold, propensity: 0.975 },
      ],
    };
    const seldom = (size: number) =>
      Array.from({ length: size }, (_, index) => {
        const paywall = index % 40 === 0 ? 'calm' : 'bold';
        return decided(index, paywall, Math.floor(index / 40) % 25 === 0 ? '10' : '0', rare);
      });
    gateway.readModel.weighed = seldom(4_000);
    expect(await estimateOf('uniform')).toMatchObject({
      ...{ usdPerDecision: null, earning: 160, effectiveSampleSize: expect.closeTo(390, 0) },
      refusal:
        'The 160 decisions that earned tell as much of this policy as 15 payers of its own would; below 30 there is no estimate.',
    });
  });

  it('leaves out what could not be shown, and says how much', async () => {
    const closed = { ...weighingOf('third'), baselinePropensity: 0 };
    gateway.readModel.weighed = [
      ...log(),
      ...Array.from({ length: 10 }, (_, index) => decided(index, 'bold', '5', closed)),
    ];
    expect(await estimateOf('baseline')).toMatchObject({ decisions: 4_000, neverShown: 10 });
    gateway.readModel.weighed = gateway.readModel.weighed.slice(-10);
    expect((await estimateOf('baseline')).refusal).toBe(
      'In none of 10 decisions could be shown what this policy would show.',
    );
  });

  it('weighs a Baseline paywall that is no candidate', async () => {
    const apart = weighingOf('third');
    gateway.readModel.weighed = log().map((one, index) =>
      index % 10 === 0
        ? decided(index, 'third', index % 20 === 0 ? '4' : '0', apart)
        : { ...one, weighing: () => apart },
    );
    gateway.readModel.archived.paywalls.set('third', { name: 'Third', externalId: 'third', number: 7 });
    expect((await estimateOf('baseline')).usdPerDecision.value).toBeCloseTo(2, 9);
    expect((await estimateOf('paywall:third')).usdPerDecision.value).toBeCloseTo(2, 9);
  });

  it.each(['third', 'Gone: 30 % off', '7'])(
    'finds an archived paywall by its id, external id and number: %s',
    async (named) => {
      gateway.readModel.archived.paywalls.set('third', { name: 'Third', externalId: 'Gone: 30 % off', number: 7 });
      gateway.readModel.weighed = log().map((one, index) => decided(index, 'third', one.usd, weighingOf('third')));
      expect(await estimateOf(`paywall:${named}`)).toMatchObject({ decisions: 4_000, notOffered: 0 });
    },
  );

  it('takes any external id that a catalog may have', async () => {
    const [calm, bold] = exampleCatalog.paywalls;
    const body = { ...exampleCatalog, paywalls: [{ ...calm, externalId: 'Ruhig / 2, für "alle" 🎈' }, bold] };
    await gateway.call('PUT', '/apps/1/catalog', { body });
    expect(await estimateOf('paywall:Ruhig / 2, für "alle" 🎈')).toMatchObject({ decisions: 4_000, refusal: null });
  });

  it('asks for decisions that are old enough, newest first', async () => {
    await evaluate('uniform');
    await evaluate('current', '&days=1&from=2025-12-01&to=2026-01-01');
    await evaluate('uniform', '&from=2025-12-31');
    const common = { appId: 1, model: 'main', limit: 20_000 };
    expect(gateway.readModel.weighedRequests).toEqual([
      { ...common, days: 14, withContext: false, from: startedAt - 90 * day, to: startedAt - 14 * day },
      { ...common, days: 1, withContext: true, from: Date.UTC(2025, 11, 1), to: startedAt - day },
      { ...common, days: 14, withContext: false, from: Date.UTC(2025, 11, 31), to: Date.UTC(2025, 11, 31) },
    ]);
  });

  it.each([
    ['?policy=best', /^policy must be uniform .* current .* ai .* baseline .* paywall:/],
    ['', /^policy must be/],
    ['?policy=paywall:', /^policy must be/],
    ['?policy=paywall:%00', /^policy must be/],
    [`?policy=paywall:${'x'.repeat(256)}`, /^policy must be/],
    [
      '?policy=paywall:clam',
      /^policy names no paywall of this app, now or before; its catalog has paywall:calm and paywall:bold\.$/,
    ],
    ['?policy=uniform&days=0', /^days must be an integer from 1 to 730/],
  ])('refuses "%s"', async (query, error) => {
    const { status, body } = await gateway.call('GET', `/apps/1/models/main/evaluation${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).toMatch(error);
  });

  it('knows no other model', async () =>
    expect((await gateway.call('GET', '/apps/1/models/x/evaluation?policy=uniform')).body.code).toBe(
      'MODEL_NOT_FOUND',
    ));
});

const emptyReport = { strata: [], guard: { epochs: [0] }, draws: [], driftAlarms: 0, starts: 0 };
