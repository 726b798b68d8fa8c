import type { LearningRecord } from '@paywright/selection-engine';
import type { Decided, Journey, Start, View } from './journey.ts';

/** What happens to a profile, as far as something is learned from it. */
export type Fact =
  | {
      readonly type: 'decided';
      readonly decided: Omit<Decided, 'shownAt' | 'keptUntil'>;
      /** The profile keeps the decision until then; null if it does not. */
      readonly stickyUntil: number | null;
      /** Of the candidates, where the policy drew; else empty. */
      readonly probabilities: readonly (readonly [paywall: string, probability: number])[];
    }
  | { readonly type: 'repeated'; readonly id: string; readonly of: string; readonly at: number }
  | { readonly type: 'superseded'; readonly id: string; readonly at: number }
  | { readonly type: 'viewed'; readonly view: View }
  | { readonly type: 'started'; readonly start: Start }
  /** A start that waited is another profile's. */
  | { readonly type: 'left'; readonly start: Start; readonly at: number }
  /** So late is it by now. */
  | { readonly type: 'passed'; readonly at: number };

/** A record, and the model whose log it goes to. */
export interface Learned {
  readonly model: string;
  readonly record: LearningRecord;
}

/** What was waited for in vain, or known too little of. */
export type Loss = 'start without exposure' | 'view without decision' | 'unknown propensity';

export interface Credited {
  readonly chain: string;
  /** The start's. */
  readonly id: string;
  readonly model: string | null;
}

export interface Joined {
  readonly journey: Journey;
  readonly records: readonly Learned[];
  /** Starts that were credited just now, with the model that their money follows; null of those that waited in vain. */
  readonly credited: readonly Credited[];
  readonly losses: readonly Loss[];
}
