import { isDeepStrictEqual } from 'node:util';
import {
  EraseProfile,
  ForgetBuyer,
  ReportEvents,
  SaveProfile,
  ServePaywall,
  SetCustomAttributes,
  UpdateCustomAttribute,
  ValidatePurchase,
  type AnyCommandDefinition,
  type CustomAttribute,
  type PersonalFields,
  type ProfileFields,
  type Refusal,
  type Reply,
  type ReplyOf,
} from '@paywright/contracts';
import type { CommandToPost, CommandToSend } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import type { Chain } from '@paywright/purchases';
import type { ImpersonalProfileRow, ProfileRow } from '@paywright/read-model';
import type { GatewayParts } from '../gateway-parts.ts';
import { subscribedChain } from './purchased-chain.ts';

export interface SentCommand {
  readonly type: string;
  readonly id: string;
  readonly appId: number;
  readonly key: string;
  readonly body: unknown;
  /** Absent from what is posted. */
  readonly deadlineMs?: number;
}

/** A command's outcome: what its service replies, or refuses with. */
export type Outcome = { readonly reply: unknown } | { readonly refusal: Refusal };
type Handler = (command: SentCommand) => Outcome | Promise<Outcome>;

/**
 * The services behind the gateway, in process: profiles that are really kept, a selection that serves `calm`,
 * stores that sell subscriptions to whoever asks, an inbox that answers a repeated command as before. `on` puts another
 * behaviour in place.
 */
export class FakeBackend {
  readonly sent: SentCommand[] = [];
  readonly posted: SentCommand[] = [];
  readonly delivered: SentCommand[] = [];
  /** Why the broker takes nothing that is to be delivered. */
  brokerFault: Error | null = null;
  /** By chain id. */
  readonly chains = new Map<string, Chain>();
  readonly #profiles = new Map<string, ProfileRow>();
  readonly #erased = new Map<string, number>();
  readonly #inbox = new Map<string, Promise<Reply>>();
  readonly #handlers = new Map<string, Handler>();
  /** What the read model showed when it fell behind; null while it keeps up. */
  #shownStill: ReadonlyMap<string, ProfileRow> | null = null;
  readonly #unshown = new Map<string, ImpersonalProfileRow>();
  /** Purchases are read from another topic: they are shown though profiles are not. */
  isBehindWithProfilesAlone = false;
  /** How often chains were asked for. */
  chainQueries = 0;

  constructor(private readonly clock: Clock) {
    this.reset();
  }

  /** The read model shows nothing of what is done from when it is set. */
  set readModelIsBehind(isBehind: boolean) {
    this.#shownStill = isBehind ? new Map(this.#profiles) : null;
  }

  get readModelIsBehind(): boolean {
    return this.#shownStill !== null;
  }

  get #shown(): ReadonlyMap<string, ProfileRow> {
    return this.#shownStill ?? this.#profiles;
  }

  /** Forgets everything, and behaves again as described above. */
  reset(): void {
    this.sent.length = 0;
    this.posted.length = 0;
    this.delivered.length = 0;
    this.brokerFault = null;
    this.chains.clear();
    this.#profiles.clear();
    this.#erased.clear();
    this.#unshown.clear();
    this.#inbox.clear();
    this.#handlers.clear();
    this.readModelIsBehind = false;
    this.isBehindWithProfilesAlone = false;
    this.progress.mayLack = false;
    this.chainQueries = 0;
    this.on(SaveProfile, (command) => this.#saveProfile(command));
    this.on(EraseProfile, (command) => this.#eraseProfile(command));
    this.on(ForgetBuyer, () => ({ reply: {} }));
    this.on(SetCustomAttributes, (command) => this.#setAttributes(command));
    this.on(UpdateCustomAttribute, (command) => this.#updateAttribute(command));
    this.on(ReportEvents, () => ({ reply: {} }));
    this.on(ServePaywall, (command) => servedPaywall(command));
    this.on(ValidatePurchase, (command) => this.sell(command));
  }

  on({ type }: AnyCommandDefinition, handler: Handler): void {
    this.#handlers.set(type, handler);
  }

  /** As the stores and the purchase service do it: the profile has a subscription from now on. */
  sell({ key: chainId, body }: SentCommand): Outcome {
    const { profileId, purchase } = ValidatePurchase.body.parse(body);
    this.chains.set(chainId, subscribedChain(chainId, profileId, purchase, this.clock.now()));
    return { reply: { chainId, profileId } };
  }

  /** As a crash of the database takes the row, for some seconds. @returns what brings it back */
  lose(profileId: string): () => void {
    const lost = this.#profiles.get(profileId);
    this.#profiles.delete(profileId);
    return () => lost && this.#profiles.set(profileId, lost);
  }

  readonly commands: GatewayParts['commands'] = {
    send: <D extends AnyCommandDefinition>(definition: D, command: CommandToSend<D>) =>
      this.#send(definition, command) as Promise<Reply<ReplyOf<D>>>,
    post: <D extends AnyCommandDefinition>({ type }: D, command: CommandToPost<D>) => {
      this.posted.push({ ...command, type });
    },
    deliver: async <D extends AnyCommandDefinition>({ type, body }: D, command: CommandToSend<D>) => {
      if (this.brokerFault !== null) throw this.brokerFault;
      this.delivered.push({ ...command, type, body: body.parse(JSON.parse(JSON.stringify(command.body))) });
    },
  };

  readonly profiles: GatewayParts['profiles'] = {
    find: async (appId, profileId) => {
      const profile = this.#shown.get(profileId);
      return profile?.appId === appId ? profile : null;
    },
    findImpersonal: (appId, profileId) => this.profiles.find(appId, profileId),
    versionOf: async (profileId) => {
      const isSeenErased = this.#erased.has(profileId) && !this.readModelIsBehind;
      return this.#shown.get(profileId)?.version ?? (isSeenErased ? Infinity : 0);
    },
    search: async (appId, search) => {
      const wanted = 'query' in search ? search.query : search.customerUserId;
      const entries = [...this.#shown.values()].filter(
        (profile) => profile.appId === appId && profile.personal.customerUserId === wanted,
      );
      return { entries, nextCursor: null };
    },
  };

  readonly unshownProfiles: GatewayParts['unshownProfiles'] = {
    keep: async (profile) => {
      this.#unshown.set(profile.profileId, { ...profile, custom: [], updatedAt: profile.createdAt });
    },
    find: async (appId, profileId) => {
      const profile = this.#unshown.get(profileId);
      return profile?.appId === appId ? profile : null;
    },
    forget: async (profileId) => {
      this.#unshown.delete(profileId);
    },
  };

  readonly purchases: GatewayParts['purchases'] = {
    chainsOf: async (profileIds) => {
      this.chainQueries += 1;
      const chains = [...this.chains.values()];
      const isOf = (profileId: string) => (chain: Chain) =>
        chain.owner === profileId || chain.payer === profileId || chain.formerOwners.includes(profileId);
      return new Map(profileIds.map((profileId) => [profileId, chains.filter(isOf(profileId))]));
    },
    ledgerOf: async () => ({ entries: [], nextCursor: null }),
    outcomeOf: async () => ({ conversions: 0, revenueUsd: '0' }),
  };

  readonly progress: GatewayParts['progress'] & { mayLack: boolean } = {
    mayLack: false,
    reached: async ({ profileId, streamVersion }) =>
      !this.readModelIsBehind || (this.#shown.get(profileId)?.version ?? 0) >= streamVersion,
    catalogReached: () => Promise.resolve(!this.readModelIsBehind),
    purchaseReached: (chainId) =>
      Promise.resolve((!this.readModelIsBehind || this.isBehindWithProfilesAlone) && this.chains.has(chainId)),
  };

  async #send(definition: AnyCommandDefinition, command: Omit<SentCommand, 'type'>): Promise<Reply> {
    const { type } = definition;
    const { id, appId, key, deadlineMs } = command;
    // What the service would not be able to read is a fault of the gateway.
    const body = definition.body.parse(JSON.parse(JSON.stringify(command.body)));
    const sent = { type, id, appId, key, body, ...(deadlineMs !== undefined && { deadlineMs }) };
    this.sent.push(sent);
    const reply = this.#inbox.get(id) ?? this.#decide(definition, sent);
    this.#inbox.set(id, reply);
    reply.catch(() => this.#inbox.delete(id));
    return reply;
  }

  async #decide(definition: AnyCommandDefinition, sent: SentCommand): Promise<Reply> {
    const handler = this.#handlers.get(sent.type);
    if (handler === undefined) throw new Error(`no fake service for ${sent.type}`);
    const outcome = await handler(sent);
    if ('refusal' in outcome) return { status: 'refused', refusal: outcome.refusal };
    const streamVersion = this.#profiles.get(sent.key)?.version ?? (this.#shown.get(sent.key)?.version ?? 0) + 1;
    return { status: 'accepted', streamVersion, body: definition.reply.parse(outcome.reply) };
  }

  #saveProfile({ key, appId, body }: SentCommand): Outcome {
    const { fields, personal } = SaveProfile.body.parse(body);
    const held = this.#profiles.get(key);
    const now = this.clock.now();
    const saved = {
      fields: merged<ProfileFields>(held?.fields ?? {}, fields),
      personal: merged<PersonalFields>(held?.personal ?? {}, personal),
    };
    if (held !== undefined && isDeepStrictEqual(saved, { fields: held.fields, personal: held.personal })) {
      const allPersonalGiven = isDeepStrictEqual(held.personal, merged<PersonalFields>({}, personal));
      return { reply: { created: false, allPersonalGiven } };
    }
    this.#profiles.set(key, {
      profileId: key,
      appId,
      version: (held?.version ?? 0) + 1,
      ...saved,
      custom: held?.custom ?? [],
      createdAt: held?.createdAt ?? now,
      updatedAt: now,
    });
    return { reply: held === undefined ? { created: true, createdAt: now } : { created: false } };
  }

  #eraseProfile({ key, appId }: SentCommand): Outcome {
    const profile = this.#profiles.get(key);
    const erasedAt = profile?.appId === appId ? this.clock.now() : this.#erased.get(key);
    if (erasedAt === undefined) return profileNotFound;
    this.#profiles.delete(key);
    this.#erased.set(key, erasedAt);
    return { reply: { erasedAt } };
  }

  #setAttributes({ key, appId, body }: SentCommand): Outcome {
    const profile = this.#profiles.get(key);
    if (profile?.appId !== appId) return profileNotFound;
    const custom = new Map(profile.custom.map((attribute) => [attribute.key, attribute]));
    const size = custom.size;
    const { attributes } = SetCustomAttributes.body.parse(body);
    for (const given of attributes) custom.set(given.key, { ...given, id: custom.get(given.key)?.id ?? given.id });
    this.#profiles.set(key, { ...profile, version: profile.version + 1, custom: [...custom.values()] });
    const named = [...new Set(attributes.map((given) => given.key))];
    return { reply: { created: custom.size > size, attributes: named.map((name) => custom.get(name)) } };
  }

  #updateAttribute({ key, appId, body }: SentCommand): Outcome {
    const profile = this.#profiles.get(key);
    if (profile?.appId !== appId) return profileNotFound;
    const changed: CustomAttribute = UpdateCustomAttribute.body.parse(body);
    if (!profile.custom.some(({ id }) => id === changed.id)) {
      return { refusal: { code: 'ATTRIBUTE_NOT_FOUND', message: 'attrId names no attribute of this profile.' } };
    }
    const custom = profile.custom.map((attribute) => (attribute.id === changed.id ? changed : attribute));
    this.#profiles.set(key, { ...profile, version: profile.version + 1, custom });
    return { reply: { attribute: changed } };
  }
}

const profileNotFound: Outcome = {
  refusal: { code: 'PROFILE_NOT_FOUND', message: 'profileId names no profile of this app.' },
};

/** Serves `calm` of the example catalog, by the AI model. */
export function servedPaywall({ id, body }: SentCommand, changes: object = {}): Outcome {
  const { placementId, catalogRevision, baselineOnly } = ServePaywall.body.parse(body);
  const served = {
    decisionId: id,
    placementId,
    paywall: 'calm',
    paywallId: 12,
    catalogRevision,
    isExperiment: !baselineOnly,
    aiPricingModelId: 3,
    abTestId: null,
  };
  return { reply: { ...served, ...changes } };
}

function merged<Fields extends object>(
  held: Partial<Fields>,
  changes: { [Name in keyof Fields]?: Fields[Name] | null | undefined },
): Partial<Fields> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const entries = Object.entries({ ...held, ...Object.fromEntries(given) });
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as Partial<Fields>;
}
