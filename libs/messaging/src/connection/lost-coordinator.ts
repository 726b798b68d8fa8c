import kafkajs from 'kafkajs';
import Cluster from 'kafkajs/src/cluster/index.js';
import OffsetManager from 'kafkajs/src/consumer/offsetManager/index.js';

const { KafkaJSError, KafkaJSGroupCoordinatorNotFound } = kafkajs;
const { findGroupCoordinatorMetadata } = Cluster.prototype;
const { commitOffsets } = OffsetManager.prototype;

/**
 * kafkajs 2.2.4 gives up a consumer for good where no broker answered who coordinates its group, though it asks again
 * where one answered that it cannot say yet. A broker that is stopped in order hands its groups over first, so that their members
 * ask just while it goes. Here both are one: it is asked again, and at last the consumer starts again.
 */
export function askAgainForCoordinators(): void {
  Cluster.prototype.findGroupCoordinatorMetadata = async function findPatiently(question) {
    try {
      return await findGroupCoordinatorMetadata.call(this, question);
    } catch (error) {
      throw error instanceof KafkaJSGroupCoordinatorNotFound ? new CoordinatorNotAvailable(error) : error;
    }
  };
}

/**
 * kafkajs 2.2.4 commits to the broker that coordinated the group when it was joined, for as long as it is a member. Where that one hands
 * the group over and the next one is still loading it, the consumer cannot join again and goes on as the member it is, which is as
 * good there; but all its commits fail from then on. Here the coordinator is asked for again after one that failed.
 */
export function commitToCoordinators(): void {
  OffsetManager.prototype.commitOffsets = async function commitToCoordinator(offsets) {
    try {
      await commitOffsets.call(this, offsets);
    } catch (error) {
      const found = await this.cluster.findGroupCoordinator({ groupId: this.groupId }).catch(() => null);
      if (found) this.coordinator = found;
      throw error; // by which kafkajs knows whether to try again
    }
  };
}

/** By its type kafkajs knows that it is to ask again, and by `retriable` that a consumer may start again. */
class CoordinatorNotAvailable extends KafkaJSError {
  readonly type = 'GROUP_COORDINATOR_NOT_AVAILABLE';

  constructor(cause: Error) {
    super(cause, { retriable: true });
  }
}
