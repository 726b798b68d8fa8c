import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@paywright/contracts';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { retriedCommand, type ReceivedMessage } from '@paywright/messaging';
import { append, recordsOf } from '../../stack/raw-topics.ts';
import type { Stack } from '../../stack/stack.ts';
import type { Injected } from '../invariants/dead-letters-as-injected.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { device, postAsApp } from '../post-as-app.ts';

const count = 12; // enough for most of the partitions
/** What is served or reported is posted behind its answer, at times. */
const postedMs = 500;

/** Groups, and whether a command of theirs is certain to be a dead letter: the others may do no harm. */
const forgetful = [
  { group: 'profile', topic: topics.profileCommands, isCertain: true },
  { group: 'impression', topic: topics.impressionCommands, isCertain: false },
  { group: 'selection', topic: topics.selectionCommands, isCertain: false },
] as const;

/**
 * After a week the inbox does not know a command any more, while its events are there for ever: so it leads to ids that
 * are taken. It is to fail alone, as a dead letter, or to do nothing; and no other command waits for it.
 */
export const forgetInbox: Nemesis = {
  name: 'forget-inbox',
  fault: 'N7',
  about: 'commands come again whose outcomes the inbox has forgotten, as it does after a week',
  targets: [],
  lastsMs: [0, 0],
  recoversMs: 2_000,
  lacks: lacksNothing,
  async strike({ stack, poisoned }) {
    const profileIds = await Promise.all(Array.from({ length: count }, () => live(stack)));
    await sleep(postedMs);
    await forget(stack.databaseUrl, profileIds);
    for (const { group, topic, isCertain } of forgetful) {
      const copies = (await recordsOf(stack, topic)).filter((record) => isOf(profileIds, record));
      const ours = [...new Map(copies.map((record) => [record.headers['id'], record])).values()];
      if (isCertain) poisoned.push(...profileIds.map((key): Injected => ({ group, key })));
      // Any copy may be read again, also those of before, if the group's offsets are forgotten too.
      poisoned.push(...[...ours, ...copies].map(({ key }): Injected => ({ group, key, isCertain: false })));
      await append(
        stack,
        topic,
        ours.map((record) => ({ ...record, headers: retriedCommand(record).headers })),
      );
    }
  },
};

/** A profile whose commands nobody repeats meanwhile; its attribute has another value in the end than it was given first. */
async function live(stack: Stack): Promise<string> {
  const post = (path: string, body: unknown) => postAsApp(stack, path, body);
  const { profileId = '' } = await post('/profiles', device);
  for (const value of ['first', 'last'])
    await post('/profiles/custom-attributes', { profileId, custom: { key: 'forgotten', value } });
  const { paywallSessionId } = await post('/paywalls', { profileId, placementId: 'onboarding' });
  await post('/events', [{ eventType: 'paywall_shown', profileId, paywallSessionId }]);
  return profileId;
}

async function forget(databaseUrl: string, profileIds: readonly string[]): Promise<void> {
  for (const { group } of forgetful)
    await queryOnce(databaseUrl, `delete from ${group}.inbox where stream = any($1)`, [profileIds]);
}

const isOf = (keys: readonly string[], record: ReceivedMessage): record is ReceivedMessage & { key: string } =>
  record.key !== null && keys.includes(record.key);
