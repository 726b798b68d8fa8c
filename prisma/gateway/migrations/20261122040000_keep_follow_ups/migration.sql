-- AlterTable
ALTER TABLE "idempotency_key" ADD COLUMN     "follow_up" TEXT;
