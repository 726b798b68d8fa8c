import { takeKept } from './jest-runtime.ts';

export default async function teardown(): Promise<void> {
  await takeKept()?.stop();
}
