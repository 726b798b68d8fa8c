import Runner, { type FetchedBatch, type OffsetManager } from 'kafkajs/src/consumer/runner.js';

const { handleBatch } = Runner.prototype;

/**
 * kafkajs 2.2.4 fetches from each broker by itself, and ends all fetches before a rebalance. But where one broker
 * answers that a partition has another leader, it joins the group again, or follows the partition to its new leader,
 * while fetches from others are in flight. What these bring continues what was read before: handed over, it would move
 * the offset past all that was to be read again. Here it is dropped unless it begins where the partition is to be read.
 */
export function dropStaleFetches(): void {
  Runner.prototype.handleBatch = async function handleNext(batch) {
    if (isNext(batch, this.consumerGroup.offsetManager)) await handleBatch.call(this, batch);
  };
}

function isNext({ topic, partition, fetchedOffset }: FetchedBatch, offsets: OffsetManager): boolean {
  const isKnown = offsets.committedOffsets()[topic]?.[partition] !== undefined;
  return isKnown && offsets.nextOffset(topic, partition).toString() === fetchedOffset;
}
