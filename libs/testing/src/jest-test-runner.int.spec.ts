import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const files = {
  'kept.ts': `
    import { expect } from '@jest/globals';
    export const seen: string[] = [];
    export const mustBe = (value: number) => expect(value).toBe(1);`,
  'first.spec.ts': `
    import { afterAll, describe, expect, it } from '@jest/globals';
    import { mustBe, seen } from './kept.ts';
    interface Erased { readonly line: number }
    describe('first', () => {
      it('is right', () => mustBe(1));
      it('is wrong', () => mustBe(2));
      it('throws', () => { const erased: Erased = { line: 8 }; throw new Error('in line ' + erased.line); });
      it('leaves a promise', async () => { void Promise.reject(new Error('left')); await new Promise((done) => setTimeout(done, 20)); });
      it.each([1, 2])('each %i', (value) => expect(value).toBeLessThan(3));
    });
    afterAll(() => void seen.push('first'));`,
  'second.spec.ts': `
    import { expect, it } from '@jest/globals';
    import { mustBe, seen } from './kept.ts';
    it('counts its own', () => { mustBe(1); expect(seen.length).toBeLessThan(2); });`,
  'third.spec.ts': `
    import { it } from '@jest/globals';
    import { missing } from './kept.ts';
    it('never runs', () => missing());`,
};

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}
let folder: string;
let report: Report;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'paywright-runner-')));
  for (const [name, text] of Object.entries({ ...files, 'package.json': '{ "type": "module" }' }))
    writeFileSync(join(folder, name), text);
  const [testEnvironment, testRunner] = ['environment', 'test-runner'].map((part) =>
    resolve(`libs/testing/src/jest-${part}.ts`),
  );
  const config = { rootDir: folder, testMatch: ['**/*.spec.ts'], transform: {}, testEnvironment, testRunner, maxWorkers: 1 }; // prettier-ignore
  report = await jestReport(config);
});
afterAll(() => rmSync(folder, { recursive: true }));

function jestReport(config: object): Promise<Report> {
  const jest = [resolve('node_modules/jest/bin/jest.js'), '--json', '--config', JSON.stringify(config)];
  return new Promise((done) =>
    execFile(process.execPath, jest, { cwd: folder }, (_failed, output) => done(JSON.parse(output))),
  );
}

const of = (file: string) => report.testResults.find(({ name }) => name.endsWith(file))!;
const statuses = (file: string) => of(file).assertionResults.map(({ fullName, status }) => `${fullName}: ${status}`);

it('tells what passed and what did not, a promise that nobody awaits among it', () => {
  expect(statuses('first.spec.ts')).toEqual([
    'first is right: passed',
    'first is wrong: failed',
    'first throws: failed',
    'first leaves a promise: failed',
    'first each 1: passed',
    'first each 2: passed',
  ]);
});

it('names the line of the source', () => {
  expect(of('first.spec.ts').message).toMatch(/in line 8[^]*first\.spec\.ts:8:/);
  expect(of('first.spec.ts').message).toMatch(/Expected: 1\s+Received: 2[^]*kept\.ts:4:/);
});

it('runs the tests of a file once, whatever ran before', () => {
  expect(statuses('second.spec.ts')).toEqual(['counts its own: passed']);
});

it('fails a file that cannot be imported', () => {
  expect(of('third.spec.ts').message).toContain("does not provide an export named 'missing'");
  expect(of('third.spec.ts').assertionResults).toEqual([]);
});
