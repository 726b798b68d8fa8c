import type { Case } from './case.ts';
import { addressCases } from './cases/addresses.cases.ts';
import { adminAccessCases } from './cases/admin-access.cases.ts';
import { appCases } from './cases/apps-and-keys.cases.ts';
import { attributeListCases } from './cases/attribute-lists.cases.ts';
import { attributeCases } from './cases/attribute.cases.ts';
import { authenticationCases } from './cases/authentication.cases.ts';
import { catalogFaultCases } from './cases/catalog-faults.cases.ts';
import { catalogIntegerCases } from './cases/catalog-integers.cases.ts';
import { catalogCases } from './cases/catalog.cases.ts';
import { decisionCases } from './cases/decisions.cases.ts';
import { eventCases } from './cases/events.cases.ts';
import { idempotencyCases } from './cases/idempotency.cases.ts';
import { paywallV2Cases } from './cases/paywall-v2.cases.ts';
import { paywallV1Cases } from './cases/paywalls-v1.cases.ts';
import { peopleCases } from './cases/people.cases.ts';
import { profileIdentityCases } from './cases/profile-identity.cases.ts';
import { profileV1Cases } from './cases/profiles-v1.cases.ts';
import { profileV2Cases } from './cases/profiles-v2.cases.ts';
import { purchaseCases } from './cases/purchases.cases.ts';
import { robustnessCases } from './cases/robustness.cases.ts';
import { sessionTokenCases } from './cases/session-tokens.cases.ts';
import { trafficCases } from './cases/traffic.cases.ts';

/** Every sentence that can be tried from outside, in the order of the specification. */
export const cases: readonly Case[] = [
  ...addressCases,
  ...authenticationCases,
  ...profileV1Cases,
  ...profileIdentityCases,
  ...profileV2Cases,
  ...attributeCases,
  ...attributeListCases,
  ...paywallV1Cases,
  ...paywallV2Cases,
  ...trafficCases,
  ...eventCases,
  ...sessionTokenCases,
  ...purchaseCases,
  ...idempotencyCases,
  ...adminAccessCases,
  ...appCases,
  ...catalogCases,
  ...catalogIntegerCases,
  ...catalogFaultCases,
  ...peopleCases,
  ...decisionCases,
  ...robustnessCases,
];
