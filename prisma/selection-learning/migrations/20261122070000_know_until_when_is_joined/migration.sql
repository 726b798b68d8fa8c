-- AlterTable
ALTER TABLE "consumer_offset" ADD COLUMN     "joined_until" TIMESTAMPTZ(3);
