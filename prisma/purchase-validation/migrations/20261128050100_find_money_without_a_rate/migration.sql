-- Prisma has no word for an index of some of the rows, and leaves it alone. It holds hardly any: few currencies lack a rate.
CREATE INDEX IF NOT EXISTS "look_up_unvalued_idx" ON "look_up"("app_id", "chain_id") WHERE "unvalued" IS NOT NULL;
