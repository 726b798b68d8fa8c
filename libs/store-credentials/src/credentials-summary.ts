import type { Store } from '@paywright/contracts';
import type { CredentialsOf } from './stored-credentials.ts';

/** What a store said when it was last asked whether it takes the credentials. `time` in milliseconds. */
export interface LastCheck {
  readonly time: number;
  readonly ok: boolean;
  /** One sentence. */
  readonly message: string;
}

/** What may be shown of an app's credentials for a store; null where there are none. `setAt` in milliseconds. */
export type CredentialsSummary = { readonly setAt: number; readonly lastCheck: LastCheck | null } | null;

export interface CredentialsSummaries {
  readonly appStore: CredentialsSummary;
  readonly playStore: CredentialsSummary;
  readonly stripe: CredentialsSummary;
}

/** What a store said of these very credentials: as `find` gave them, for others may have come meanwhile. */
export interface CredentialsVerdict<S extends Store = Store> {
  readonly credentials: CredentialsOf[S];
  readonly ok: boolean;
  readonly message: string;
}
