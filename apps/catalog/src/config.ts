import { writeServiceConfig } from '@paywright/write-service';

/** The environment of the catalog service. */
export const catalogConfig = writeServiceConfig;
