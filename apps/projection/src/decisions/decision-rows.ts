import {
  boolArray,
  floatArray,
  intArray,
  textArray,
  timeArray,
  uuidArray,
  type Transaction,
} from '@paywright/event-sourcing';
import type { PaywallServed, topics } from '@paywright/contracts';
import type { EventOn } from '../following/event-projection.ts';
import { insertDecisions, insertSupersededDecisions } from './decision.sql.ts';

/** What reports ask of a decision. `time` in milliseconds since the epoch. */
export interface ServedDecision {
  readonly profileId: string;
  readonly decisionId: string;
  readonly stickyTo: string | null;
  readonly time: number;
  /** Of the draw between AI and Baseline; null where that was none, or where it led on to another placement. */
  readonly aiWeight: number | null;
  readonly baselineWeight: number | null;
  readonly version: number;
  readonly appId: number;
  readonly model: number | null;
  readonly paywallId: number;
  readonly isDrawn: boolean;
  readonly isKept: boolean;
  readonly placementId: string;
  readonly target: PaywallServed['body']['target'];
  readonly externalId: string;
}

export interface SupersededDecision {
  readonly profileId: string;
  readonly decisionId: string;
}

/** What an event of selection says of decisions, beside being an event. */
export interface ToldOfDecision {
  readonly served: ServedDecision | null;
  readonly superseded: SupersededDecision | null;
}

const nothing: ToldOfDecision = { served: null, superseded: null };

export function toldOfDecision(event: EventOn<typeof topics.selectionEvents>): ToldOfDecision {
  if (event.type === 'PaywallServed') return { ...nothing, served: servedBy(event) };
  if (event.type !== 'DecisionSuperseded') return nothing;
  const { stream: profileId, body } = event;
  return { ...nothing, superseded: { profileId, decisionId: body.decisionId } };
}

function servedBy({
  stream,
  streamVersion,
  time,
  body,
}: Extract<EventOn<typeof topics.selectionEvents>, { type: 'PaywallServed' }>): ServedDecision {
  const { decisionId, stickyTo, appId, paywallId, placementId, target, externalId, path, weighing } = body;
  const drawn = path.length === 1 ? weighing : undefined;
  return {
    ...{ profileId: stream, decisionId, stickyTo, time, version: streamVersion },
    aiWeight: drawn?.aiWeight ?? null,
    baselineWeight: drawn?.baselineWeight ?? null,
    ...{ appId, model: body.aiPricingModelId, paywallId, placementId, target, externalId },
    isDrawn: path[0]?.weight != null,
    isKept: body.stickyUntil !== null,
  };
}

/** Stores what reports read, in place of the events' JSON. */
export function storeDecisions(database: Transaction, told: readonly ToldOfDecision[]): void {
  const served = told.flatMap((one) => one.served ?? []);
  const superseded = told.flatMap((one) => one.superseded ?? []);
  if (served.length > 0)
    database.send({
      name: 'insert-decisions',
      text: insertDecisions,
      values: [
        uuidArray(served.map(({ profileId }) => profileId)),
        uuidArray(served.map(({ decisionId }) => decisionId)),
        uuidArray(served.map(({ stickyTo }) => stickyTo)),
        timeArray(served.map(({ time }) => time)),
        floatArray(served.map(({ aiWeight }) => aiWeight)),
        floatArray(served.map(({ baselineWeight }) => baselineWeight)),
        intArray(served.map(({ version }) => version)),
        intArray(served.map(({ appId }) => appId)),
        intArray(served.map(({ model }) => model)),
        intArray(served.map(({ paywallId }) => paywallId)),
        boolArray(served.map(({ isDrawn }) => isDrawn)),
        boolArray(served.map(({ isKept }) => isKept)),
        textArray(served.map(({ placementId }) => placementId)),
        textArray(served.map(({ target }) => target)),
        textArray(served.map(({ externalId }) => externalId)),
      ],
    });
  if (superseded.length > 0)
    database.send({
      name: 'insert-superseded-decisions',
      text: insertSupersededDecisions,
      values: [
        uuidArray(superseded.map(({ profileId }) => profileId)),
        uuidArray(superseded.map(({ decisionId }) => decisionId)),
      ],
    });
}
