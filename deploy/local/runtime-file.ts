import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './write-file-atomically.ts';

/** `<data dir>/runtime.json`: where everything is, for as long as it runs. */
export interface Runtime {
  /** Base address of the first gateway. */
  readonly gateway?: string;
  /** Of all gateways, in the order of their instances. */
  readonly gateways: readonly string[];
  readonly adminToken?: string;
  readonly demo?: { readonly appId: number; readonly secretKey: string };
  /** Base address of the simulated stores, where they run. */
  readonly simulator?: string;
  readonly kafka: string;
  readonly database: string;
  readonly services: readonly {
    name: string;
    instance: number;
    pid: number;
    management: string;
    gateway?: string;
    simulator?: string;
  }[];
  /** PostgreSQL and Kafka, where they are ours. */
  readonly servers: readonly { name: string; pid: number }[];
}

const runtimeFile = (dataDir: string) => join(dataDir, 'runtime.json');

export function writeRuntime(dataDir: string, runtime: Runtime): void {
  writeFileAtomically(runtimeFile(dataDir), `${JSON.stringify(runtime, null, 2)}\n`);
}

export function removeRuntime(dataDir: string): void {
  rmSync(runtimeFile(dataDir), { force: true });
}
