/** First 32 bits of the fractional parts of the cube roots (and square roots) of the first primes: FIPS 180-4. */
const [roundConstants, initialState] = (() => {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (prime: number, power: 2n | 3n) => {
    // floor(prime^(1/power)·2^32) by bisection in integers: no rounding.
    const wanted = BigInt(prime) << (32n * power);
    let [low, high] = [0n, 1n << 40n];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (middle ** power <= wanted) low = middle;
      else high = middle;
    }
    return Number(low & 0xffffffffn);
  };
  return [
    Uint32Array.from(primes, (prime) => fraction(prime, 3n)),
    Uint32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2n)),
  ];
})();

const schedule = new Int32Array(64);
const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** SHA-256 of bytes, as 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const state = Int32Array.from(initialState, (word) => word | 0);
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += 64) compress(state, view, at);
  const tail = new Uint8Array(bytes.length - whole < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[bytes.length - whole] = 0x80;
  const end = new DataView(tail.buffer);
  end.setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n);
  for (let at = 0; at < tail.length; at += 64) compress(state, end, at);
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(state: Int32Array, view: DataView, at: number): void {
  for (let index = 0; index < 16; index++) schedule[index] = view.getInt32(at + 4 * index);
  for (let index = 16; index < 64; index++) {
    const early = schedule[index - 15]!;
    const late = schedule[index - 2]!;
    const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const great = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    schedule[index] = (schedule[index - 16]! + small + schedule[index - 7]! + great) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const great = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + great + ((e & f) ^ (~e & g)) + roundConstants[index]! + schedule[index]!) | 0;
    const small = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index]! + word) | 0));
}
