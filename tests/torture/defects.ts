import { defectNames } from '@paywright/event-sourcing';
import { messagingDefects } from '@paywright/messaging';
import { gatewayDefects } from '../../apps/gateway/src/defects.ts';
import { projectionDefects } from '../../apps/projection/src/defects.ts';

/** All the ways to break a build on purpose. */
export const knownDefects: readonly string[] = [
  ...defectNames,
  ...messagingDefects,
  ...projectionDefects,
  ...gatewayDefects,
];
