import { SystemClock } from '@paywright/platform';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';

const { heartbeat } = ConsumerGroup.prototype;
/** kafkajs has no other. */
const clock = new SystemClock();

/**
 * kafkajs 2.2.4 sends no heartbeat before its interval has passed by the machine's clock. Where that is set back by an
 * hour, none is sent for an hour: the member is expelled every six seconds, and one that handles nothing never learns
 * of it. Here the interval begins anew behind such a step.
 */
export function beatWhateverTheClock(): void {
  ConsumerGroup.prototype.heartbeat = async function heartbeatAfterSteps(options) {
    this.lastRequest = Math.min(this.lastRequest, clock.now());
    return heartbeat.call(this, options);
  };
}
