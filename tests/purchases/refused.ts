import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Letter } from './post-office.ts';
import type { World } from './world.ts';

/** Long enough for anything that would have happened to be seen. */
export const aMomentMs = 400;

/** All letters are refused with that status, and nothing changes for the profile. */
export async function expectRefused(
  world: World,
  profileId: string,
  letters: readonly Letter[],
  status: 400 | 401,
): Promise<void> {
  const before = await world.everything(profileId);
  for (const letter of letters) {
    const answer = await world.post.deliver(letter);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^NOTIFICATION_/) });
  }
  await delay(aMomentMs);
  expect(await world.everything(profileId)).toEqual(before);
}
