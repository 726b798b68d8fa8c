-- CreateTable
CREATE TABLE "idempotency_key" (
    "app_id" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "command_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "status" SMALLINT,
    "body" TEXT,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("app_id","key","method","path")
);

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");
