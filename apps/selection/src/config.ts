import { writeServiceConfig } from '@paywright/write-service';

/** The environment of the selection service. */
export const selectionConfig = writeServiceConfig;
