-- CreateTable
CREATE TABLE "rebuild" (
    "app_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "night" BIGINT NOT NULL,
    "begin_offset" BIGINT NOT NULL,
    "live" BYTEA NOT NULL,
    "live_sha256" TEXT NOT NULL,
    "rebuilt" BYTEA,
    "ended" TEXT,

    CONSTRAINT "rebuild_pkey" PRIMARY KEY ("app_id","model")
);

-- CreateIndex
CREATE INDEX "rebuild_partition_idx" ON "rebuild"("partition");
