import kafkajs from 'kafkajs';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';

const { KafkaJSError } = kafkajs;
const { joinAndSync, fetch } = ConsumerGroup.prototype;

/** Those whose last join has not succeeded yet. */
const joining = new WeakSet<ConsumerGroup>();

/**
 * kafkajs 2.2.4 goes on fetching where joining a group again failed, unless by a further rebalance: the next coordinator
 * is still loading the group, or did not answer in time. All commits fail from then on, since they go to the former
 * coordinator or in the name of a member that was expelled; and who was expelled sends no heartbeats either, and never
 * learns that others have its partitions. Here a consumer joins before it fetches again.
 */
export function joinBeforeFetching(): void {
  ConsumerGroup.prototype.joinAndSync = async function joinAtLast() {
    joining.add(this);
    await joinAndSync.call(this);
    joining.delete(this);
  };
  ConsumerGroup.prototype.fetch = async function fetchAsMember(nodeId) {
    if (joining.has(this)) throw new NotJoined('The last join has not succeeded');
    return fetch.call(this, nodeId);
  };
}

/** By its type kafkajs knows that it is to join again. */
class NotJoined extends KafkaJSError {
  readonly type = 'REBALANCE_IN_PROGRESS';
}
