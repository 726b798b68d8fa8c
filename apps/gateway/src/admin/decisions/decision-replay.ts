import { Injectable } from '@nestjs/common';
import { withAiShares, type PaywallServed } from '@paywright/contracts';
import { CatalogQueries, DecisionQueries, type DecisionRow } from '@paywright/read-model';
import {
  choiceVersions,
  learnedPolicy,
  replayDecision,
  toEngineCatalog,
  uniformPolicy,
  type EngineCatalog,
  type EngineDecision,
  type Policy,
} from '@paywright/selection-engine';
import { Apps } from '../../catalog/apps.ts';
import { serviceUnavailable } from '../../http/api-error.ts';
import { keptSnapshot } from '../models/kept-snapshot.ts';

/** What was recorded, and what came out when it was decided again. */
export interface DecisionReplay {
  readonly same: boolean;
  /** The decision that was replayed: where it repeats an earlier one, that one. */
  readonly decisionId: string;
  readonly catalogRevision: number;
  readonly modelVersion: string | null;
  readonly recorded: object;
  readonly replayed: object;
}

type Decision = PaywallServed['body'];

/** Decides again from a decision's record, by the catalog and the model of its time. */
@Injectable()
export class DecisionReplays {
  constructor(
    private readonly apps: Apps,
    private readonly catalogs: CatalogQueries,
    private readonly decisions: DecisionQueries,
  ) {}

  /** @throws ApiError SERVICE_UNAVAILABLE while the read model does not show what the record names */
  async replay(appId: number, row: DecisionRow): Promise<DecisionReplay> {
    const first = await this.#firstOf(appId, row);
    const { decision } = first;
    const catalog = await this.#catalogOf(appId, decision);
    const policy = await this.#policyOf(appId, decision);
    const { same, again } = policy === null ? forgotten : replayed(first, catalog, policy);
    const repeated = row.decision.paywall === decision.paywall && row.decision.isExperiment === decision.isExperiment;
    return {
      same: same && repeated,
      decisionId: decision.decisionId,
      catalogRevision: decision.catalogRevision,
      modelVersion: decision.modelVersion,
      recorded: {
        paywallId: decision.paywallId,
        externalId: decision.externalId,
        probability: decision.probability,
        path: decision.path,
      },
      replayed: again,
    };
  }

  /** A sticky decision drew nothing: it repeats another. */
  async #firstOf(appId: number, row: DecisionRow): Promise<DecisionRow> {
    const { stickyTo } = row.decision;
    if (stickyTo === null) return row;
    const first = await this.decisions.find(appId, stickyTo);
    if (first === null) throw serviceUnavailable();
    return first;
  }

  /** With the traffic that guards left to AI then. */
  async #catalogOf(appId: number, { catalogRevision, aiShares = {} }: Decision): Promise<EngineCatalog> {
    const snapshot = this.apps.find(appId)?.snapshot;
    const held =
      snapshot?.revision === catalogRevision ? snapshot : await this.catalogs.revision(appId, catalogRevision);
    if (held === null) throw serviceUnavailable();
    return toEngineCatalog(catalogRevision, withAiShares(held.document, aiShares), held.ids);
  }

  /** What chose; null if it is not kept any more. Where nothing chose, none is asked. */
  async #policyOf(appId: number, { modelVersion, weighing }: Decision): Promise<Policy | null> {
    if (modelVersion === null || modelVersion === uniformPolicy.version) return uniformPolicy;
    const [choice, sha256] = modelVersion.split(':');
    const version = choiceVersions.find((known) => known === choice);
    if (version === undefined || sha256 === undefined) return null;
    const snapshot = await keptSnapshot(this.decisions, appId, sha256);
    if (snapshot === null) return null;
    const utcOffsetOf = () => weighing?.utcOffsetMinutes ?? null;
    return learnedPolicy(sha256, snapshot, { version, utcOffsetOf });
  }
}

/** Snapshots are kept for 30 days after they were served last, and read by the engine that wrote them: what chose longer ago is not known. */
const forgotten = { same: false, again: { kind: 'model-forgotten' } };

function replayed({ decision, time }: DecisionRow, catalog: EngineCatalog, policy: Policy) {
  const replay = replayDecision(decision, time, catalog, () => policy);
  return { same: replay.same, again: outcomeOf(replay.decision) };
}

function outcomeOf(decision: EngineDecision): object {
  if (decision.kind !== 'served') return decision;
  const { paywall, probability, path } = decision;
  return { paywallId: paywall.paywallId, externalId: paywall.externalId, probability, path };
}
