import 'reflect-metadata';
import { startProcess } from '@paywright/platform';
import { projectionConfig } from './config.ts';
import { openProjection } from './open-projection.ts';

await startProcess({ name: 'projection', config: projectionConfig, open: openProjection });
