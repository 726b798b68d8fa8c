-- CreateTable
CREATE TABLE "event" (
    "stream" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "schema_version" SMALLINT NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,
    "meta" JSONB NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("stream","version")
);

-- CreateTable
CREATE TABLE "inbox" (
    "command_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "first_version" INTEGER NOT NULL,
    "last_version" INTEGER NOT NULL,
    "reply" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("command_id")
);

-- CreateTable
CREATE TABLE "personal" (
    "stream" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "fields" JSONB NOT NULL,

    CONSTRAINT "personal_pkey" PRIMARY KEY ("stream")
);

-- CreateTable
CREATE TABLE "snapshot" (
    "stream" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "snapshot_pkey" PRIMARY KEY ("stream")
);

-- CreateIndex
CREATE UNIQUE INDEX "event_id_key" ON "event"("id");

-- CreateIndex
CREATE INDEX "inbox_created_at_idx" ON "inbox" USING BRIN ("created_at");
