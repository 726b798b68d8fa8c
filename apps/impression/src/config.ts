import { writeServiceConfig } from '@paywright/write-service/config';

/** The environment of the impression service. */
export const impressionConfig = writeServiceConfig;
