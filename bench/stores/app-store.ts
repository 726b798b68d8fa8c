import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A purchase to be sold; `appAccountToken` is what the app told the store of its buyer. */
export interface Wanted {
  readonly appAccountToken?: string;
}

export interface SoldPurchase {
  readonly transactionId: string;
  readonly originalTransactionId: string;
  /** The body of the notification that tells of it. */
  readonly notification: string;
}

export interface AppStoreAddress {
  readonly production: string;
  readonly sandbox: string;
  /** DER. */
  readonly rootFile: string;
  readonly bundleId: string;
  readonly credentials: { issuerId: string; keyId: string; privateKey: string; appAppleId: number };
}

/** The App Store that purchases are measured with. */
export class BenchAppStore implements AsyncDisposable {
  readonly address: AppStoreAddress;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, address: AppStoreAddress) {
    this.#process = child;
    this.address = address;
  }

  /** @param folder where its root certificate is put */
  static async start(folder: string): Promise<BenchAppStore> {
    const child = fork(new URL('app-store-process.ts', import.meta.url), {
      env: { ...process.env, BENCH_FOLDER: folder },
      serialization: 'advanced',
    });
    const [address] = (await once(child, 'message')) as [AppStoreAddress];
    return new BenchAppStore(child, address);
  }

  async sell(wanted: readonly Wanted[]): Promise<readonly SoldPurchase[]> {
    const sold = once(this.#process, 'message');
    this.#process.send(wanted);
    const [purchases] = (await sold) as [readonly SoldPurchase[]];
    return purchases;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
  }
}
