import { beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { nextVersion, writtenByNextVersion } from './next-version.ts';
import { failuresOf, reportOf } from './report.ts';
import { rollUnderLoad } from './roll-under-load.ts';
import { versionHere, versionWith, type Version } from './version.ts';

const patient = 240_000;
let from: Version;
let to: Version;
beforeAll(async () => {
  from = await versionHere();
  to = await versionWith('next version', nextVersion);
}, patient);

it(
  'fails no request and loses nothing while every service is replaced by the next version, and back',
  async () => {
    let written = 0;
    const inspect = async ({ databaseUrl }: { databaseUrl: string }) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ count: number }>(writtenByNextVersion);
      written = rows[0]?.count ?? 0;
      await client.end();
    };
    const outcome = await rollUnderLoad({ from, to, perSecond: 40, inspect });
    process.stderr.write(`${reportOf(outcome)}\n`);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.findings).toEqual([]);
    expect(outcome.exchanges.length).toBeGreaterThan(500);
    expect(outcome.unavailableMs).toBe(0);
    expect(written).toBeGreaterThan(0); // the next version was at work
  },
  patient,
);
