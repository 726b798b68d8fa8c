import kafkajs from 'kafkajs';
import Cluster from 'kafkajs/src/cluster/index.js';

const { KafkaJSError, KafkaJSGroupCoordinatorNotFound } = kafkajs;
const { findGroupCoordinatorMetadata } = Cluster.prototype;

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

/** By its type kafkajs knows that it is to ask again, and by `retriable` that a consumer may start again. */
class CoordinatorNotAvailable extends KafkaJSError {
  readonly type = 'GROUP_COORDINATOR_NOT_AVAILABLE';

  constructor(cause: Error) {
    super(cause, { retriable: true });
  }
}
