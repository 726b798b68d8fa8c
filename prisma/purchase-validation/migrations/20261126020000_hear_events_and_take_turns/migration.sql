-- AlterTable
ALTER TABLE "store_history" ADD COLUMN     "claimed_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "heard_event" (
    "app_id" INTEGER NOT NULL,
    "event_id" TEXT NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "heard_event_pkey" PRIMARY KEY ("app_id","event_id")
);

-- CreateIndex
CREATE INDEX "heard_event_heard_at_idx" ON "heard_event"("heard_at");

-- CreateIndex
CREATE INDEX "look_up_app_id_store_look_at_idx" ON "look_up"("app_id", "store", "look_at");
