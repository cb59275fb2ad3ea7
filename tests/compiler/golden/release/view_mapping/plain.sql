CREATE TABLE "warehouse"."main"."patients_k5" AS
SELECT
  *
FROM "kanon_map_zip"
