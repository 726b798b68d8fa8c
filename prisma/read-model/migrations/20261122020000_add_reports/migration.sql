-- DropIndex
DROP INDEX "audit_time_app_id_version_idx";

-- AlterTable
ALTER TABLE "audit" DROP CONSTRAINT "audit_pkey",
ADD CONSTRAINT "audit_pkey" PRIMARY KEY ("app_id", "id");

-- CreateIndex
CREATE INDEX "audit_time_app_id_version_id_idx" ON "audit"("time", "app_id", "version", "id");

-- CreateIndex
CREATE INDEX "profile_event_time_idx" ON "profile_event" USING BRIN ("time" timestamptz_minmax_multi_ops)
-- Prisma does not look at it. Without it new rows are known to the index after a vacuum alone, and read until then.
WITH (autosummarize = on);
