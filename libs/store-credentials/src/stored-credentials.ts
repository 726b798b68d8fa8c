import type { Store } from '@paywright/contracts';
import { AppStoreCredentials, PlayStoreCredentials, StripeCredentials } from '@paywright/stores';
import type { z } from 'zod';

/** The Postgres schema of the credentials: a pool for them has it as its search path. */
export const storeCredentialsSchema = 'store_credentials';

/** The purpose of the key that they are sealed with: of `new Sealing(masterKey, storeCredentialsPurpose)`. */
export const storeCredentialsPurpose = 'store-credentials';

/** What opens each store. All of it is secret. */
export interface CredentialsOf {
  readonly app_store: AppStoreCredentials;
  readonly play_store: PlayStoreCredentials;
  readonly stripe: StripeCredentials;
}

/** The form of each store's credentials, for what an app's owner sends and for what was kept. */
export const credentialsSchemas: { readonly [S in Store]: z.ZodType<CredentialsOf[S]> } = {
  app_store: AppStoreCredentials,
  play_store: PlayStoreCredentials,
  stripe: StripeCredentials,
};
