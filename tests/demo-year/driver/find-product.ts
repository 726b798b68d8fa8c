import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the product and its simulated stores are. */
export interface ProductAddresses {
  readonly gateway: string;
  readonly adminToken: string;
  readonly simulator: string;
}

export interface AddressFlags {
  readonly url?: string | undefined;
  readonly 'admin-token'?: string | undefined;
  readonly simulator?: string | undefined;
}

/** The flags' product, else the one that runs on the data folder; null if there is neither, or it has no simulator. */
export function findProduct(flags: AddressFlags, dataDir: string): ProductAddresses | null {
  const { url, 'admin-token': token, simulator: stores } = flags;
  if (url && token && stores) return { gateway: url, adminToken: token, simulator: stores };
  const file = join(dataDir, 'runtime.json');
  if (!existsSync(file)) return null;
  const { gateway, adminToken, simulator }: Partial<ProductAddresses> = JSON.parse(readFileSync(file, 'utf8'));
  return gateway && adminToken && simulator ? { gateway, adminToken, simulator } : null;
}
