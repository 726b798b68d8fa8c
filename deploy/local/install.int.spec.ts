import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const script = fileURLToPath(new URL('./install.mjs', import.meta.url));
let checkout: string;

/** A checkout that needs nothing but a package `node`, which lies in it. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'install-'));
  mkdirSync(join(checkout, 'deploy/local'), { recursive: true });
  mkdirSync(join(checkout, 'node-package/bin'), { recursive: true });
  copyFileSync(script, join(checkout, 'deploy/local/install.mjs'));
  writeFileSync(join(checkout, 'node-package/package.json'), '{ "name": "node", "version": "1.0.0" }');
  writeFileSync(join(checkout, 'node-package/bin/node'), '');
  const dependencies = { node: 'file:node-package' };
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name: 'checkout', version: '1.0.0', dependencies }));
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], {
    cwd: checkout,
    stdio: 'ignore',
  });
});
afterEach(() => rmSync(checkout, { recursive: true }));

const install = (timeout = 0) =>
  promisify(execFile)(process.execPath, [join(checkout, 'deploy/local/install.mjs')], { timeout });

it('installs once where two commands begin at once, and the other waits', async () => {
  const [one, other] = await Promise.all([install(), install()]);
  expect([one.stdout, other.stdout].filter((text) => text.includes('Installing packages'))).toHaveLength(1);
  expect((await install()).stdout).toBe('');
});

it('does not wait for a command that is no more', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(join(checkout, '.installing'), String(pid));
  expect((await install()).stdout).toBe('Installing packages (once) …\n');
  expect(existsSync(join(checkout, '.installing'))).toBe(false);
});

it.each(['', 'npm', '-1'])(
  'does not wait for a command that could not write its number: %j',
  async (text) => {
    writeFileSync(join(checkout, '.installing'), text);
    expect((await install(20_000)).stdout).toMatch(/Installing packages/);
  },
  60_000,
);

it('does not wait for itself: in a container every first command has the number of the one that was ended', () => {
  const command = 'printf %s $$ > .installing && exec "$0" deploy/local/install.mjs';
  const { stdout, status } = spawnSync('sh', ['-c', command, process.execPath], { cwd: checkout, timeout: 30_000 });
  expect([status, String(stdout)]).toEqual([0, 'Installing packages (once) …\n']);
}, 60_000);
