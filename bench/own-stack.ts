import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoIfInterrupted } from './interrupt.ts';
import { startStack, type Stack } from './stack.ts';

interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly options?: readonly string[];
}

/** Gives a data folder for products to run on, one after the other; it is gone behind them. */
export async function withOwnData<Measured>(measure: (dataDir: string) => Promise<Measured>): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const forget = undoIfInterrupted(remove);
  try {
    return await measure(dataDir);
  } finally {
    remove();
    forget();
  }
}

/** Measures a product without its demo on that data folder, and ends it. */
export async function onStack<Measured>(
  dataDir: string,
  measure: (stack: Stack) => Promise<Measured>,
  { env, options }: StartOptions = {},
): Promise<Measured> {
  const { stack, stop } = await startStack(dataDir, { PAYWRIGHT_DEMO: '0', ...env }, options);
  try {
    return await measure(stack);
  } finally {
    await stop();
  }
}

/** Measures a product without its demo, on a data folder of its own: both are gone behind it. */
export const onOwnStack = <Measured>(
  measure: (stack: Stack) => Promise<Measured>,
  options: StartOptions = {},
): Promise<Measured> => withOwnData((dataDir) => onStack(dataDir, measure, options));
