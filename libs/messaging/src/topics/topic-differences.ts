import { ToldError } from '@paywright/platform';
import { configOf, type TopicSpec } from './topic-manifest.ts';

/** A topic as the brokers have it. `config` has what holds for it, from wherever that comes. */
export interface FoundTopic {
  readonly partitions: number;
  /** Of each partition, or of the one that has fewest. */
  readonly replicas: number;
  readonly config: ReadonlyMap<string, string>;
}

/** What a topic has, and what it should have. */
export interface TopicDifference {
  readonly topic: string;
  readonly setting: string;
  readonly found: string;
  readonly wanted: string;
  /** What comes of it, if records are lost or no longer taken; else null. */
  readonly harm: string | null;
}

/** @param replication how many replicas a topic is created with */
export function differencesOf(
  spec: TopicSpec,
  { partitions, replicas, config }: FoundTopic,
  replication: number,
): readonly TopicDifference[] {
  const compare = (setting: string, found: string | undefined, wanted: string): readonly TopicDifference[] => {
    if (found === wanted) return [];
    const harm = (found !== undefined && harms[setting]?.(found, wanted, replicas)) || null;
    return [{ topic: spec.name, setting, found: found ?? 'not told', wanted, harm }];
  };
  return [
    ...compare('partitions', String(partitions), String(spec.partitions)),
    ...compare('replicas', String(replicas), String(replication)),
    // More replicas in sync than there are would be asked for in vain.
    ...Object.entries(configOf(spec, replicas)).flatMap(([name, wanted]) => compare(name, config.get(name), wanted)),
  ];
}

export const describeDifference = ({ topic, setting, found, wanted, harm }: TopicDifference): string =>
  harm === null
    ? `${topic}: ${setting} is ${found}, and the manifest has ${wanted}.`
    : `${topic}: ${setting} is ${found}, and must be ${wanted}: ${harm}.`;

/** Topics that exist lose records as they are set, or take none. */
export class HarmfulTopics extends ToldError {
  override readonly name = 'HarmfulTopics';

  constructor(differences: readonly TopicDifference[]) {
    super(
      [
        'Kafka topics would lose records, or take none, as they are set. None was created or changed:',
        ...differences.map((difference) => `  ${describeDifference(difference)}`),
        'Set them with the tools of Kafka, then start this again (docs/operations.md#topics-are-refused):',
        ...Array.from(
          Map.groupBy(differences, ({ topic }) => topic),
          mendingCommand,
        ),
      ].join('\n'),
    );
  }
}

const mendingCommand = ([topic, differences]: readonly [string, readonly TopicDifference[]]): string =>
  '  kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics ' +
  `--entity-name ${topic} --add-config ${differences.map(({ setting, wanted }) => `${setting}=${wanted}`).join()}`;

type Harm = (found: string, wanted: string, replicas: number) => string | null;

const deletes = 'it deletes records that are to stay';
/** What our clients do not read: record-batches.ts. */
const unreadable = ['lz4', 'snappy'];
const isLess = (found: string, wanted: string): boolean => Number(found) < Number(wanted);
/** -1: for ever. */
const isShorter = (found: string, wanted: string): boolean =>
  found !== '-1' && (wanted === '-1' || isLess(found, wanted));

/** Of the settings that can do harm. What is longer, more or later than wanted costs room at most. */
const harms: Readonly<Record<string, Harm>> = {
  'cleanup.policy': (found, wanted) => (found.split(/ *, */).some((policy) => policy !== wanted) ? deletes : null),
  'retention.ms': (found, wanted) => (isShorter(found, wanted) ? deletes : null),
  'retention.bytes': (found, wanted) => (isShorter(found, wanted) ? deletes : null),
  'max.message.bytes': (found, wanted) =>
    isLess(found, wanted) ? 'a longer record is refused, and its partition stands still' : null,
  'min.insync.replicas': (found, wanted, replicas) => {
    if (isLess(String(replicas), found)) return `with ${replicas} replicas no record is taken`;
    return isLess(found, wanted) ? 'what was acknowledged may be lost with one broker' : null;
  },
  'compression.type': (found) =>
    unreadable.includes(found)
      ? 'no service can read what comes from then on, and all of its partitions stand still'
      : null,
  'message.timestamp.type': () =>
    'records of a sender whose clock is off are deleted too soon, and commands are taken for late',
  'unclean.leader.election.enable': () => 'a broker that was behind may lead, and what it lacks is lost',
};
