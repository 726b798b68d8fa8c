import { Injectable } from '@nestjs/common';
import { CatalogQueries, DecisionQueries, type DecisionRow } from '@paywright/read-model';
import {
  replayDecision,
  toEngineCatalog,
  uniformPolicy,
  type EngineCatalog,
  type EngineDecision,
} from '@paywright/selection-engine';
import { Apps } from '../../catalog/apps.ts';
import { serviceUnavailable } from '../../http/api-error.ts';

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

/** Decides again from a decision's record, by the catalog of its time. */
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
    const catalog = await this.#catalogAt(appId, decision.catalogRevision);
    const { same, decision: again } = replayDecision(decision, first.time, catalog, () => uniformPolicy);
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
      replayed: outcomeOf(again),
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

  async #catalogAt(appId: number, revision: number): Promise<EngineCatalog> {
    const snapshot = this.apps.find(appId)?.snapshot;
    const held = snapshot?.revision === revision ? snapshot : await this.catalogs.revision(appId, revision);
    if (held === null) throw serviceUnavailable();
    return toEngineCatalog(revision, held.document, held.ids);
  }
}

function outcomeOf(decision: EngineDecision): object {
  if (decision.kind !== 'served') return decision;
  const { paywall, probability, path } = decision;
  return { paywallId: paywall.paywallId, externalId: paywall.externalId, probability, path };
}
