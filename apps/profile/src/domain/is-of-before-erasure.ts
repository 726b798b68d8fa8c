import type { Command } from '@paywright/contracts';
import type { ErasedProfile, PresentProfile } from './profile.ts';

/**
 * Whether a command was sent before the profile was erased: late, or a dead letter's that is retried, it brings nothing back, nor
 * into the profile that its customer has anew.
 */
export const isOfBeforeErasure = ({ issuedAt }: Command, { erasedAt }: PresentProfile | ErasedProfile): boolean =>
  erasedAt !== null && issuedAt <= erasedAt;
