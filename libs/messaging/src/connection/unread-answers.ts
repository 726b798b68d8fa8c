import Connection from 'kafkajs/src/network/connection.js';

const { connect } = Connection.prototype;
/** The length of an answer comes first. */
const lengthBytes = 4;

/**
 * kafkajs 2.2.4 opens a connection again as the same object, with what it had read of an answer when it was lost. What
 * the next answers bring is taken for the rest of that one, and then their middle for the length of another: from there on
 * nothing is understood, until a length below zero ends the process by an error that nobody can catch. Here a
 * connection begins with nothing read, and takes nothing more of what comes through its former socket.
 */
export function forgetUnreadAnswers(): void {
  Connection.prototype.connect = function connectAnew() {
    if (!this.isConnected()) {
      this.socket?.removeAllListeners('data'); // not of its errors: unheard they would end the process
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = lengthBytes;
    }
    return connect.call(this);
  };
}
