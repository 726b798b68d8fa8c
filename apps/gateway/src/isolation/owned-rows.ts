import type { CatalogDocument, CatalogIds } from '@paywright/contracts';
import { modelStreamOf } from '@paywright/purchases';
import type { Queryable } from '@paywright/read-model';
import { decisionRow } from '../admin/testing/decision-records.ts';
import { startOfTime } from '../testing/test-gateway.ts';

export interface OwnedRows {
  readonly appId: number;
  readonly profileId: string;
  readonly decisionId: string;
  readonly customerUserId: string;
  /** Stands in every row that has room for it. */
  readonly mark: string;
  readonly document: CatalogDocument;
  readonly catalogIds: CatalogIds;
}

/** A row in every table of the read model that belongs to an app: a person who was served, shown and sold something. */
export async function insertOwnedRows(database: Queryable, rows: OwnedRows): Promise<void> {
  const { appId, profileId, customerUserId, mark } = rows;
  const time = new Date(startOfTime);
  await database.query(
    `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
     values ($1, $2, 1, '{"country": "DE"}', $3, $4, $4)`,
    [profileId, appId, JSON.stringify([{ id: profileId, key: 'mark', value: mark }]), time],
  );
  await database.query('insert into profile_personal values ($1, $2, 1, $3, $4)', [
    profileId,
    appId,
    JSON.stringify({ customerUserId, username: mark }),
    customerUserId,
  ]);
  await insertDecision(database, rows, time);
  await insertPurchase(database, rows, time);
  await insertCatalog(database, rows, time);
}

async function insertDecision(database: Queryable, rows: OwnedRows, time: Date): Promise<void> {
  const { appId, profileId, decisionId, mark } = rows;
  const placementId = appId === 1 ? 'onboarding' : 'placement-b';
  const context = { ...decisionRow(decisionId).decision.context, custom: { mark } };
  const { decision } = decisionRow(decisionId, { appId, profileId, placementId, context });
  const insert = `insert into profile_event (profile_id, service, version, type, decision_id, data, app_id, time, id)
     values ($1, 'selection', 1, $2, $3, $4, $5, $6, gen_random_uuid())`;
  await database.query(insert, [profileId, 'PaywallServed', decisionId, JSON.stringify(decision), appId, time]);
  const { target, paywallId, externalId, aiPricingModelId, weighing } = decision;
  await database.query(
    `insert into decision (profile_id, decision_id, time, version, app_id, placement_id, target, paywall_id, external_id,
       model, ai_weight, baseline_weight, is_drawn, is_kept)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11, true, false)`,
    [
      ...[profileId, decisionId, time, appId, placementId, target, paywallId, externalId],
      ...[aiPricingModelId, weighing?.aiWeight, weighing?.baselineWeight],
    ],
  );
  const model = appId === 1 ? 'main' : 'model-b';
  const frozen = JSON.stringify({ appId, model, actor: mark });
  await database.query(insert, [modelStreamOf({ appId, model }), 'ModelFrozen', null, frozen, appId, time]);
  await database.query(`insert into unique_impression values ($1, 12, $2, $3, $4, $5)`, [
    profileId,
    appId,
    placementId,
    decisionId,
    time,
  ]);
}

/** The chain's id is the profile's: one is enough. */
async function insertPurchase(database: Queryable, rows: OwnedRows, time: Date): Promise<void> {
  const { appId, profileId, decisionId, mark } = rows;
  const bought = JSON.stringify({ productId: mark });
  await database.query(
    `insert into purchase_event (chain_id, id, time, version, app_id, type, data)
     values ($1, gen_random_uuid(), $2, 1, $3, 'PurchaseReported', $4)`,
    [profileId, time, appId, bought],
  );
  await database.query('insert into purchase_owner values ($1, $1, null)', [profileId]);
  await database.query(
    `insert into ledger_entry (chain_id, movement_id, version, app_id, payer_profile_id, decision_id, time, type, store,
       environment, transaction_id, product_id, amount, currency, usd, rate)
     values ($1, $2, 1, $3, $1, $4, $5, 'charge', 'app_store', 'production', $2, $2, 9.99, 'USD', 9.99, 1)`,
    [profileId, mark, appId, decisionId, time],
  );
}

async function insertCatalog(database: Queryable, rows: OwnedRows, time: Date): Promise<void> {
  const { appId, mark, document, catalogIds } = rows;
  for (const revision of appId === 1 ? [1] : [1, 7]) {
    await database.query(
      `insert into catalog_revision (app_id, revision, document, ids, paywall_revisions, actor, time)
       values ($1, $2, $3, $4, '{}', $5, $6)`,
      [appId, revision, JSON.stringify(document), JSON.stringify(catalogIds), mark, time],
    );
  }
}
