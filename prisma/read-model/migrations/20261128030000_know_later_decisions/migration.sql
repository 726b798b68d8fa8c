-- CreateTable
CREATE TABLE "later_decision" (
    "chain_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,

    CONSTRAINT "later_decision_pkey" PRIMARY KEY ("chain_id","decision_id")
);

-- CreateIndex
CREATE INDEX "later_decision_decision_id_idx" ON "later_decision"("decision_id");
