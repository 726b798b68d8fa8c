import type { ChildProcess } from 'node:child_process';
import type { Stack } from '../../stack/stack.ts';
import { freezeFor, lacksFreezing } from '../arena/freeze.ts';
import type { Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

/** Beyond a consumer's session (6 s) its group goes on without it, and it wakes up as one who was replaced. */
export const freezePart: Nemesis = {
  name: 'freeze',
  fault: 'N3',
  about: 'SIGSTOP to a process with all that it started, and SIGCONT later; up to 45 s, beyond every session',
  targets: ['kafka', 'postgres', 'profile', 'selection', 'impression', 'projection', 'gateway', 'purchase-validation'],
  lastsMs: [3_000, 45_000],
  recoversMs: 8_000,
  lacks: lacksFreezing,
  async strike({ stack }, { target, lastsMs }) {
    await freezeFor(lastsMs, processesOf(stack, target));
  },
};

function processesOf(stack: Stack, target: string): ChildProcess[] {
  const brokers = stack.allBrokers.map((broker) => stack.processOf('kafka', broker));
  const part = () => stack.processOf(target === 'postgres' ? target : serviceOf(target));
  const found = (target === 'kafka' ? brokers : [part()]).filter((child) => child !== undefined);
  if (found.length === 0) throw new Error(`${target} does not run.`);
  return found;
}
