/** $1 app id, $2 customer id. */
export const selectStripeCustomer = `
  select profile_id::text from stripe_customer where app_id = $1 and customer_id = $2`;

/** $1 app id, $2 customer id, $3 profile id. The first one stays. */
export const insertStripeCustomer = `
  insert into stripe_customer (app_id, customer_id, profile_id) values ($1, $2, $3) on conflict do nothing`;

/** $1 app id, $2 profile id. */
export const deleteStripeCustomers = `delete from stripe_customer where app_id = $1 and profile_id = $2`;
