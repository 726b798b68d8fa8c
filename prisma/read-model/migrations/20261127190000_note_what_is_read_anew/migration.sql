-- AlterTable
ALTER TABLE "projection_offset" ADD COLUMN     "read_anew_at" TIMESTAMPTZ(3);
