import Encoder from 'kafkajs/src/protocol/encoder.js';

const { nextPowerOfTwo, sizeOfVarLong } = Encoder;
const { writeVarLong } = Encoder.prototype;
/** What kafkajs asks for where it does not know how much will be written. */
const unknownSize = 511;
/** Most headers fit. */
const smallestBytes = 64;
/** Of a number of 32 bits in groups of seven. */
const mostVarIntBytes = 5;
/** Below it, and above its negative, a number is encoded alike as one of 32 bits and as one of 64. */
const smallLongs = 2 ** 30;

/**
 * kafkajs 2.2.4 encodes every header and record in a buffer of its own of 512 zeroes, and copies it into the next: more
 * than half of what encoding costs is making and collecting them. Here a buffer is made when something is written, as large as
 * that needs, of Node's pool; no byte is sent that was not written. A number's bytes are written where they belong, and not
 * collected in an array and a buffer first; and small ones, as a record's age in its batch is, make no BigInts.
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
  Encoder.prototype.writeUVarInt = function writeUVarInt(value) {
    this.ensureAvailable(mostVarIntBytes);
    let rest = value;
    for (; (rest & ~0x7f) !== 0; rest >>>= 7) this.buf[this.offset++] = (rest & 0x7f) | 0x80;
    this.buf[this.offset++] = rest;
    return this;
  };
  Encoder.prototype.writeVarLong = function writeSmallLong(value) {
    return isSmall(value) ? this.writeVarInt(value) : writeVarLong.call(this, value);
  };
  Encoder.sizeOfVarLong = (value) => (isSmall(value) ? Encoder.sizeOfVarInt(value) : sizeOfVarLong(value));
}

const isSmall = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < smallLongs;
