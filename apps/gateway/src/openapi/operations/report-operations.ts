import * as examples from '../report-examples.ts';
import { ref } from '../json-schema.ts';
import type { Operation, Parameter } from '../operation.ts';
import { answer, read, write } from './admin-operations.ts';

const tag = 'Reports and models';
const moment = (name: string, description: string): Parameter => ({
  name,
  description: `${description}: a day or a time of ISO 8601`,
  schema: { type: 'string', examples: ['2026-01-31'] },
});

const placementQuery: readonly Parameter[] = [
  {
    name: 'model',
    description:
      'Only what it served while it had this model: its id in the catalog, which may have it no more. If absent, ' +
      'whichever model it had, and none.',
    schema: { type: 'string', examples: ['main'] },
  },
  moment('from', 'First moment, 30 days before to if absent'),
  moment('to', 'First moment behind, now if absent'),
];

const tooLong = 'What takes too long is refused with 503 without Retry-After: ask for a shorter period.';

/** Reports of the admin API, and what is done to models after reading one. */
export const reportOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/admin/v1/apps/{appId}/reports/placements/{placementId}': {
    get: read({
      id: 'reportPlacement',
      tag,
      summary: 'Report what a placement served, and what it earned',
      description:
        'Of the decisions between from and to, whatever came of them until now. The interval holds for one look: ' +
        `whoever looks every day finds a difference some day. ${tooLong}`,
      query: placementQuery,
      answers: { 200: answer('The report', ref('PlacementReport'), examples.placementReport) },
      refusals: ['APP_NOT_FOUND', 'PLACEMENT_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/reports/placements/{placementId}/days': {
    get: read({
      id: 'reportDaysOfPlacement',
      tag,
      summary: 'Report what a placement served each day, what it earned, and how AI compared by then',
      description:
        'By the day on which it was decided, of UTC, with whatever came of it until now: young days have brought little ' +
        'so far. A day on which nothing was served is left out. Each day has AI against Baseline as of its end, over all ' +
        `decisions until then: its interval holds for one look at one day. ${tooLong}`,
      query: placementQuery,
      answers: { 200: answer('The report', ref('PlacementDays'), examples.placementDays) },
      refusals: ['APP_NOT_FOUND', 'PLACEMENT_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}': {
    get: read({
      id: 'getModel',
      tag,
      summary: 'Read how an AI model does',
      description: 'modelId is its id in the catalog. The guardrail may be looked at as often as one likes.',
      answers: { 200: answer('The model', ref('Model'), examples.model) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}/evaluation': {
    get: read({
      id: 'evaluatePolicy',
      tag,
      summary: 'Estimate what a policy would have earned',
      description:
        'From the log of decisions and the chances in it, by self-normalised inverse propensity scoring: USD within ' +
        'days of a decision. Where the log cannot tell, there is a reason in place of a number.',
      query: [
        {
          name: 'policy',
          description:
            'uniform, current (the model as it is served now), ai (the AI as it chose at the time), baseline, or ' +
            'paywall: and the id, external id or number of one',
          required: true,
          schema: { type: 'string', examples: ['uniform', 'paywall:calm_v1'] },
        },
        {
          name: 'days',
          description: 'Days of money behind each decision; younger decisions are left out',
          schema: { type: 'integer', minimum: 1, maximum: 730, default: 14 },
        },
        moment('from', 'First moment, 90 days before to if absent'),
        moment('to', 'First moment behind, now if absent'),
      ],
      answers: { 200: answer('The estimate, or why there is none', ref('Evaluation'), examples.evaluation) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}/exploration': {
    get: read({
      id: 'explorationOfModel',
      tag,
      summary: 'Read how a model spread its choices',
      description:
        'From the chances that its decisions have on record: how many candidates it hesitated between, how much it draws ' +
        'evenly to keep learning, and what that costs by its own expectations.',
      query: [
        moment('from', 'First moment, 30 days before to if absent'),
        moment('to', 'First moment behind, now if absent'),
      ],
      answers: { 200: answer('How it chose', ref('Exploration'), examples.exploration) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}/freeze': {
    post: write({
      id: 'freezeModel',
      tag,
      summary: 'Let a model serve on as it is',
      description: 'It learns on meanwhile, and serves what it learned once it is unfrozen. The guard watches on.',
      answers: { 200: answer('It is frozen', ref('FrozenModel'), { id: 'main', isFrozen: true }) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}/unfreeze': {
    post: write({
      id: 'unfreezeModel',
      tag,
      summary: 'Let a model serve what it learns again',
      answers: { 200: answer('It is not frozen', ref('FrozenModel'), { id: 'main', isFrozen: false }) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}/ai-share': {
    put: write({
      id: 'limitAiShare',
      tag,
      summary: 'Leave AI so much of its weight',
      description:
        'Baseline gets the rest; 0 is a return to Baseline. It holds whatever the guard had taken, and until somebody ' +
        'says otherwise; what the guard takes from then on, it takes of this.',
      body: { schema: ref('LimitShare'), example: { aiShare: 0.25 } },
      answers: { 200: answer('AI has that share', ref('SharedModel'), { id: 'main', aiShare: 0.25 }) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/models/{modelId}/restore-share': {
    post: write({
      id: 'restoreAiShare',
      tag,
      summary: 'Give AI its whole share back',
      description:
        'After a guard, or somebody, has moved some of it to Baseline. A guard that had judges by what comes from then on.',
      answers: { 200: answer('AI has its share', ref('SharedModel'), { id: 'main', aiShare: 1 }) },
      refusals: ['APP_NOT_FOUND', 'MODEL_NOT_FOUND'],
    }),
  },
};
