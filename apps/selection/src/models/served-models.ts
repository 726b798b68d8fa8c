import type { AiShares } from '@paywright/contracts';
import {
  decodeSnapshot,
  learnedPolicy,
  uniformPolicy,
  type LearnedPolicyOptions,
  type Policy,
} from '@paywright/selection-engine';
import {
  modelKey,
  modelKeyOfPart,
  modelOfKey,
  type ModelControlRecord,
  type ModelRecord,
  type PublishedSnapshot,
  SnapshotParts,
} from '@paywright/selection-models';

interface ServedModel {
  readonly policy: Policy;
  readonly learnedUntil: number;
}

interface ServedApp {
  readonly models: Map<string, ServedModel>;
  /** Null while no guard holds anything back. */
  aiShares: AiShares | null;
  /** Of each model's newest control. */
  readonly controlVersions: Map<string, number>;
}

export interface ServedModelsOptions {
  readonly utcOffsetOf?: LearnedPolicyOptions['utcOffsetOf'];
  /** A policy came into use: told before it chooses for anybody. */
  readonly onPolicy?: (appId: number, model: string, policy: Policy) => void;
  /** AI has another share of some model's traffic. */
  readonly onAiShares?: (appId: number) => void;
}

/**
 * Every model's newest snapshot in memory, decoded and indexed once, and what guards leave of its traffic, as
 * `selection.models` tells it. A newer snapshot takes the place of the former from one decision to the next.
 */
export class ServedModels {
  readonly #options: ServedModelsOptions;
  readonly #apps = new Map<number, ServedApp>();
  readonly #parts = new SnapshotParts();

  constructor(options: ServedModelsOptions = {}) {
    this.#options = options;
  }

  /** @throws RangeError if it is no snapshot that this engine can read: the model then serves as before */
  apply(record: ModelRecord): void {
    if (record.kind === 'control') return this.#control(record);
    const snapshot = this.#parts.add(record);
    if (snapshot !== null) this.#serve(snapshot);
  }

  /** @param key of a record that was taken off the topic: of a part of a snapshot, its model is archived */
  forget(key: string): void {
    const name = modelOfKey(modelKeyOfPart(key));
    if (name === null) return;
    this.#parts.forget(modelKey(name));
    this.#apps.get(name.appId)?.models.delete(name.model);
  }

  /** What chooses for a model; evenly as long as nothing was learned. */
  readonly policyOf = (appId: number, model: string): Policy =>
    this.#apps.get(appId)?.models.get(model)?.policy ?? uniformPolicy;

  /** The app's models whose guard holds AI back; null if there is none. */
  readonly aiSharesOf = (appId: number): AiShares | null => this.#apps.get(appId)?.aiShares ?? null;

  /**
   * Of the model that learned last the longest ago, in milliseconds since the epoch; null without models.
   * @param isUsed whether a model still serves: one that no longer does learns nothing either
   */
  oldestLearnedUntil(isUsed: (appId: number, model: string) => boolean): number | null {
    const times = [...this.#apps].flatMap(([appId, { models }]) =>
      [...models].flatMap(([model, { learnedUntil }]) => (isUsed(appId, model) ? [learnedUntil] : [])),
    );
    return times.length === 0 ? null : Math.min(...times);
  }

  #serve({ appId, model, sha256, learnedUntil, bytes }: PublishedSnapshot): void {
    const served = this.#apps.get(appId)?.models.get(model);
    // A learner that was frozen may publish an older one behind what took its place.
    if (served !== undefined && learnedUntil < served.learnedUntil) return;
    const { utcOffsetOf, onPolicy } = this.#options;
    const policy = learnedPolicy(sha256, decodeSnapshot(bytes), { ...(utcOffsetOf && { utcOffsetOf }) });
    onPolicy?.(appId, model, policy);
    this.#of(appId).models.set(model, { policy, learnedUntil });
  }

  #control({ appId, model, aiShare, version }: ModelControlRecord): void {
    const app = this.#of(appId);
    const newest = app.controlVersions.get(model) ?? 0;
    // A selection service that was frozen may publish an older one behind what took its place.
    if (version !== undefined && version < newest) return;
    app.controlVersions.set(model, version ?? newest);
    const others = Object.entries(app.aiShares ?? {}).filter(([name]) => name !== model);
    const shares = aiShare === 1 ? others : [...others, [model, aiShare] as const];
    app.aiShares = shares.length === 0 ? null : Object.fromEntries(shares);
    this.#options.onAiShares?.(appId);
  }

  #of(appId: number): ServedApp {
    const known = this.#apps.get(appId);
    if (known !== undefined) return known;
    const app: ServedApp = { models: new Map(), aiShares: null, controlVersions: new Map() };
    this.#apps.set(appId, app);
    return app;
  }
}
