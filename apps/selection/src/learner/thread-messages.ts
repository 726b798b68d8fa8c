import type { SelectionConfig } from '../config.ts';

/** What the learner's thread is started with. */
export interface ThreadData {
  readonly config: SelectionConfig;
}

/** To the thread. `offset`: how far the process's clock is ahead of the machine's, in milliseconds. */
export type ToThread = { readonly kind: 'clock'; readonly offset: number } | { readonly kind: 'stop' };

/** A metric's value, as the thread measured it. */
export interface Measured {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** From the thread. */
export type FromThread =
  { readonly kind: 'ready' } | { readonly kind: 'metrics'; readonly measured: readonly Measured[] };
