import { writeServiceConfig } from '@paywright/write-service/config';

/** The environment of the selection service. */
export const selectionConfig = writeServiceConfig;
