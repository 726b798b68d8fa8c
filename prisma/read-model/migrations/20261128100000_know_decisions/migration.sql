-- CreateTable
CREATE TABLE "decision" (
    "profile_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "sticky_to" UUID,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "ai_weight" DOUBLE PRECISION,
    "baseline_weight" DOUBLE PRECISION,
    "version" INTEGER NOT NULL,
    "app_id" INTEGER NOT NULL,
    "model" INTEGER,
    "paywall_id" INTEGER NOT NULL,
    "is_drawn" BOOLEAN NOT NULL,
    "is_kept" BOOLEAN NOT NULL,
    "placement_id" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("profile_id","decision_id")
);

-- CreateTable
CREATE TABLE "superseded_decision" (
    "profile_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,

    CONSTRAINT "superseded_decision_pkey" PRIMARY KEY ("profile_id","decision_id")
);

-- CreateIndex
CREATE INDEX "decision_app_id_placement_id_time_idx" ON "decision"("app_id", "placement_id", "time");

-- What an event says of a decision, as the projection reads it.
CREATE FUNCTION "decision_of"(event "profile_event") RETURNS SETOF "decision" LANGUAGE sql STABLE AS $$
  SELECT event.profile_id, event.decision_id, served."stickyTo", event.time, shares."aiWeight", shares."baselineWeight",
    event.version, event.app_id, served."aiPricingModelId", served."paywallId",
    served.path -> 0 ->> 'weight' IS NOT NULL, served."stickyUntil" IS NOT NULL,
    served."placementId", served.target, served."externalId"
  FROM json_to_record(event.data::json) AS served ("placementId" TEXT, target TEXT, "paywallId" INTEGER, "externalId" TEXT,
    path JSON, "stickyUntil" TEXT, "stickyTo" UUID, weighing JSON, "aiPricingModelId" INTEGER)
  LEFT JOIN LATERAL json_to_record(served.weighing) AS shares ("aiWeight" DOUBLE PRECISION, "baselineWeight" DOUBLE PRECISION)
    ON json_array_length(served.path) = 1
$$;

-- The version before knows neither table: while it runs, what it stores of decisions is told to them here. The projection that
-- does so itself says so in its sessions. Nothing needs this once no older version runs or may come back.
CREATE FUNCTION "know_decision"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type = 'PaywallServed' THEN
    INSERT INTO decision SELECT * FROM decision_of(NEW) ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO superseded_decision VALUES (NEW.profile_id, NEW.decision_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "know_decision" AFTER INSERT ON "profile_event" FOR EACH ROW
  WHEN (NEW.type IN ('PaywallServed', 'DecisionSuperseded')
    AND current_setting('paywright.knows_decisions', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION "know_decision"();
