import type { Transaction } from '@paywright/event-sourcing';
import { topics } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { type LogEntry, modelKey, type ModelName } from '@paywright/selection-models';
import type { LearnerCatalogs } from '../learner-catalogs.ts';
import { selectModels, tickModels, touchModels } from '../sql/learning-model.sql.ts';
import type { AppLearned } from './join-turn.ts';

const hourMs = 3_600_000;
/** Time passes for a model as long as something of it can still change by time alone. */
const tickedForMs = 60 * 24 * hourMs;

interface ModelRow {
  app_id: number;
  model: string;
  catalog_revision: number;
  touched_at: Date;
}

/** Writes the logs of models: what was joined, behind what the catalog says, and the time. */
export class ModelLogs {
  readonly #catalogs: LearnerCatalogs;
  readonly #topic: string;

  constructor(catalogs: LearnerCatalogs, topic: string = topics.selectionLearning) {
    this.#catalogs = catalogs;
    this.#topic = topic;
  }

  /**
   * The records as messages, in their order; before those of a model whose catalog is newer than its log knows, that.
   * @param now of the log, in milliseconds since the epoch
   */
  async messagesOf(
    transaction: Transaction,
    learned: readonly AppLearned[],
    now: number,
  ): Promise<readonly OutgoingMessage[]> {
    if (learned.length === 0) return [];
    const names = new Map(learned.map(({ appId, model }) => [modelKey({ appId, model }), { appId, model }]));
    const catalogues = await this.#touch(transaction, [...names.values()], now);
    return [...catalogues, ...learned.map(({ record, ...name }) => this.#message(name, record))];
  }

  /** A tick for each model that lives, behind its catalog if that is newer than its log knows. */
  async ticks(transaction: Transaction, at: number): Promise<readonly OutgoingMessage[]> {
    const values = [new Date(at), new Date(at - tickedForMs)];
    const { rows } = await transaction.query<ModelRow>(tickModels, values);
    const stale = rows.filter((row) => row.catalog_revision < this.#catalogs.revisionOf(row.app_id)).map(nameOf);
    const catalogues = stale.length === 0 ? [] : await this.#touch(transaction, stale, null);
    const ticks = rows.map((row) => this.#message(nameOf(row), { type: 'tick', at }));
    return [...catalogues, ...ticks];
  }

  /** @param now null: nothing was learned of them, they only hear of the catalog */
  async #touch(
    transaction: Transaction,
    names: readonly ModelName[],
    now: number | null,
  ): Promise<readonly OutgoingMessage[]> {
    const columns = [names.map(({ appId }) => appId), names.map(({ model }) => model)];
    const { rows } = await transaction.query<ModelRow>({
      name: 'select-models',
      text: selectModels,
      values: columns,
    });
    const known = new Map(rows.map((row) => [modelKey(nameOf(row)), row]));
    const stale = names.filter((name) => {
      const row = known.get(modelKey(name));
      const isQuiet = row === undefined || (now !== null && row.touched_at.getTime() < now - hourMs);
      return isQuiet || row.catalog_revision < this.#catalogs.revisionOf(name.appId);
    });
    if (stale.length === 0) return [];
    const told = stale.flatMap((name) => {
      const row = known.get(modelKey(name));
      const at = now ?? row?.touched_at.getTime() ?? 0;
      const isNews = (row?.catalog_revision ?? 0) < this.#catalogs.revisionOf(name.appId);
      const record = isNews ? this.#catalogs.catalogueOf(name.appId, name.model, at) : null;
      return record === null ? [] : [this.#message(name, record)];
    });
    await transaction.query(touchModels, [
      stale.map(({ appId }) => appId),
      stale.map(({ model }) => model),
      stale.map(({ appId }) => this.#catalogs.revisionOf(appId)),
      new Date(now ?? 0),
    ]);
    return told;
  }

  #message(name: ModelName, entry: LogEntry): OutgoingMessage {
    return { topic: this.#topic, key: modelKey(name), headers: {}, value: JSON.stringify(entry) };
  }
}

const nameOf = ({ app_id, model }: ModelRow): ModelName => ({ appId: app_id, model });
