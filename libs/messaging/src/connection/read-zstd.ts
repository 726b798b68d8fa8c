import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';

const decompress = promisify(zstdDecompress);

/** kafkajs reads gzip alone by itself. Topics that are kept for ever may be compressed by their broker: `compression.type`. */
export function readZstd(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({ decompress });
}
