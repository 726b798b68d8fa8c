import { describe, expect, it } from '@jest/globals';
import { uniformPolicy } from '@paywright/selection-engine';
import { ModelRecord, type PublishedSnapshot, snapshotRecords } from '@paywright/selection-models';
import { context, issuedAt, learned } from '@paywright/selection-models/testing';
import { catalogOf, model, placement } from '../testing/selection-commands.ts';
import { ServedModels } from './served-models.ts';

const likesBold = { appId: 1, model: 'main', ...learned() };
const likesCalm = { appId: 1, model: 'main', ...learned({ calm: 0.3, bold: 0.02 }) };
const main = catalogOf({
  models: [model('main', [{ target: 'ai_model', weight: 1 }])],
  placements: [placement('onboarding', 'main')],
}).placements.get('onboarding')?.model;

const serve = (models: ServedModels, snapshot: PublishedSnapshot) => {
  for (const { value } of snapshotRecords(snapshot)) models.apply(ModelRecord.parse(JSON.parse(String(value))));
};
const chancesOf = (models: ServedModels, appId = 1) => {
  const { probabilities } = models
    .policyOf(appId, 'main')
    .choose({ facts: context, at: issuedAt, placementId: 'onboarding' }, main?.candidates ?? []);
  return { calm: probabilities[0] ?? 0, bold: probabilities[1] ?? 0 };
};

describe('ServedModels', () => {
  it('chooses evenly as long as nothing was learned', () => {
    expect(new ServedModels().policyOf(1, 'main')).toBe(uniformPolicy);
  });

  it('chooses as the newest snapshot says, each model by its own', () => {
    const models = new ServedModels();
    serve(models, likesBold);
    expect(models.policyOf(1, 'main').version).toBe(`learned-2:${likesBold.sha256}`);
    expect(chancesOf(models).bold).toBeGreaterThan(0.8);
    serve(models, likesCalm);
    expect(chancesOf(models).calm).toBeGreaterThan(0.8);
    serve(models, { ...likesBold, appId: 2 });
    expect(chancesOf(models).calm).toBeGreaterThan(0.8);
    expect(chancesOf(models, 2).bold).toBeGreaterThan(0.8);
  });

  it('keeps to the newest snapshot, should a learner that was frozen tell an older one behind it', () => {
    const models = new ServedModels();
    serve(models, likesBold);
    serve(models, { ...likesCalm, learnedUntil: likesBold.learnedUntil - 1 });
    expect(chancesOf(models).bold).toBeGreaterThan(0.8);
    serve(models, { ...likesCalm, learnedUntil: likesBold.learnedUntil }); // a rebuild that is promoted at that tick
    expect(chancesOf(models).calm).toBeGreaterThan(0.8);
  });

  it('lets go of a snapshot that is taken off the topic, and serves it again when it is told again', () => {
    const models = new ServedModels();
    serve(models, likesBold);
    serve(models, { ...likesBold, appId: 2 });
    models.forget('1/main/control');
    expect(chancesOf(models).bold).toBeGreaterThan(0.8);
    models.forget('1/main/snapshot/0');
    models.forget('3/other/snapshot/0');
    expect(models.policyOf(1, 'main')).toBe(uniformPolicy);
    expect(models.oldestLearnedUntil((appId) => appId === 1)).toBeNull();
    expect(chancesOf(models, 2).bold).toBeGreaterThan(0.8);
    serve(models, likesBold);
    expect(chancesOf(models).bold).toBeGreaterThan(0.8);
  });

  it('goes on with what it has when a snapshot cannot be read', () => {
    const models = new ServedModels();
    serve(models, likesBold);
    const before = models.policyOf(1, 'main');
    expect(() => serve(models, { ...likesCalm, sha256: likesBold.sha256 })).toThrow(RangeError);
    expect(models.policyOf(1, 'main')).toBe(before);
  });

  it('tells of a policy before it serves, so that it can be made ready', () => {
    const told: unknown[] = [];
    const models: ServedModels = new ServedModels({
      onPolicy: (appId, name, policy) => told.push([appId, name, policy, models.policyOf(appId, name)]),
    });
    serve(models, likesBold);
    expect(told).toEqual([[1, 'main', models.policyOf(1, 'main'), uniformPolicy]]);
  });

  it('knows what guards leave of each model’s traffic', () => {
    const changes: number[] = [];
    const models = new ServedModels({ onAiShares: (appId) => changes.push(appId) });
    const share = (name: string, aiShare: 0 | 0.5 | 1) =>
      models.apply({ kind: 'control', appId: 1, model: name, aiShare });
    share('main', 0.5);
    share('other', 0);
    expect(models.aiSharesOf(1)).toEqual({ main: 0.5, other: 0 });
    share('main', 1);
    expect(models.aiSharesOf(1)).toEqual({ other: 0 });
    share('other', 1);
    expect([models.aiSharesOf(1), models.aiSharesOf(2)]).toEqual([null, null]);
    expect(changes).toEqual([1, 1, 1, 1]);
  });

  it('keeps to the newest share, should an older one come behind it', () => {
    const models = new ServedModels();
    const share = (aiShare: 0 | 0.5 | 1, version?: number) =>
      models.apply({ kind: 'control', appId: 1, model: 'main', aiShare, ...(version !== undefined && { version }) });
    share(0, 5);
    share(1, 4);
    expect(models.aiSharesOf(1)).toEqual({ main: 0 });
    share(0, 5); // delivered twice
    share(0.5, 6);
    expect(models.aiSharesOf(1)).toEqual({ main: 0.5 });
    share(1); // of the version before, which does not say
    expect(models.aiSharesOf(1)).toBeNull();
  });

  it('knows how old the oldest model is that serves', () => {
    const models = new ServedModels();
    const oldest = (...used: string[]) => models.oldestLearnedUntil((appId, name) => used.includes(`${appId}/${name}`));
    expect(oldest('1/main')).toBeNull();
    serve(models, likesBold);
    serve(models, { ...likesCalm, model: 'other', learnedUntil: 7 });
    expect(oldest('1/main', '1/other')).toBe(7);
    expect(oldest('1/main', '2/other')).toBe(likesBold.learnedUntil);
    expect(oldest()).toBeNull();
  });
});
