-- AlterTable
ALTER TABLE "look_up" ADD COLUMN     "awaits" UUID;

-- CreateIndex
CREATE INDEX "look_up_awaits_idx" ON "look_up"("awaits");
