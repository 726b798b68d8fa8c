import { writeServiceConfig } from '@paywright/write-service/config';

/** The environment of the profile service. */
export const profileConfig = writeServiceConfig;
