-- CreateTable
CREATE TABLE "purchase_chain" (
    "chain_id" UUID NOT NULL,
    "app_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "decision_id" UUID,
    "chain" TEXT NOT NULL,

    CONSTRAINT "purchase_chain_pkey" PRIMARY KEY ("chain_id")
);

-- CreateTable
CREATE TABLE "purchase_event" (
    "chain_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "app_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "purchase_event_pkey" PRIMARY KEY ("chain_id","version")
);

-- CreateTable
CREATE TABLE "purchase_owner" (
    "profile_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "lost_version" INTEGER,

    CONSTRAINT "purchase_owner_pkey" PRIMARY KEY ("profile_id","chain_id")
);

-- CreateTable
CREATE TABLE "purchase_report" (
    "profile_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "purchase_report_pkey" PRIMARY KEY ("profile_id","chain_id","version")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "chain_id" UUID NOT NULL,
    "payer_profile_id" UUID,
    "decision_id" UUID,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "app_id" INTEGER NOT NULL,
    "paywall_id" INTEGER,
    "movement_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "store" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "original_transaction_id" TEXT,
    "product_id" TEXT NOT NULL,
    "amount" DECIMAL(30,12) NOT NULL,
    "currency" TEXT NOT NULL,
    "usd" DECIMAL(30,12),
    "rate" DECIMAL(30,12),
    "refund_of" TEXT,
    "placement_id" TEXT,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("chain_id","movement_id")
);

-- CreateIndex
CREATE INDEX "purchase_chain_decision_id_idx" ON "purchase_chain"("decision_id");

-- CreateIndex
CREATE INDEX "ledger_entry_payer_profile_id_time_chain_id_version_idx" ON "ledger_entry"("payer_profile_id", "time", "chain_id", "version");
