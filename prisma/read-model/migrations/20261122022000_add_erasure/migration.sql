-- AlterTable
ALTER TABLE "profile" ADD COLUMN     "erased_at" TIMESTAMPTZ(3),
ADD COLUMN     "erased_version" INTEGER;
