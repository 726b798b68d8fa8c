-- AlterTable
ALTER TABLE "projection_offset" ADD COLUMN     "code" INTEGER NOT NULL DEFAULT 1;
