-- Nothing uses it since version 0.1.0: that event.id and inbox.command_id are unique without their stream.
-- The new keys refuse what the former ones did, and begin with what the version before asks by (docs/decisions/0026).
-- Where a store is large, both indexes are made beforehand, CONCURRENTLY: then this takes milliseconds.
CREATE UNIQUE INDEX IF NOT EXISTS "event_stream_id_key" ON "event"("stream", "id");
CREATE UNIQUE INDEX IF NOT EXISTS "inbox_command_id_stream_key" ON "inbox"("command_id", "stream");

ALTER TABLE "event" ADD CONSTRAINT "event_stream_id_key" UNIQUE USING INDEX "event_stream_id_key";
DROP INDEX "event_id_key";
ALTER TABLE "inbox" DROP CONSTRAINT "inbox_pkey", ADD CONSTRAINT "inbox_pkey" PRIMARY KEY USING INDEX "inbox_command_id_stream_key";
