export interface KeyColumn {
  readonly name: string;
  /** As the database has it: compared as another one, the primary key's index would be of no use. */
  readonly type: 'int4' | 'text' | 'uuid';
}

/** A table with sealed texts, as its owner seals them. */
export interface SealedColumn {
  readonly schema: string;
  readonly table: string;
  /** The columns of its primary key, in order. */
  readonly key: readonly [KeyColumn, KeyColumn];
  /** Of the derived key. */
  readonly purpose: string;
  /** Stands between the parts of the key: so sealed texts say where they belong. */
  readonly separator: string;
}

const appId: KeyColumn = { name: 'app_id', type: 'int4' };

/**
 * Every column `sealed` of the database. What travels sealed through Kafka is gone once its topic's retention has passed,
 * and is not here.
 */
export const sealedColumns: readonly SealedColumn[] = [
  {
    schema: 'store_credentials',
    table: 'store_credentials',
    key: [appId, { name: 'store', type: 'text' }],
    purpose: 'store-credentials',
    separator: ':',
  },
  {
    schema: 'purchase_validation',
    table: 'look_up',
    key: [appId, { name: 'chain_id', type: 'uuid' }],
    purpose: 'look-up',
    separator: '/',
  },
];
