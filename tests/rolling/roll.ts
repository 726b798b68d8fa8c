import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceAddresses } from '@paywright/deploy/local/service.ts';
import { services, type Service, type Stack } from '../stack/stack.ts';
import { migrateTo, type Version } from './version.ts';

const eventReaders: readonly Service[] = ['projection', 'learner'];

/** Who reads what others write comes before them: so nobody meets what only the next version knows. */
const readersFirst: readonly Service[] = [
  ...eventReaders,
  ...services.filter((service) => !eventReaders.includes(service) && service !== 'gateway'),
  'gateway',
];

/** Longer than the balancer takes to notice that a gateway is not ready. */
export const drainMs = 1_000;
/** Two versions of a service work side by side for so long. */
const sideBySideMs = 500;

/** A running product each of whose services is replaced while it works. */
export class Rolling {
  readonly #stack: Stack;
  /** All gateways there ever were: the ended ones do not answer. */
  readonly gateways: ServiceAddresses[] = [];

  constructor(stack: Stack) {
    this.#stack = stack;
    this.gateways.push(stack.addressesOf('gateway'));
  }

  /** Migrates first: what the version adds is there before the version is. */
  async forth(to: Version): Promise<void> {
    await migrateTo(to, this.#stack.databaseUrl);
    for (const service of readersFirst) await this.#replace(service, 0, 1, to);
  }

  /** The other way round; the database stays as it is. */
  async back(to: Version): Promise<void> {
    for (const service of readersFirst.toReversed()) await this.#replace(service, 1, 0, to);
  }

  async #replace(service: Service, former: number, next: number, { root }: Version): Promise<void> {
    await this.#stack.startService(service, next, { DRAIN_DELAY_MS: String(drainMs) }, root);
    if (service === 'gateway') this.gateways.push(this.#stack.addressesOf(service, next));
    await sleep(sideBySideMs);
    await this.#stack.stopService(service, former);
  }
}
