import { StoreFault } from '@paywright/stores';

/** Why a notification cannot be verified: what lacks, or that it is there and no key at hand opens it. */
export const withoutCredentials = (isLocked: boolean, lacking: string): StoreFault =>
  new StoreFault(
    'not-configured',
    isLocked ? 'The credentials cannot be opened: they were sealed with another MASTER_KEY.' : lacking,
  );
