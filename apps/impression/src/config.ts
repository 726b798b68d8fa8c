import { writeServiceConfig } from '@paywright/write-service';

/** The environment of the impression service. */
export const impressionConfig = writeServiceConfig;
