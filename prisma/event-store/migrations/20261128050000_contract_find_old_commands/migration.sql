-- Nothing uses it since version 0.1.0: inbox_created_at_idx, whose place the new index takes also for the version before.
-- A block range's summary is never narrowed: once rows had been forgotten, each range reached back to the oldest, and the
-- whole table was read for the next ones. Where an inbox is large, the new index is made beforehand, CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "inbox_by_age_idx" ON "inbox"("created_at");
DROP INDEX "inbox_created_at_idx";
