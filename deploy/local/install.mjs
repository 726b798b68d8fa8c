// Runs before `npm start` and `npm test`, on whatever Node is installed, before anything else is: no dependencies,
// and syntax of Node 20. Installs what is missing; says nothing when nothing is.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lockFile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json'); // written by npm at the end of an installation
const marker = join(root, 'node_modules', '.installed-from');
const lock = join(root, '.installing'); // holds the process that installs
const bundledNode = join(root, 'node_modules', 'node', 'bin', 'node');

const lockChecksum = () => createHash('sha256').update(readFileSync(lockFile)).digest('hex');

function isInstalled() {
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return true;
  // Git touches the lock file also when it brings the same one back.
  return existsSync(marker) && readFileSync(marker, 'utf8') === lockChecksum();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function requireVersions() {
  if (Number(process.versions.node.split('.')[0]) < 20)
    fail(`Paywright needs Node 20 or newer to start; this is ${process.version}.`);
  const npm = /npm\/(\d+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
  if (npm !== undefined && Number(npm) < 10) fail(`Paywright needs npm 10 or newer; this is npm ${npm}.`);
}

function npm(...args) {
  const { status, error } = spawnSync(
    'npm',
    [...args, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (error || status !== 0) fail(`npm ${args[0]} did not succeed${error ? `: ${error.message}` : '; see above.'}`);
}

/** Two installations at once into one folder leave it broken, and looking whole. */
function waitForOthers() {
  for (let told = false; !takeLock(); told = true) {
    if (!told) console.log(`Another command installs packages, as ${lock} says; waiting for it …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  }
  process.on('exit', () => rmSync(lock, { force: true }));
}

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isLeftBehind()) return false;
    rmSync(lock, { force: true });
    return takeLock();
  }
}

/**
 * Also by one whose number this process has now, as in a container that was started anew; and by one that could not write its
 * number, since it was ended or the disk was full. One that is about to write it does so at once.
 */
function isLeftBehind() {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (!Number.isInteger(holder) || holder < 1) return Date.now() - statSync(lock).mtimeMs > 1_000;
    process.kill(holder, 0);
    return holder === process.pid;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

requireVersions();
if (!isInstalled()) waitForOthers();
if (!isInstalled()) {
  console.log('Installing packages (once) …');
  npm('ci');
}
// The services run on the Node of the npm package `node`. Its install script fetches it, unless scripts are off.
if (!existsSync(bundledNode)) npm('rebuild', 'node');
if (!existsSync(bundledNode))
  fail('The npm package `node` is not complete: its install script must be allowed to run.');
writeFileSync(marker, lockChecksum());
