import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ValidatePurchase } from '@paywright/contracts';
import { chainIdOf } from '@paywright/purchases';
import { ProfileQueries, ReadModelProgress, type ProfileRow } from '@paywright/read-model';
import { StoreCredentialsBook } from '@paywright/store-credentials';
import { AwaitedWrites } from '../commands/awaited-writes.ts';
import { commandFrom } from '../commands/command-from.ts';
import { ApiError, serviceUnavailable } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';
import { KnownProfiles } from '../profiles/known-profiles.ts';
import { missingProfile } from '../profiles/missing-profile.ts';
import { requireOurId } from '../profiles/profile-ids.ts';

/** Longer than other writes take: a store alone has 5 s to answer. */
export const validateDeadlineMs = 8_000;

/** A purchase as a client reports it. */
export interface ReportedPurchase extends Omit<ValidatePurchase['body'], 'profileId'> {
  /** Whose it is said to be: any text. */
  readonly profileId: string;
  /** What the store knows it by: the original transaction, or the token as it was sent. */
  readonly originalId: string;
}

/** Has a store confirm what clients bought. */
@Injectable()
export class PurchaseValidation {
  constructor(
    private readonly credentials: StoreCredentialsBook,
    private readonly known: KnownProfiles,
    private readonly profiles: ProfileQueries,
    private readonly writes: AwaitedWrites,
    private readonly progress: ReadModelProgress,
  ) {}

  /**
   * Resolves to the profile once the purchase is recorded, and seen by the next request through any gateway. The profile
   * is as it is then: a store may take seconds, in which attributes come, and people are forgotten.
   *
   * Each attempt is a command of its own, also that of a request repeated by its key: what the store said is observed
   * twice without harm, while a refusal kept for an earlier attempt would be repeated after the store thought better.
   * @throws ApiError STORE_NOT_CONFIGURED, STORE_UNAVAILABLE, PROFILE_NOT_FOUND, or with the refusal of the store or the service;
   * SERVICE_UNAVAILABLE (safe to repeat) at the deadline, or where the profile is not shown yet
   */
  async validate(caller: Caller, { originalId, ...reported }: ReportedPurchase): Promise<ProfileRow> {
    const { id: appId } = caller.app;
    const { store } = reported.purchase;
    if (this.credentials.find(appId, store) === null)
      throw this.credentials.isLocked(appId, store) ? credentialsLocked(store) : storeNotConfigured(store);
    const profileId = requireOurId(reported.profileId);
    if ((await this.known.find(appId, profileId)) === null) throw missingProfile(this.progress);
    await this.#observe({ ...caller, commandId: randomUUID() }, chainIdOf(appId, store, originalId), reported);
    const profile = await this.profiles.find(appId, profileId);
    if (profile === null) throw await this.#whyMissing(appId, profileId);
    return profile;
  }

  /** Purchases are read from another topic than profiles: a new one may be shown behind what it bought. */
  async #whyMissing(appId: number, profileId: string): Promise<ApiError> {
    const isKnown = (await this.known.find(appId, profileId)) !== null;
    return isKnown ? serviceUnavailable() : missingProfile(this.progress);
  }

  async #observe(caller: Caller, chainId: string, body: ValidatePurchase['body']): Promise<void> {
    const asked = { appId: caller.app.id, key: chainId, body, deadlineMs: validateDeadlineMs };
    const command = commandFrom<typeof ValidatePurchase>(caller, asked);
    await this.writes.send(ValidatePurchase, command, (reply, deadline) =>
      // The chain that a later token of Play belongs to is known to the service alone.
      this.progress.purchaseReached(reply.body.chainId, reply.streamVersion, deadline),
    );
  }
}

const namesOfStores = { app_store: 'the App Store', play_store: 'Google Play' } as const;

const storeNotConfigured = (store: keyof typeof namesOfStores) =>
  new ApiError('STORE_NOT_CONFIGURED', `This app has no credentials for ${namesOfStores[store]}; set them first.`);

/** A 422 would end the purchase in the client's eyes, which paid for it. */
const credentialsLocked = (store: keyof typeof namesOfStores) =>
  new ApiError(
    'STORE_UNAVAILABLE',
    `The credentials for ${namesOfStores[store]} cannot be opened at present; send the same request again.`,
  );
