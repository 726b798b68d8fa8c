-- CreateIndex
CREATE INDEX "stripe_customer_profile_id_idx" ON "stripe_customer"("profile_id");
