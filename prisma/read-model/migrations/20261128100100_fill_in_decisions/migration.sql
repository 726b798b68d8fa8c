-- Those of before. Apart from the migration before, whose trigger keeps writers waiting until its end: this one keeps nobody.
INSERT INTO "superseded_decision"
SELECT profile_id, decision_id FROM profile_event
WHERE service = 'selection' AND type = 'DecisionSuperseded'
ON CONFLICT DO NOTHING;

INSERT INTO "decision"
SELECT known.* FROM profile_event event CROSS JOIN LATERAL decision_of(event) known
WHERE event.service = 'selection' AND event.type = 'PaywallServed'
ON CONFLICT DO NOTHING;

-- Otherwise reports would be planned as if there were none.
ANALYZE "decision", "superseded_decision";
