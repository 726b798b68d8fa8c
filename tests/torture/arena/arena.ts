import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, freePorts, loopback } from '@paywright/deploy/local/free-ports.ts';
import { FaultyAppStore } from '../../faults/purchases/app-store.ts';
import { services, Stack, type Service } from '../../stack/stack.ts';
import type { Injected } from '../invariants/dead-letters-as-injected.ts';
import { Clocks } from './clocks.ts';
import { Disk } from './disk.ts';
import { Link } from './link.ts';

interface Parts {
  readonly stack: Stack;
  readonly store: FaultyAppStore;
  readonly clocks: Clocks;
  readonly kafkaLinks: Readonly<Record<'gateway' | 'services', readonly Link[]>>;
  readonly postgresLinks: ReadonlyMap<Service, Link>;
  readonly disks: Readonly<Record<'postgres' | 'kafka', Disk | null>>;
  readonly env: NodeJS.ProcessEnv;
}

/** The whole product with everything in reach that can go wrong: processes, links, disks and clocks. */
export class Arena {
  readonly stack: Stack;
  readonly store: FaultyAppStore;
  readonly clocks: Clocks;
  /** The gateway's ways to Kafka, one to each broker, and those of all other services. */
  readonly kafkaLinks: Parts['kafkaLinks'];
  /** Each service's way to Postgres. */
  readonly postgresLinks: Parts['postgresLinks'];
  /** Null where this machine does not let us make a small one. */
  readonly disks: Parts['disks'];
  /** Dead letters that were made on purpose. */
  readonly poisoned: Injected[] = [];
  /** Rises before the read model's offsets are moved back on purpose, and again behind that. */
  rewinds = 0;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(parts: Parts, folder: string) {
    this.stack = parts.stack;
    this.store = parts.store;
    this.clocks = parts.clocks;
    this.kafkaLinks = parts.kafkaLinks;
    this.postgresLinks = parts.postgresLinks;
    this.disks = parts.disks;
    this.#env = parts.env;
    this.#folder = folder;
  }

  /** @param defects of the build, comma separated: see defects.ts */
  static async open({ defects = '', brokers = 1 } = {}): Promise<Arena> {
    const folder = mkdtempSync(join(process.env['FAULT_DATA_DIR'] ?? tmpdir(), 'paywright-torture-'));
    const postgresPort = await freePort();
    const kafkaPorts = { gateway: await freePorts(brokers), services: await freePorts(brokers) };
    const kafkaLinks = { gateway: await openLinks(kafkaPorts.gateway), services: await openLinks(kafkaPorts.services) };
    const postgresLinks = new Map<Service, Link>();
    for (const service of services) postgresLinks.set(service, await Link.open(postgresPort));
    const [store, clocks] = [await FaultyAppStore.start(), await Clocks.open()];
    const folders = { postgres: join(folder, 'disk-of-postgres'), kafka: join(folder, 'disk-of-kafka') };
    const disks = { postgres: await Disk.mount(folders.postgres), kafka: await Disk.mount(folders.kafka) };
    const env = { ...store.environment, PAYWRIGHT_BREAK: defects };
    const stack = await Stack.start('info', env, {
      folder,
      dataDirs: { postgres: join(folders.postgres, 'postgres'), kafka: folders.kafka },
      postgresPort,
      brokerCount: brokers,
      kafkaListenersOf: (broker) =>
        (['gateway', 'services'] as const).map((side) => ({
          name: side.toUpperCase(),
          port: kafkaPorts[side][broker]!,
          advertisedPort: kafkaLinks[side][broker]!.port,
        })),
      environmentOf: (service, databaseUrl) => ({
        KAFKA_BROKERS: addressesOf(kafkaLinks[service === 'gateway' ? service : 'services']),
        DATABASE_URL: throughPort(databaseUrl, postgresLinks.get(service)!.port),
        SIMULATION_URL: clocks.urlOf(service),
      }),
    });
    return new Arena({ stack, store, clocks, kafkaLinks, postgresLinks, disks, env }, folder);
  }

  /** Replaces services by a build with these defects; those named, since the others have no such code. */
  async rebuild(defects: string, of: readonly Service[]): Promise<void> {
    this.#env['PAYWRIGHT_BREAK'] = defects;
    for (const service of of) await this.stack.restartService(service);
  }

  /** The folder with everybody's logs, for who wants to know why. */
  get folder(): string {
    return this.#folder;
  }

  /** @param keep leaves the logs where they are */
  async close({ keep = false } = {}): Promise<void> {
    await this.stack.stop();
    const links = [...Object.values(this.kafkaLinks).flat(), ...this.postgresLinks.values()];
    await Promise.all([...links.map((link) => link.close()), this.clocks.close(), this.store.stop()]);
    for (const disk of Object.values(this.disks)) await disk?.unmount();
    if (!keep) rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function openLinks(targetPorts: readonly number[]): Promise<readonly Link[]> {
  return Promise.all(targetPorts.map((port) => Link.open(port)));
}

const addressesOf = (links: readonly Link[]): string => links.map(({ port }) => `${loopback}:${port}`).join();

function throughPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}
