import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Command, Outcome } from '@paywright/contracts';
import { createLogger, Metrics } from '@paywright/platform';
import { z } from 'zod';
import { observedProcessor } from './observed-processor.ts';

const command = (more: Partial<Command> = {}): Command => ({
  id: randomUUID(),
  type: 'SaveProfile',
  version: 1,
  appId: 1,
  key: 'profile',
  issuedAt: 0,
  deadline: 1,
  body: { email: 'someone@example.com' },
  ...more,
});
const Line = z.object({ level: z.string(), requestId: z.string(), type: z.string(), outcome: z.string() });

async function observe(outcomes: readonly Outcome[]) {
  const lines: string[] = [];
  const metrics = new Metrics();
  const logger = createLogger({ service: 'profile', level: 'debug' }, { write: (line) => void lines.push(line) });
  const process = observedProcessor(async () => outcomes, metrics, logger);
  expect(await process(outcomes.map(({ command }) => command))).toBe(outcomes);
  return { lines: lines.map((line) => Line.parse(JSON.parse(line))), text: lines.join(''), metrics };
}

describe('observedProcessor', () => {
  it('logs each command by the request that it came from, and nothing of what it holds', async () => {
    const [own, repeated] = [command(), command({ requestId: randomUUID() })];
    const { lines, text } = await observe([
      { kind: 'refused', command: own, reply: '{}' },
      { kind: 'failed', command: repeated, reason: 'a defect' },
    ]);
    expect(lines).toMatchObject([
      { level: 'debug', requestId: own.id, type: 'SaveProfile', outcome: 'refused' },
      { level: 'warn', requestId: repeated.requestId, outcome: 'failed' },
    ]);
    expect(text).not.toContain('someone');
  });

  it('counts and times commands by type and outcome', async () => {
    const { metrics } = await observe([
      { kind: 'expired', command: command() },
      { kind: 'expired', command: command() },
    ]);
    expect(await metrics.text()).toContain('command_seconds_count{type="SaveProfile",outcome="expired"} 2');
  });
});
