import { writeServiceConfig } from '@paywright/write-service/config';

/** The environment of the catalog service. */
export const catalogConfig = writeServiceConfig;
