-- AlterTable
ALTER TABLE "ledger_entry" ADD COLUMN     "store_share" DECIMAL(30,12),
ADD COLUMN     "store_share_currency" TEXT;
