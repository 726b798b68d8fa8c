/** A table with sealed texts, as its owner seals them. */
export interface SealedColumn {
  readonly schema: string;
  readonly table: string;
  /** The columns of its primary key, in order. */
  readonly key: readonly [string, string];
  /** Of the derived key. */
  readonly purpose: string;
  /** Stands between the parts of the key: so sealed texts say where they belong. */
  readonly separator: string;
}

/**
 * Every column `sealed` of the database. What travels sealed through Kafka is gone once its topic's retention has passed,
 * and is not here.
 */
export const sealedColumns: readonly SealedColumn[] = [
  {
    schema: 'store_credentials',
    table: 'store_credentials',
    key: ['app_id', 'store'],
    purpose: 'store-credentials',
    separator: ':',
  },
  { schema: 'purchase_validation', table: 'look_up', key: ['app_id', 'chain_id'], purpose: 'look-up', separator: '/' },
];
