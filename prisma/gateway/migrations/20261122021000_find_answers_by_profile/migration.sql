-- AlterTable
ALTER TABLE "idempotency_key" ADD COLUMN     "profile_id" UUID;

-- CreateIndex
CREATE INDEX "idempotency_key_profile_id_idx" ON "idempotency_key"("profile_id");
