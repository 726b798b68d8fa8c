export const forgetAnswers = {
  name: 'forget-answers',
  text: `UPDATE idempotency_key SET status = $2, body = $3, profile_id = NULL, follow_up = NULL WHERE profile_id = $1`,
};
