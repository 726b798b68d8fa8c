-- CreateIndex
CREATE INDEX "dead_letter_status_settled_at_idx" ON "dead_letter"("status", "settled_at");
