import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startPostgres } from '@paywright/deploy/local/postgres.ts';
import { ProcessGroup } from '@paywright/deploy/local/process-group.ts';
import { startProduct, type Product } from '@paywright/testing';
import { codeBlock } from '../newcomer/code-blocks.ts';
import { runShell } from '../newcomer/run-command.ts';

const page = 'docs/backup.md';

/** Without the programs of our packages, which npm adds: whoever types a command has the Node of the machine. */
const userPath = () =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter);

/** A local installation with its data and its backups, and the commands that the page gives for them. */
export class Installation {
  readonly #folder = mkdtempSync(join(tmpdir(), 'paywright recovery '));
  readonly dataDir = join(this.#folder, 'data');
  readonly backupDir = join(this.#folder, 'backup');
  /** Of the copies of secrets, which lie apart from the database's. */
  readonly secretsDir = join(this.#folder, 'secrets');
  readonly #env = {
    DATA: this.dataDir,
    PAYWRIGHT_DATA_DIR: this.dataDir,
    BACKUP: this.backupDir,
    SECRETS: this.secretsDir,
    NODE_ENV: 'test',
    PATH: userPath(),
  };
  #product: Product | undefined;

  constructor() {
    chmodSync(this.#folder, 0o755); // the database, which may run as somebody else, reaches its backup
    mkdirSync(this.dataDir);
  }

  /** @throws if it does not run */
  get product(): Product {
    if (!this.#product) throw new Error('The product does not run.');
    return this.#product;
  }

  async start(): Promise<void> {
    this.#product = await startProduct({ dataDir: this.dataDir });
  }

  async stop(): Promise<void> {
    await this.#product?.stop();
    this.#product = undefined;
  }

  /** A database without a table, as a first start has made it. */
  async makeDatabase(): Promise<void> {
    const { stop } = await this.startDatabase();
    await stop();
  }

  /** The database alone. */
  async startDatabase(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
    const group = new ProcessGroup();
    const logFile = join(this.#folder, 'postgres.log');
    const { url } = await startPostgres({ dataDir: join(this.dataDir, 'postgres'), logFile, group, durable: true });
    return { url, stop: () => group.endAll() };
  }

  /** Runs the block of the page that holds a text. @returns what it prints */
  run(text: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
    return this.runCommands(codeBlock(page, 'sh', text), variables);
  }

  /** As a user whose new files all may read, which is most systems' way. */
  runCommands(commands: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
    return runShell(`umask 022\n${commands}`, { ...this.#env, ...variables });
  }

  /** All that is in the data folder goes, but what is named, the jars of Kafka, and the stores, which are not ours. */
  destroy(...kept: readonly string[]): void {
    const all = [...kept, 'kafka-runtime', 'simulator'];
    for (const name of readdirSync(this.dataDir).filter((one) => !all.includes(one)))
      rmSync(join(this.dataDir, name), { recursive: true });
  }

  /** The pieces of the log that are archived. */
  archived(): readonly string[] {
    return readdirSync(join(this.backupDir, 'log'));
  }

  /** What was archived since is lost, as with a copy that is older. */
  loseArchivedBut(pieces: readonly string[]): void {
    for (const piece of this.archived().filter((name) => !pieces.includes(name)))
      rmSync(join(this.backupDir, 'log', piece));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
