import { shareLimits, targets } from '@paywright/contracts';
import { modelStates } from '../../admin/models/model-view.ts';
import {
  answered,
  boolean,
  integer,
  listOf,
  number,
  oneOf,
  orNull,
  ref,
  sentAlone,
  text,
  time,
  type Schema,
} from '../json-schema.ts';
import { paywallId } from './profile-schemas.ts';

const usd = (description: string): Schema => text(description, { examples: ['0.482110'] });

const mean = (one: string): Schema =>
  orNullObject(
    answered(`USD a ${one}; null without one`, {
      usd: usd('The mean, a decimal number'),
      low: orNull(usd('Lower end of its 95 % interval; null below 30 profiles that paid')),
      high: orNull(usd('Upper end')),
    }),
  );

const figures = {
  requests: integer('Decisions that clients were answered with'),
  draws: integer('Those for which a target was drawn by chance'),
  uniqueImpressions: integer('First showings of a paywall to a profile that these decisions led to'),
  conversions: integer('Purchases that these decisions led to, trials too; none of a sandbox, no family access'),
  payers: integer('Profiles that paid, and did not get all of it back: what the interval of impressions needs 30 of'),
  drawPayers: integer('The same of what draws brought: what their interval needs 30 of'),
  revenueUsd: text('USD after refunds that these purchases brought until now, a decimal number', {
    examples: ['482.11'],
  }),
  unvaluedCurrencies: listOf(
    text('Its ISO code', { examples: ['TWD'] }),
    'Currencies of what they brought that has no exchange rate yet, and is missing in all USD',
  ),
  revenuePerImpression: mean('unique impression'),
  revenuePerDraw: mean('draw'),
};

const comparedTarget = answered('What a draw of it brought', {
  draws: integer('How many are compared'),
  usdPerDraw: usd('The weighed mean, USD, a decimal number'),
});

const interval = (description: string): Schema =>
  orNullObject(
    answered(description, {
      difference: number('AI minus Baseline an exposure'),
      low: number('Lower end, at all looks together'),
      high: number('Upper end'),
    }),
  );

const evidenceDifference = orNullObject(
  answered('AI minus Baseline an exposure; null where there was too little', {
    difference: number('The difference'),
    halfWidth: number('The truth is within so much of it'),
  }),
);

function orNullObject(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

const comparison = (description: string): Schema =>
  orNullObject(
    answered(description, {
      aiModel: comparedTarget,
      baseline: comparedTarget,
      difference: answered('AI minus Baseline', {
        usd: usd('USD a draw, a decimal number'),
        low: orNull(usd('Lower end of its 95 % interval; null below 30 profiles that paid on a side')),
        high: orNull(usd('Upper end')),
      }),
    }),
  );

const aiShare = number('Of the weight that the catalog gives it', { minimum: 0, maximum: 1 });

/** Reports, and the models that they are about. */
export const reportSchemas: Readonly<Record<string, Schema>> = {
  PlacementReport: answered('What the decisions of a time at a placement led to, until now', {
    placementId: text('The placement'),
    model: orNull(text('The id of the model that it was asked for; null where it was not')),
    from: time('The first moment of the time'),
    to: time('The first moment behind it'),
    targets: listOf(
      answered('A target of the requested placement', {
        target: oneOf(targets, 'What was drawn'),
        ...figures,
        paywalls: listOf(
          answered('A paywall that was served', {
            paywallId,
            externalId: text('Its external name, as last served in the period'),
            ...figures,
          }),
          'By paywall',
        ),
      }),
      'By target',
    ),
    comparison: comparison(
      'AI against Baseline, of draws in which either could come: each weighs the chance of the other, so that both are ' +
        'of the same times whatever shares they had; null unless both were drawn',
    ),
  }),
  PlacementDays: answered('What the decisions of each day at a placement led to, until now', {
    placementId: text('The placement'),
    model: orNull(text('The id of the model that it was asked for; null where it was not')),
    from: time('The first moment of the time'),
    to: time('The first moment behind it'),
    days: listOf(
      answered('A day on which something was served', {
        day: text('The day of UTC on which it was decided', { examples: ['2026-01-31'] }),
        targets: listOf(
          answered('A target of the requested placement', {
            target: oneOf(targets, 'What was drawn'),
            requests: figures.requests,
            draws: figures.draws,
            uniqueImpressions: figures.uniqueImpressions,
            conversions: figures.conversions,
            drawConversions: integer('Those that draws led to'),
            revenueUsd: figures.revenueUsd,
            drawRevenueUsd: text('What draws brought of it, a decimal number', { examples: ['471.90'] }),
          }),
          'By target',
        ),
        comparison: comparison(
          'AI against Baseline, as of the end of the day: of all draws from the first moment until then, weighed as the ' +
            'comparison of the report is; null until both were drawn',
        ),
      }),
      'By day, the first one first',
    ),
  }),
  Model: answered('An AI model', {
    asOf: time('When this was answered'),
    id: text('Its id in the catalog'),
    name: orNull(text('Its name, or the last that it had; null if no catalog had it')),
    aiPricingModelId: orNull(integer('Its number in the REST API; null if no catalog had it')),
    state: oneOf(
      modelStates,
      'uniform: nothing learned yet; frozen: it serves on as it was; archived: out of the catalog',
    ),
    version: text('What it serves by, as decisions name it', { examples: ['uniform-1'] }),
    learnedUntil: orNull(time('Until when it has learned; null before it has')),
    decisionsLearned: orNull(integer('Shown decisions that it has learned from; null if another engine counted them')),
    starts: integer('Trials and purchases that it has learned from'),
    candidates: listOf(
      answered('A candidate', {
        paywall: text('Its id in the catalog'),
        paywallId: orNull(integer('Its number in the REST API; null if no catalog had it')),
        externalId: orNull(text('Its external name, or the last that it had')),
        isCandidate: boolean('Whether the catalog has it as one now'),
        drawn: integer('How often it was drawn, so far as learned'),
        shown: integer('How often it was shown then'),
        share: orNull(number('Of all that was drawn; null before anything was', { minimum: 0, maximum: 1 })),
      }),
      'Those of the catalog, and former ones that were drawn',
    ),
    guardrail: answered('What is made of AI against Baseline', {
      aiShare: { ...aiShare, description: 'So much of its weight AI has; Baseline has the rest' },
      verdict: oneOf(['worse', 'better', 'open'], 'AI against Baseline since then'),
      since: orNull(time('Since when this share is compared; null: since the beginning')),
      exposures: answered('That are compared', { aiModel: integer('By AI'), baseline: integer('By Baseline') }),
      startsCompared: answered('Trials and purchases of these', {
        aiModel: integer('Of AI'),
        baseline: integer('Of Baseline'),
      }),
      sampleRatio: orNullObject(
        answered('AI’s part of these, and the one that was drawn; null while there are too few', {
          aiShare: number('Of what was shown', { minimum: 0, maximum: 1 }),
          expectedAiShare: number('Of what was drawn', { minimum: 0, maximum: 1 }),
          isOff: boolean(
            'Whether chance explains the difference less than once in a thousand looks: no verdict holds then',
          ),
        }),
      ),
      starts: interval('Trials and purchases an exposure; null below 40 on a side'),
      usd: interval('Expected USD an exposure; null below 40 starts on a side'),
      outlook: listOf(
        answered('A difference in USD, and how long it takes to find it at these shares, four times in five', {
          share: number('Of what Baseline brings', { minimum: 0 }),
          usd: number('An exposure', { minimum: 0 }),
          exposures: integer('So many more are to be compared; 0 if it would show by now'),
        }),
        'Empty below 40 starts on a side, and while Baseline brings nothing',
      ),
    }),
    driftAlarms: integer('How often a paywall turned out to sell otherwise than before'),
    promises: listOf(
      answered('Decisions of AI that promised about the same; the older, the less they count', {
        exposures: number('How many were shown, as far as they count', { minimum: 0 }),
        promisedUsd: number('USD a showing, as today’s model would tell it', { minimum: 0 }),
        broughtUsd: number('USD a showing, what renewals are thought to bring among it', { minimum: 0 }),
      }),
      'By rising promise, about a tenth each; empty before anything was learned',
    ),
    concentration: answered('Gini coefficients by rising promise: 0 is money spread evenly over that order', {
      promised: orNull(number('Of what was promised; null before anything was', { maximum: 1 })),
      brought: orNull(number('Of what came: as great where promises come true', { maximum: 1 })),
    }),
    lastRebuild: orNullObject(
      answered('What came of its newest rebuild', {
        dueAt: time('When it was due'),
        isPromoted: boolean('Whether it took the place of the live model'),
        losses: answered('Log loss of the last day’s starts, a decision: the less, the better', {
          live: number('Of the live model'),
          rebuilt: number('Of the rebuilt one, made without that day'),
        }),
        judgedDecisions: integer('Shown decisions by which both were judged; 0 judges nothing, and the live one stays'),
        decisionsLearned: integer('Shown decisions that the rebuilt one learned from'),
      }),
    ),
    changes: listOf(ref('ModelChange'), 'The last 200, newest first, and of those before what still holds'),
  }),
  ModelChange: answered('What a guard or a person did to a model', {
    time: time('When'),
    type: oneOf(
      ['ModelFrozen', 'ModelUnfrozen', 'ModelGuardTripped', 'ModelGuardReleased', 'ModelShareLimited'],
      'What',
    ),
    actor: orNull(text('Name of the admin token; null if nobody asked')),
    aiShare: orNull({ ...aiShare, description: 'So much of its weight AI had from then' }),
    formerAiShare: orNull({ ...aiShare, description: 'And until then' }),
    evidence: orNullObject(
      answered('What the guard saw', {
        starts: evidenceDifference,
        usd: evidenceDifference,
        exposures: integer('Over how many exposures'),
      }),
    ),
  }),
  Evaluation: answered('What a policy would have earned, by the log of decisions', {
    policy: text('As asked'),
    modelVersion: orNull(text('The version that was judged, of current')),
    from: time('The first moment of the decisions'),
    to: time('The first moment behind them'),
    days: integer('Days of money behind each decision'),
    isWhole: boolean('False if there were more decisions than 20,000: then the newest were judged'),
    usdPerDecision: orNullObject(
      answered('The estimate with its 95 % interval; null if refused', {
        value: number('USD a decision'),
        low: number('Lower end'),
        high: number('Upper end'),
      }),
    ),
    refusal: orNull(text('Why there is no estimate, in a sentence')),
    effectiveSampleSize: number('So many decisions of the policy itself would tell as much'),
    greatestWeight: orNull(number('Weight of the decision that counted most; null without an estimate')),
    decisions: integer('Decisions that tell of the policy'),
    earning: integer('Of those that it might have made, the ones that earned'),
    notOffered: integer('Decisions left out: its paywall was no candidate'),
    neverShown: integer('Decisions left out: what it would show could not be shown'),
    caution: orNull(text('What to mind, in a sentence')),
  }),
  Exploration: answered('How a model spread its choices, whichever was drawn then', {
    from: time('The first moment of the decisions'),
    to: time('The first moment behind them'),
    isWhole: boolean('False if there were more decisions than 20,000: then the newest were read'),
    decisions: integer('Decisions with two candidates or more, of which the figures are means'),
    withoutChoice: integer('Decisions left out: they had one candidate'),
    candidates: orNull(number('Candidates of a decision; null without decisions', { minimum: 2 })),
    effectiveCandidates: orNull(
      number('exp(entropy): so many candidates, all alike, would be as uncertain', { minimum: 1 }),
    ),
    evenShare: orNull(number('Part of the draws that goes to all candidates evenly', { minimum: 0, maximum: 1 })),
    expected: orNullObject(
      answered('By the model’s own expectations; null before it had any', {
        decisions: integer('Decisions that expected something'),
        bestUsd: number('USD a showing of the candidate of which most was expected', { minimum: 0 }),
        drawnUsd: number('USD a showing of what is drawn: the difference is what exploring costs', { minimum: 0 }),
        bestShare: number('How often the draw falls on the best', { minimum: 0, maximum: 1 }),
      }),
    ),
  }),
  FrozenModel: answered('Whether the model is frozen', {
    id: text('The model'),
    isFrozen: boolean('It serves on as it was'),
  }),
  LimitShare: sentAlone('What AI is to have', ['aiShare'], {
    aiShare: { enum: [...shareLimits], description: 'Of the weight that the catalog gives it' },
  }),
  SharedModel: answered('What AI has of its weight', { id: text('The model'), aiShare }),
};
