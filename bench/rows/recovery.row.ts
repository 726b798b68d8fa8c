import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { Row } from '../row.ts';
import { runningStack, untilReplaced, type Stack } from '../stack.ts';
import { catalog, type Subject } from '../subject.ts';

const withinMs = 60_000;
/** Rarely enough that the questions themselves are no load to recover under. */
const askEveryMs = 250;
const device = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios' };

interface Attempt {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly authorization: string;
  readonly body: unknown;
  /** Whether the answer shows the service's own work, and not a stand-in's. */
  readonly shows: (status: number, text: string) => boolean;
}

const created = (status: number): boolean => status < 300;

/** For each service a request that only it, or what follows it, can answer. */
function attempts({ adminToken }: Stack, { secretKey, users, appId }: Subject): Readonly<Record<string, Attempt>> {
  const web = {
    method: 'POST',
    path: '/api/v1/web-api/profiles',
    authorization: secretKey,
    body: device,
    shows: created,
  } as const;
  const [user] = users;
  return {
    gateway: web,
    profile: web,
    projection: web, // a write is answered when the read model has it
    impression: { ...web, path: '/api/v1/web-api/events', body: [{ profileId: user?.profileId, eventType: 'opened' }] },
    selection: {
      ...web,
      path: '/api/v1/web-api/paywalls',
      body: { profileId: user?.profileId, placementId: 'bench' },
      shows: (status, text) => status === 200 && text.includes('"isExperiment":true'), // Baseline would be a fallback
    },
    catalog: {
      ...web,
      method: 'PUT',
      path: `/admin/v1/apps/${appId}/catalog`, // what is stored already: decided, and nothing to store
      authorization: `Bearer ${adminToken}`,
      body: catalog,
    },
  };
}

async function holds(gateway: string, { method, path, authorization, body, shows }: Attempt): Promise<boolean> {
  const headers = { authorization, 'content-type': 'application/json' };
  try {
    const answer = await request(`${gateway}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
      headersTimeout: 10_000,
    });
    return shows(answer.statusCode, await answer.body.text());
  } catch {
    return false; // the gateway itself may be away
  }
}

/** Asks four times a second, whether or not the one before was answered; the time until the first answer of its own. */
async function untilServed(gateway: () => string, attempt: Attempt, begun: number): Promise<number> {
  for (let served = NaN; ;) {
    void holds(gateway(), attempt).then((held) => {
      if (held && Number.isNaN(served)) served = performance.now() - begun;
    });
    await delay(askEveryMs);
    if (!Number.isNaN(served)) return served;
    if (performance.now() - begun > withinMs) throw new Error('the work did not go on');
  }
}

/** SIGKILL to each service in turn: the time until a client's request is its work again. */
export const recoveryRow: Row = {
  name: 'recovery',
  about: 'a service killed hard: time until its work goes on',
  async measure({ dataDir, stack, subject, say }) {
    const figures = [];
    const gateway = (): string => runningStack(dataDir)?.gateway ?? stack.gateway;
    for (const [name, attempt] of Object.entries(attempts(stack, await subject()))) {
      while (!(await holds(gateway(), attempt))) await delay(200);
      const victim = runningStack(dataDir)?.services.find((service) => service.name === name);
      if (!victim) throw new Error(`${name} does not run`);
      process.kill(victim.pid, 'SIGKILL');
      const milliseconds = await untilServed(gateway, attempt, performance.now());
      await untilReplaced(dataDir, victim.pid);
      say(`  ${name}: ${(milliseconds / 1000).toFixed(2)} s`);
      const about = { row: 'killed hard', unit: 's', better: 'lower', must: 12, aim: 5 } as const;
      figures.push({ ...about, what: name, value: milliseconds / 1000 });
      await delay(1_000);
    }
    return figures;
  },
};
