import { PersonalFields, type PersonalRecord } from '@paywright/contracts';
import { intArray, uuidArray } from '@paywright/event-sourcing';
import {
  personalMessage,
  type BatchResult,
  type OutgoingMessage,
  type ReceivedMessage,
  type Rewind,
} from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import type { TopicFollower } from '../following/topic-follower.ts';
import { decodePersonal, type PersonalEntry } from './personal-entry.ts';
import { selectNewerPersonal } from './personal.sql.ts';

type Followed = Pick<TopicFollower<PersonalEntry>, 'topic' | 'awaited' | 'claim' | 'findLost' | 'handle'>;

interface StoredPersonal {
  profile_id: string;
  app_id: number;
  version: number;
  fields: unknown;
}

/**
 * Keeps the topic itself true. A compacted topic keeps what was written last, whatever its version: a record of an instance
 * that was held up, written behind a newer one, would stay for good, and with it fields that were erased. So where the topic's
 * last word is older than the row, the row is written behind it.
 */
export class PersonalFollower {
  readonly #follower: Followed;
  readonly #database: Queryable;

  constructor(follower: Followed, database: Queryable) {
    this.#follower = follower;
    this.#database = database;
  }

  get topic(): string {
    return this.#follower.topic;
  }

  get awaited(): boolean {
    return this.#follower.awaited;
  }

  claim(partition: number): Promise<string> {
    return this.#follower.claim(partition);
  }

  findLost(partitions: readonly number[]): Promise<readonly Rewind[]> {
    return this.#follower.findLost(partitions);
  }

  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const result = await this.#follower.handle(messages);
    return { ...result, publish: [...result.publish, ...(await this.#newerThan(messages))] };
  }

  async #newerThan(messages: readonly ReceivedMessage[]): Promise<readonly OutgoingMessage[]> {
    const last = new Map(messages.flatMap((message) => versionIn(message)));
    if (last.size === 0) return [];
    const { rows } = await this.#database.query<StoredPersonal>({
      name: 'select-newer-personal',
      text: selectNewerPersonal,
      values: [uuidArray([...last.keys()]), intArray([...last.values()])],
    });
    return rows.map((row) => personalMessage(toRecord(row)));
  }
}

/** What the record says last of its profile; a record that cannot be read says nothing. */
function versionIn(message: ReceivedMessage): [profileId: string, version: number][] {
  try {
    const { profileId, record } = decodePersonal(message);
    return record === null ? [] : [[profileId, record.version]];
  } catch {
    return [];
  }
}

const toRecord = ({ profile_id: profileId, app_id: appId, version, fields }: StoredPersonal): PersonalRecord => ({
  appId,
  profileId,
  version,
  fields: PersonalFields.partial().parse(fields),
});
