-- CreateTable
CREATE TABLE "consumer_offset" (
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "next_offset" BIGINT NOT NULL,
    "owner_epoch" INTEGER NOT NULL,
    "cluster_id" TEXT NOT NULL,

    CONSTRAINT "consumer_offset_pkey" PRIMARY KEY ("topic","partition")
);

-- CreateTable
CREATE TABLE "journey" (
    "profile_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "kept_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "journey_pkey" PRIMARY KEY ("profile_id")
);

-- CreateTable
CREATE TABLE "chain" (
    "chain_id" UUID NOT NULL,
    "payer" UUID,
    "state" TEXT NOT NULL,

    CONSTRAINT "chain_pkey" PRIMARY KEY ("chain_id")
);

-- CreateTable
CREATE TABLE "learning_model" (
    "app_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "catalog_revision" INTEGER NOT NULL,
    "touched_at" TIMESTAMPTZ(3) NOT NULL,
    "ticked_at" TIMESTAMPTZ(3),

    CONSTRAINT "learning_model_pkey" PRIMARY KEY ("app_id","model")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "app_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "next_offset" BIGINT NOT NULL,
    "state" BYTEA NOT NULL,
    "sha256" TEXT NOT NULL,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("app_id","model")
);

-- CreateTable
CREATE TABLE "model_snapshot" (
    "app_id" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "learned_until" TIMESTAMPTZ(3) NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "model_snapshot_pkey" PRIMARY KEY ("app_id","sha256")
);

-- CreateTable
CREATE TABLE "model_report" (
    "app_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "learned_until" TIMESTAMPTZ(3) NOT NULL,
    "report" TEXT NOT NULL,

    CONSTRAINT "model_report_pkey" PRIMARY KEY ("app_id","model")
);

-- CreateIndex
CREATE INDEX "journey_due_at_idx" ON "journey"("due_at");

-- CreateIndex
CREATE INDEX "journey_kept_until_idx" ON "journey"("kept_until");

-- CreateIndex
CREATE INDEX "checkpoint_partition_idx" ON "checkpoint"("partition");

-- CreateIndex
CREATE INDEX "model_snapshot_published_at_idx" ON "model_snapshot"("published_at");
