import Encoder from 'kafkajs/src/protocol/encoder.js';

const { nextPowerOfTwo } = Encoder;
/** What kafkajs asks for where it does not know how much will be written. */
const unknownSize = 511;
/** Most headers fit. */
const smallestBytes = 64;

/**
 * kafkajs 2.2.4 encodes every header and record in a buffer of its own of 512 zeroes, and copies it into the next: more
 * than half of what encoding costs is making and collecting them. Here a buffer is made when something is written, as large as
 * that needs, of Node's pool; no byte is sent that was not written.
 */
export function encodeInSmallBuffers(): void {
  Encoder.nextPowerOfTwo = (bytes) => (bytes === unknownSize ? 0 : nextPowerOfTwo(bytes));
  Encoder.prototype.ensureAvailable = function ensureAvailable(more) {
    const needed = this.offset + more;
    if (needed <= this.buf.length) return;
    const larger = Buffer.allocUnsafe(Math.max(smallestBytes, nextPowerOfTwo(needed)));
    this.buf.copy(larger, 0, 0, this.offset);
    this.buf = larger;
  };
}
