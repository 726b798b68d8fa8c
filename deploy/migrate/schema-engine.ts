import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { adapterForEngine } from './engine-adapter.ts';
import { defaultPatience, runningPatiently, type PatientRun } from './lock-patience.ts';
import type { Migration } from './migration-folder.ts';

const filters = { externalTables: [], externalEnums: [] };
const schemaFile = 'schema.prisma';

/** What the engine is asked for, bound to one Postgres schema of one database. */
export interface SchemaMigrations {
  /** Applies what is not applied yet. Returns the names of the migrations that it applied. */
  apply(migrations: readonly Migration[]): Promise<readonly string[]>;
  /** SQL that leads from what the database has to the given schema.prisma; empty if they agree. */
  differenceTo(schemaPrisma: string): Promise<string>;
}

interface EngineTarget {
  readonly databaseUrl: string;
  readonly schema: string;
  /** How its scripts are run. */
  readonly patiently?: PatientRun;
}

/** Prisma's own schema engine as WebAssembly: nothing to download, and the same `_prisma_migrations` table. */
export async function withSchemaEngine<Result>(
  { databaseUrl, schema, patiently = runningPatiently(defaultPatience) }: EngineTarget,
  use: (migrations: SchemaMigrations) => Promise<Result>,
): Promise<Result> {
  const [{ SchemaEngine }, { PrismaPg }, { bindMigrationAwareSqlAdapterFactory }] = await Promise.all([
    (loaded ??= loadEngine()),
    import('@prisma/adapter-pg'),
    import('@prisma/driver-adapter-utils'),
  ]);
  // A pool of our own: the engine never gives its connection back, nor the advisory lock that it holds.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options: `-c search_path=${schema}` });
  try {
    // Prisma's adapter as it is serves clients; the engine needs two things done otherwise.
    const scripts = adapterForEngine(pool, new PrismaPg(pool, { schema }), (run) => patiently(run, schema));
    const adapter = bindMigrationAwareSqlAdapterFactory(scripts);
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
    return await use(schemaMigrations(engine, () => scripts.fault()));
  } finally {
    await pool.end();
  }
}

let loaded: Promise<{ SchemaEngine: typeof SchemaEngine }> | undefined;

async function loadEngine(): Promise<{ SchemaEngine: typeof SchemaEngine }> {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const engineModule = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  // Where the engine leaves its last words before it traps.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(text) },
  });
  const wasm = await WebAssembly.compile(await readFile(join(dirname(engineModule), 'schema_engine_bg.wasm')));
  const instance = new WebAssembly.Instance(wasm, {
    './schema_engine_bg.js': { ...bindings, ...idleTimers(bindings) },
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') Reflect.apply(start, undefined, []);
  return bindings;
}

/** The engine leaves the timer of its lock (10 s) behind: the process must not wait for it. */
function idleTimers(bindings: object): Record<string, unknown> {
  const name = Object.keys(bindings).find((key) => key.startsWith('__wbg_setTimeout'));
  return name ? { [name]: (run: () => void, ms: number) => setTimeout(run, ms).unref() } : {};
}

function schemaMigrations(engine: SchemaEngine, scriptFault: () => Error | undefined): SchemaMigrations {
  return {
    async apply(migrations) {
      const applied = engine.applyMigrations({
        filters,
        migrationsList: {
          baseDir: 'migrations',
          lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
          shadowDbInitScript: '',
          migrationDirectories: migrations.map(({ name, sql }) => ({
            path: name,
            migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
          })),
        },
      });
      const { appliedMigrationNames } = await applied.catch((error: unknown) => {
        throw withReason(error, scriptFault());
      });
      return appliedMigrationNames;
    },
    async differenceTo(schemaPrisma) {
      const files = [{ path: schemaFile, content: schemaPrisma }];
      const from: DiffTarget = { tag: 'schemaDatasource', files, configDir: '.' };
      const to: DiffTarget = { tag: 'schemaDatamodel', files };
      const { exitCode, stdout } = await engine.diff({ from, to, script: true, exitCode: true, filters });
      return exitCode === 0 ? '' : (stdout ?? '');
    },
  };
}

/** The engine tells which migration failed, Postgres why. */
function withReason(error: unknown, scriptFault: Error | undefined): unknown {
  if (!scriptFault) return error;
  const name = /migration_name="([^"]+)"/.exec(String(error))?.[1] ?? '';
  return new Error(`Migration ${name} failed: ${scriptFault.message}`, { cause: scriptFault });
}
