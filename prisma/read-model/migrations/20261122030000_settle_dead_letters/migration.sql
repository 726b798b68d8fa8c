-- AlterTable
ALTER TABLE "dead_letter" ADD COLUMN     "app_id" INTEGER,
ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "message_id" TEXT,
ADD COLUMN     "settled_at" TIMESTAMPTZ(3),
ADD COLUMN     "settled_by" TEXT,
ADD COLUMN     "skipped_version" INTEGER,
ADD COLUMN     "status" TEXT NOT NULL DEFAULT 'open';

-- CreateIndex
CREATE INDEX "dead_letter_consumer_message_id_idx" ON "dead_letter"("consumer", "message_id");
