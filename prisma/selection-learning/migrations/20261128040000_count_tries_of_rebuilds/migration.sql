-- AlterTable
ALTER TABLE "rebuild" ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0;
