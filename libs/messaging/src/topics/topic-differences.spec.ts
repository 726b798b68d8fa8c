import { expect, it } from '@jest/globals';
import { describeDifference, differencesOf, HarmfulTopics, type FoundTopic } from './topic-differences.ts';

const log = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
const commands = { 'cleanup.policy': 'delete', 'retention.ms': '1000', 'max.message.bytes': '2000' };
const newest = { 'cleanup.policy': 'compact' };
const safe = { 'compression.type': 'producer', 'min.insync.replicas': '2', 'unclean.leader.election.enable': 'false' };

/** Of a topic that is otherwise as its three replicas should have it. */
const differences = (wanted: Record<string, string>, found: Record<string, string>, topic: Partial<FoundTopic> = {}) =>
  differencesOf(
    { name: 't', partitions: 12, config: wanted },
    { partitions: 12, replicas: 3, config: new Map(Object.entries({ ...wanted, ...safe, ...found })), ...topic },
    3,
  );

it('finds no difference in a topic as it was created', () => expect(differences(log, {})).toEqual([]));

it.each<[Record<string, string>, string, string]>([
  [log, 'cleanup.policy', 'compact'],
  [log, 'cleanup.policy', 'compact,delete'],
  [newest, 'cleanup.policy', 'delete'],
  [newest, 'cleanup.policy', 'compact, delete'],
  [log, 'retention.ms', '999999999999'],
  [log, 'retention.bytes', '0'],
  [commands, 'retention.ms', '999'],
  [commands, 'max.message.bytes', '1999'],
  [log, 'min.insync.replicas', '1'],
  [log, 'min.insync.replicas', '4'],
  [log, 'unclean.leader.election.enable', 'true'],
  [log, 'compression.type', 'lz4'],
  [{ 'compression.type': 'zstd' }, 'compression.type', 'snappy'],
  [{ 'message.timestamp.type': 'LogAppendTime' }, 'message.timestamp.type', 'CreateTime'],
])('finds harm where of %j %s is %s', (wanted, setting, found) => {
  const [difference, ...others] = differences(wanted, { [setting]: found });
  expect(difference).toMatchObject({
    setting,
    found,
    wanted: new Map(Object.entries({ ...safe, ...wanted })).get(setting),
  });
  expect(difference?.harm).toEqual(expect.any(String));
  expect(others).toEqual([]);
});

it.each([
  [commands, 'retention.ms', '1001'],
  [commands, 'retention.ms', '-1'],
  [commands, 'max.message.bytes', '2001'],
  [log, 'min.insync.replicas', '3'],
  [{ 'segment.ms': '5' }, 'segment.ms', '4'],
  [log, 'compression.type', 'zstd'],
])('finds a difference without harm where of %j %s is %s', (wanted, setting, found) =>
  expect(differences(wanted, { [setting]: found })).toMatchObject([{ setting, found, harm: null }]),
);

it('calls what the brokers do not tell no harm', () =>
  expect(differences(log, {}, { config: new Map(Object.entries(safe)) }).map(({ harm }) => harm)).toEqual([
    null,
    null,
    null,
  ]));

it('asks of a lone replica that one is in sync, however many are to be', () => {
  const settingsOf = (inSync: string) =>
    differences(log, { 'min.insync.replicas': inSync }, { replicas: 1 }).map(({ setting, harm }) => [
      setting,
      harm === null,
    ]);
  expect(settingsOf('1')).toEqual([['replicas', true]]);
  expect(settingsOf('2')).toEqual([
    ['replicas', true],
    ['min.insync.replicas', false],
  ]);
});

it('says of fewer or more partitions that they differ', () =>
  expect(differences(log, {}, { partitions: 2 }).map(describeDifference)).toEqual([
    't: partitions is 2, and the manifest has 12.',
  ]));

it('is refused in sentences, and a command for each topic that mends it', () => {
  const harmful = differences(log, { 'retention.ms': '5', 'cleanup.policy': 'compact' });
  const [other] = differences(commands, { 'max.message.bytes': '1' });
  expect(new HarmfulTopics([...harmful, { ...other!, topic: 'u' }]).message.split('\n')).toEqual([
    'Kafka topics would lose records, or take none, as they are set. None was created or changed:',
    '  t: cleanup.policy is compact, and must be delete: it deletes records that are to stay.',
    '  t: retention.ms is 5, and must be -1: it deletes records that are to stay.',
    '  u: max.message.bytes is 1, and must be 2000: a longer record is refused, and its partition stands still.',
    'Set them with the tools of Kafka, then start this again (docs/operations.md#topics-are-refused):',
    '  kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics --entity-name t --add-config cleanup.policy=delete,retention.ms=-1',
    '  kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics --entity-name u --add-config max.message.bytes=2000',
  ]);
});
