-- CreateTable
CREATE TABLE "unshown_profile" (
    "profile_id" UUID NOT NULL,
    "app_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "fields" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unshown_profile_pkey" PRIMARY KEY ("profile_id")
);

-- CreateIndex
CREATE INDEX "unshown_profile_expires_at_idx" ON "unshown_profile"("expires_at");
