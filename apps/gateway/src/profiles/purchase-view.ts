/**
 * The part of the v1 profile that tells what was bought. Purchases are not validated by this version of the
 * service, so no profile has any.
 */
export const purchaseView = () => ({
  paid: false,
  state: 'never-subscribed',
  totalRevenueUsd: 0,
  accessLevels: {},
  subscriptions: {},
  nonSubscriptions: {},
});
