import type { Case } from './case.ts';
import { addressCases } from './cases/addresses.cases.ts';
import { adminAccessCases } from './cases/admin-access.cases.ts';
import { attributeCases } from './cases/attributes.cases.ts';
import { authenticationCases } from './cases/authentication.cases.ts';
import { catalogFaultCases } from './cases/catalog-faults.cases.ts';
import { catalogCases } from './cases/catalog.cases.ts';
import { eventCases } from './cases/events.cases.ts';
import { idempotencyCases } from './cases/idempotency.cases.ts';
import { paywallCases } from './cases/paywalls.cases.ts';
import { peopleCases } from './cases/people.cases.ts';
import { profileV1Cases } from './cases/profiles-v1.cases.ts';
import { profileV2Cases } from './cases/profiles-v2.cases.ts';
import { robustnessCases } from './cases/robustness.cases.ts';
import { sessionTokenCases } from './cases/session-tokens.cases.ts';
import { trafficCases } from './cases/traffic.cases.ts';

/** Every sentence that can be tried from outside, in the order of the specification. */
export const cases: readonly Case[] = [
  ...addressCases,
  ...authenticationCases,
  ...profileV1Cases,
  ...profileV2Cases,
  ...attributeCases,
  ...paywallCases,
  ...trafficCases,
  ...eventCases,
  ...sessionTokenCases,
  ...idempotencyCases,
  ...adminAccessCases,
  ...catalogCases,
  ...catalogFaultCases,
  ...peopleCases,
  ...robustnessCases,
];
