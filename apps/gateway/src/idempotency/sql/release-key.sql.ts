export const releaseKey = {
  name: 'release-key',
  text: `
    UPDATE idempotency_key SET lease_until = $6
    WHERE app_id = $1 AND key = $2 AND method = $3 AND path = $4 AND attempt = $5 AND status IS NULL`,
};
