-- AlterTable
ALTER TABLE "chain" ADD COLUMN     "buyers" UUID[];
