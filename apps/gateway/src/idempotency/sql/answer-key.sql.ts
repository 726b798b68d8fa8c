export const answerKey = {
  name: 'answer-key',
  text: `
    UPDATE idempotency_key SET status = $6, body = $7, profile_id = $8, follow_up = $9
    WHERE app_id = $1 AND key = $2 AND method = $3 AND path = $4 AND attempt = $5 AND status IS NULL`,
};
