-- CreateTable
CREATE TABLE "look_up" (
    "app_id" INTEGER NOT NULL,
    "chain_id" UUID NOT NULL,
    "store" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "look_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "unvalued" JSONB,

    CONSTRAINT "look_up_pkey" PRIMARY KEY ("app_id","chain_id")
);

-- CreateTable
CREATE TABLE "play_token" (
    "app_id" INTEGER NOT NULL,
    "token_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "replaced_by" UUID,

    CONSTRAINT "play_token_pkey" PRIMARY KEY ("app_id","token_id")
);

-- CreateTable
CREATE TABLE "stripe_customer" (
    "app_id" INTEGER NOT NULL,
    "customer_id" TEXT NOT NULL,
    "profile_id" UUID NOT NULL,

    CONSTRAINT "stripe_customer_pkey" PRIMARY KEY ("app_id","customer_id")
);

-- CreateTable
CREATE TABLE "store_history" (
    "app_id" INTEGER NOT NULL,
    "store" TEXT NOT NULL,
    "read_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "store_history_pkey" PRIMARY KEY ("app_id","store")
);

-- CreateIndex
CREATE INDEX "look_up_look_at_idx" ON "look_up"("look_at");
