-- CreateTable
CREATE TABLE "profile" (
    "profile_id" UUID NOT NULL,
    "app_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "fields" JSONB NOT NULL,
    "custom" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profile_pkey" PRIMARY KEY ("profile_id")
);

-- CreateTable
CREATE TABLE "profile_personal" (
    "profile_id" UUID NOT NULL,
    "app_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "fields" JSONB NOT NULL,
    "customer_user_id" TEXT COLLATE "C",

    CONSTRAINT "profile_personal_pkey" PRIMARY KEY ("profile_id")
);

-- CreateTable
CREATE TABLE "profile_event" (
    "profile_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "decision_id" UUID,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "app_id" INTEGER NOT NULL,
    "service" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "profile_event_pkey" PRIMARY KEY ("profile_id","service","version")
);

-- CreateTable
CREATE TABLE "unique_impression" (
    "profile_id" UUID NOT NULL,
    "paywall_id" INTEGER NOT NULL,
    "app_id" INTEGER NOT NULL,
    "placement_id" TEXT,
    "decision_id" UUID,
    "first_shown_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unique_impression_pkey" PRIMARY KEY ("profile_id","paywall_id")
);

-- CreateTable
CREATE TABLE "app" (
    "app_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "app_pkey" PRIMARY KEY ("app_id")
);

-- CreateTable
CREATE TABLE "app_key" (
    "app_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_key_pkey" PRIMARY KEY ("app_id","key_id")
);

-- CreateTable
CREATE TABLE "catalog_revision" (
    "app_id" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "ids" JSONB NOT NULL,
    "paywall_revisions" JSONB NOT NULL,
    "actor" TEXT NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "catalog_revision_pkey" PRIMARY KEY ("app_id","revision")
);

-- CreateTable
CREATE TABLE "audit" (
    "app_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("app_id","version")
);

-- CreateTable
CREATE TABLE "projection_offset" (
    "projection" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "next_offset" BIGINT NOT NULL,
    "owner_epoch" INTEGER NOT NULL,
    "cluster_id" TEXT NOT NULL,

    CONSTRAINT "projection_offset_pkey" PRIMARY KEY ("projection","topic","partition")
);

-- CreateTable
CREATE TABLE "dead_letter" (
    "seq" BIGSERIAL NOT NULL,
    "consumer" TEXT NOT NULL,
    "key" TEXT,
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "offset" BIGINT NOT NULL,
    "headers" JSON NOT NULL,
    "payload" BYTEA,
    "blocks" BOOLEAN NOT NULL,
    "error" TEXT,
    "attempts" INTEGER NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dead_letter_pkey" PRIMARY KEY ("seq")
);

-- CreateIndex
CREATE INDEX "profile_personal_app_id_customer_user_id_idx" ON "profile_personal"("app_id", "customer_user_id");

-- CreateIndex
CREATE INDEX "profile_event_decision_id_idx" ON "profile_event"("decision_id");

-- CreateIndex
CREATE INDEX "audit_time_app_id_version_idx" ON "audit"("time", "app_id", "version");

-- CreateIndex
CREATE INDEX "dead_letter_consumer_topic_key_seq_idx" ON "dead_letter"("consumer", "topic", "key", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "dead_letter_consumer_topic_partition_offset_key" ON "dead_letter"("consumer", "topic", "partition", "offset");
