-- Nothing uses it since version 0.1.0: know_decision and decision_of, as the version before stores rows of decision itself.
DROP TRIGGER "know_decision" ON "profile_event";
DROP FUNCTION "know_decision"();
DROP FUNCTION "decision_of"("profile_event");
