-- Nothing uses it since version 0.1.0: profile_event_time_idx, as reports read the rows of decision.
DROP INDEX "profile_event_time_idx";
