-- CreateTable
CREATE TABLE "store_credentials" (
    "app_id" INTEGER NOT NULL,
    "store" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,
    "last_check_at" TIMESTAMPTZ(3),
    "last_check_ok" BOOLEAN,
    "last_check_message" TEXT,

    CONSTRAINT "store_credentials_pkey" PRIMARY KEY ("app_id","store")
);
