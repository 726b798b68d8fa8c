import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@paywright/contracts';
import { modelKey } from '@paywright/selection-models';
import pg from 'pg';
import { FaultyAppStore } from '../faults/purchases/app-store.ts';
import { createApp } from '../faults/purchases/create-app.ts';
import { recordsOf } from '../stack/raw-topics.ts';
import { adminToken, Stack } from '../stack/stack.ts';
import { Clocks } from '../torture/arena/clocks.ts';
import { learningCatalog, modelOfPlacement } from './catalog.ts';
import { Customers, type Lived } from './customers.ts';
import { eventually } from './eventually.ts';
import { publishedOf, type Published } from './replayed.ts';

const hourMs = 3_600_000;
const clock = 'all';

interface Parts {
  readonly stack: Stack;
  readonly store: FaultyAppStore;
  readonly clocks: Clocks;
  readonly app: { readonly appId: number; readonly secretKey: string };
}

/** The product with an app of six models, its customers, and a clock that all processes follow. */
export class LearningWorld {
  readonly stack: Stack;
  readonly customers: Customers;
  readonly #parts: Parts;
  #aheadMs = 0;

  private constructor(parts: Parts, seed: string) {
    const { stack, store, app } = parts;
    this.#parts = parts;
    this.stack = stack;
    const { secretKey } = app;
    this.customers = new Customers({ gateways: () => stack.gateways, secretKey, store, now: () => this.#now() }, seed);
  }

  static async open(seed: string): Promise<LearningWorld> {
    const [store, clocks] = [await FaultyAppStore.start(), await Clocks.open()];
    const stack = await Stack.start('info', {
      ...store.environment,
      SIMULATION_URL: clocks.urlOf(clock),
      // The clock may pass any hour of the night, and models that were rebuilt are not what a trainer makes of the log alone.
      REBUILD_AT: 'never',
    });
    const app = await createApp(stack, store.credentials, { sold: learningCatalog });
    return new LearningWorld({ stack, store, clocks, app }, seed);
  }

  async close(): Promise<void> {
    const { stack, store, clocks } = this.#parts;
    await stack.stop();
    await Promise.all([store.stop(), clocks.close()]);
  }

  #now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** What each model has to have learned of, by its key. */
  get lived(): Readonly<Record<string, Lived>> {
    const { appId } = this.#parts.app;
    const byKey = [...this.customers.lived].map(([model, lived]) => [modelKey({ appId, model }), lived] as const);
    return Object.fromEntries(byKey);
  }

  async published(): Promise<ReadonlyMap<string, readonly Published[]>> {
    return publishedOf(await recordsOf(this.stack, topics.selectionModels));
  }

  /** Three hours pass: what was seen counts when it is one old. @returns every model's newest snapshot by then */
  async learned(): Promise<ReadonlyMap<string, Published>> {
    this.#aheadMs += 3 * hourMs;
    this.#parts.clocks.set(clock, this.#aheadMs);
    await sleep(1_500); // it is asked for every second
    const until = this.#now() - hourMs;
    return eventually('all models learned of the last hours', async () => {
      const newest = [...(await this.published())].map(([key, all]) => [key, all.at(-1)!] as const);
      const isLearned = newest.filter(([, { learnedUntil }]) => learnedUntil > until).length === modelOfPlacement.size;
      return isLearned ? new Map(newest) : null;
    });
  }

  /** What a person does or reads of a model by the admin API. @returns the answer’s data */
  async ofModel(model: string, method: 'GET' | 'PUT', path = '', body?: object): Promise<unknown> {
    const url = `${this.stack.gateways[0]}/admin/v1/apps/${this.#parts.app.appId}/models/${model}${path}`;
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: unknown }).data;
  }

  /** Of what was learned the log alone is left. While no learner runs. */
  async forgetAllLearned(): Promise<void> {
    await this.#query('delete from checkpoint');
    await this.#query('delete from model_snapshot');
    await this.#query(`update consumer_offset set next_offset = 0 where topic = '${topics.selectionLearning}'`);
  }

  /** The SHA-256 of all snapshots that are kept. */
  async keptSnapshots(): Promise<ReadonlySet<string>> {
    const rows = await this.#query<{ sha256: string }>('select sha256 from model_snapshot');
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  async #query<Row extends pg.QueryResultRow>(statement: string): Promise<readonly Row[]> {
    const options = '-c search_path=selection_learning';
    const client = new pg.Client({ connectionString: this.stack.databaseUrl, options });
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }
}
