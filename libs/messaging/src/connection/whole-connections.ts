import Broker from 'kafkajs/src/broker/index.js';

const { connect, isConnected } = Broker.prototype;

/** Those that have once said what they understand. */
const understood = new WeakSet<Broker>();

/**
 * kafkajs 2.2.4 takes a broker for connected as soon as its socket is, though it has not learned yet what the broker
 * understands: a request then fails with "Broker not connected", which ends a consumer for good. And where the question
 * times out (a broker that is frozen, or starts on a busy machine), every request on the socket fails like that for as
 * long as it lasts, and a producer sends nothing any more. Here a broker is connected once it has answered; and a
 * connection that was not completed is closed, and the next request opens another one.
 */
export function awaitWholeConnections(): void {
  Broker.prototype.isConnected = function isWhollyConnected() {
    return understood.has(this) && isConnected.call(this);
  };
  Broker.prototype.connect = async function connectWholly() {
    try {
      await connect.call(this);
      understood.add(this);
    } catch (error) {
      await this.disconnect();
      throw error;
    }
  };
}
