/* kanon: frequency set */
CREATE TABLE "kanon_share_entries_region" AS
WITH encoded AS (
  SELECT
    c0.code_0 + c1.code_0 AS key_0,
    d0.value AS value_0,
    CAST(1 AS BIGINT) AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_codes_age" AS c0
    ON s."age" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."zip" IS NOT DISTINCT FROM c1.ground
  LEFT JOIN "kanon_share_values_region" AS d0
    ON s."region" IS NOT DISTINCT FROM d0.ground
)
SELECT
  key_0,
  value_0,
  n
FROM encoded
