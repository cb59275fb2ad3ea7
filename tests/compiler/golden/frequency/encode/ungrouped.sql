/* kanon: frequency set */
CREATE TABLE "kanon_frequency" AS
WITH encoded AS (
  SELECT
    c0.code_0 + c1.code_0 AS key_0,
    s."patient_id" AS person,
    CAST(1 AS BIGINT) AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_codes_age" AS c0
    ON s."age" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."zip" IS NOT DISTINCT FROM c1.ground
)
SELECT
  key_0,
  person,
  n
FROM encoded
