import { writeServiceConfig } from '@paywright/write-service';

/** The environment of the profile service. */
export const profileConfig = writeServiceConfig;
