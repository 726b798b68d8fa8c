import { startTestRuntime } from '@paywright/testing';

/**
 * Runs something against a Postgres server: the one of TEST_DATABASE_URL, else one started for the purpose.
 * Its user may create databases.
 */
export async function withPostgresServer<Result>(use: (serverUrl: string) => Promise<Result>): Promise<Result> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return use(given);
  const runtime = await startTestRuntime({ kafka: false });
  try {
    return await use(runtime.databaseUrl);
  } finally {
    await runtime.stop();
  }
}
