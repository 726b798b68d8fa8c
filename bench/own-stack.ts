import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoIfInterrupted } from './interrupt.ts';
import { startStack, type Stack } from './stack.ts';

/** Measures a product without its demo, on a data folder of its own: both are gone behind it. */
export async function onOwnStack<Measured>(
  measure: (stack: Stack) => Promise<Measured>,
  { env, options }: { readonly env?: NodeJS.ProcessEnv; readonly options?: readonly string[] } = {},
): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const forget = undoIfInterrupted(remove);
  try {
    const { stack, stop } = await startStack(dataDir, { PAYWRIGHT_DEMO: '0', ...env }, options);
    try {
      return await measure(stack);
    } finally {
      await stop();
    }
  } finally {
    remove();
    forget();
  }
}
