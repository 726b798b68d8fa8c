import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken, type Stack } from '../../stack/stack.ts';
import { untilNone } from '../../stack/until-none.ts';

const patienceMs = 60_000;
/** Beyond any deadline: who has not tried it again by then will not. */
const againMs = 10_000;
const headers = { authorization: `Bearer ${adminToken}` };

/** A dead letter as the admin API tells of it; `parked` in full only. */
interface Letter {
  readonly id: number;
  readonly key: string | null;
  readonly status: string;
  readonly attempts: number;
  readonly parked?: number;
}

/**
 * The open dead letters of these keys, when all of them are there.
 * @throws if one is missing for a minute
 */
export async function untilDead(stack: Stack, group: string, keys: readonly string[]): Promise<readonly Letter[]> {
  let letters: readonly Letter[] = [];
  await untilNone(
    patienceMs,
    async () => {
      letters = (await openLetters(stack, group)).filter(({ key }) => key !== null && keys.includes(key));
      const found = new Set(letters.map(({ key }) => key));
      return keys.filter((key) => !found.has(key));
    },
    (missing) => `${group} has no open dead letter of ${missing}`,
  );
  return letters;
}

/**
 * Tries the open dead letters of these keys again, each once, when all of them are there.
 * @returns what became of them
 * @throws if one is missing, or cannot be tried, for a minute
 */
export async function retryOnce(stack: Stack, group: string, keys: readonly string[]): Promise<readonly Letter[]> {
  const letters = await untilDead(stack, group, keys);
  const retried: Letter[] = [];
  for (const letter of letters) retried.push(await retry(stack, letter)); // each takes its time, and together too much
  return retried;
}

/** The newest of them, which those of this moment are among. */
async function openLetters({ gateways }: Stack, group: string): Promise<readonly Letter[]> {
  const path = `/admin/v1/dead-letters?status=open&limit=200&group=${group}`;
  const answer = await fetch(`${gateways[0]}${path}`, { headers });
  return answer.ok ? ((await answer.json()) as { data: readonly Letter[] }).data : [];
}

/** What is answered 503 may be done all the same, and later: the letter tells. */
async function retry({ gateways }: Stack, { id, attempts }: Letter): Promise<Letter> {
  const url = `${gateways[0]}/admin/v1/dead-letters/${id}`;
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    await fetch(`${url}/retry`, { method: 'POST', headers });
    for (const again = performance.now() + againMs; performance.now() < again; await sleep(200)) {
      const { data } = (await (await fetch(url, { headers })).json()) as { data?: Letter };
      if (data && (data.attempts > attempts || data.status !== 'open')) return data;
    }
  }
  throw new Error(`The dead letter ${id} was not tried again within ${patienceMs / 1000} s.`);
}
