import Broker from 'kafkajs/src/broker/index.js';

const { connect } = Broker.prototype;

/**
 * kafkajs 2.2.4 takes a broker for connected as soon as its socket is, though it has not learned yet what the broker
 * understands. Where that question times out (a broker that is frozen, or starts on a busy machine), every request on
 * the socket fails with "Broker not connected" for as long as it lasts, and a producer sends nothing any more. Here a
 * connection that was not completed is closed, and the next request opens another one.
 */
export function closeHalfConnections(): void {
  Broker.prototype.connect = async function connectWholly() {
    try {
      await connect.call(this);
    } catch (error) {
      await this.disconnect();
      throw error;
    }
  };
}
