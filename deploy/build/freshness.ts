import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Whatever changes how every bundle comes out. */
const everybodysInputs = [
  'package-lock.json',
  'deploy/build/swc-options.ts',
  'tsconfig.base.json',
  'deploy/build/bundle.ts',
  'deploy/build/ascii-source.ts',
  'deploy/build/swc-plugin.ts',
];

const Stamp = z.object({ inputs: z.array(z.string()), checksum: z.string() });

/**
 * Whether a bundle is what its sources, as they are now, would give.
 * @param output relative to the root folder, without its ending .js
 */
export function isFresh(folder: string, output: string): boolean {
  const stamp = readStamp(join(folder, output));
  return (
    stamp !== undefined &&
    existsSync(join(folder, `${output}.js`)) &&
    stamp.checksum === checksumOf(folder, stamp.inputs)
  );
}

/** Remembers beside a bundle what it was made of. */
export function markFresh(folder: string, output: string, inputs: readonly string[]): void {
  writeFileSync(stampFile(join(folder, output)), JSON.stringify({ inputs, checksum: checksumOf(folder, inputs) }));
}

const stampFile = (output: string) => `${output}.inputs.json`;

function readStamp(output: string): z.output<typeof Stamp> | undefined {
  const file = stampFile(output);
  if (!existsSync(file)) return undefined;
  return Stamp.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function checksumOf(folder: string, inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const input of [...everybodysInputs, ...inputs]) {
    const file = join(folder, input);
    hash.update(`${input}\0`).update(existsSync(file) ? readFileSync(file) : 'gone');
  }
  return hash.digest('hex');
}
