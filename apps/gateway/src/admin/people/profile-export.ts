import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import type { Chain } from '@paywright/purchases';
import { DecisionQueries, ExportQueries, PurchaseQueries, type Page, type ProfileRow } from '@paywright/read-model';
import type { App } from '../../catalog/apps.ts';
import { ProfileViewsV1 } from '../../profiles/profile-views-v1.ts';
import { decisionView } from '../decisions/decision-view.ts';
import { isoTime } from '../iso-time.ts';
import { jsonPieces } from './json-pieces.ts';
import { ledgerEntryView } from './ledger-entry-view.ts';

const pageSize = 200;

/** All that is kept about a person, as one JSON document that is written while it is read. */
@Injectable()
export class ProfileExport {
  constructor(
    private readonly views: ProfileViewsV1,
    private readonly records: ExportQueries,
    private readonly decisions: DecisionQueries,
    private readonly purchases: PurchaseQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * The answer's body, envelope included. It breaks off, and is no JSON then, if the read model goes away meanwhile.
   * @throws what the read model throws before the first byte
   */
  async open(app: App, profile: ProfileRow): Promise<Readable> {
    const { profileId } = profile;
    const view = await this.views.show(app, profile);
    const impressions = await this.records.impressions(app.id, profileId);
    const stripeCustomerIds = await this.records.stripeCustomerIds(app.id, profileId);
    const chains = (await this.purchases.chainsOf([profileId])).get(profileId) ?? [];
    const document = jsonPieces({
      exportedAt: { value: isoTime(this.clock.now()) },
      appId: { value: app.id },
      profileId: { value: profileId },
      profile: { value: view },
      deviceContext: { value: profile.fields },
      updatedAt: { value: isoTime(profile.updatedAt) },
      stripeCustomerIds: { value: stripeCustomerIds },
      purchases: { value: chains.map((chain) => chainView(profileId, chain)) },
      impressions: {
        value: impressions.map(({ firstShownAt, ...shown }) => ({ ...shown, firstShownAt: isoTime(firstShownAt) })),
      },
      ledger: {
        list: entries((cursor) => this.purchases.ledgerOf(profileId, { limit: pageSize, cursor }), ledgerEntryView),
      },
      decisions: {
        list: entries(
          (cursor) => this.decisions.ofProfile(app.id, profileId, { limit: pageSize, cursor }),
          decisionView,
        ),
      },
      events: { list: timed(this.records.events(app.id, profileId)) },
    });
    return Readable.from(enveloped(document));
  }
}

async function* enveloped(document: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"ok":true,"data":';
  yield* document;
  yield '}';
}

/** The entries of every page, as they are shown. */
async function* entries<Entry>(
  page: (cursor: string | null) => Promise<Page<Entry>>,
  view: (entry: Entry) => object,
): AsyncGenerator<object> {
  for (let cursor: string | null = null; ;) {
    const { entries, nextCursor }: Page<Entry> = await page(cursor);
    yield* entries.map(view);
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

async function* timed<Entry extends { readonly time: number }>(all: AsyncIterable<Entry>): AsyncGenerator<object> {
  for await (const entry of all) yield { ...entry, time: isoTime(entry.time) };
}

/** A chain of purchases, of whose other owners and payer nothing is told: they are other people. */
const chainView = (profileId: string, { owner, payer, formerOwners, takenOver, ...facts }: Chain) => ({
  isOwner: owner === profileId,
  isFormerOwner: formerOwners.includes(profileId),
  isPayer: payer === profileId,
  takenOver: takenOver?.[profileId] ?? null,
  ...facts,
});
