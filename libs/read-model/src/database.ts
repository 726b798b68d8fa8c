import type pg from 'pg';

/** The Postgres schema of the read models: a pool for them has it as its search path. */
export const readModelSchema = 'read_model';

/** The projection notifies this channel with each commit of profile, personal, catalog or purchase rows. */
export const readModelChannel = 'read_model';

/** What a query needs of a pool or a client. */
export type Queryable = Pick<pg.Pool, 'query'>;
