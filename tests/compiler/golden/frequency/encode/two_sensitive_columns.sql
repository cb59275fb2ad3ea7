/* kanon: frequency set */
CREATE TABLE "kanon_frequency" AS
WITH encoded AS (
  SELECT
    c0.code_0 AS key_0,
    c0.code_1 + c1.code_1 AS key_1,
    d0.value AS value_0,
    d1.value AS value_1
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_codes_age" AS c0
    ON s."age" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."zip" IS NOT DISTINCT FROM c1.ground
  LEFT JOIN "kanon_values_diagnosis" AS d0
    ON s."diagnosis" IS NOT DISTINCT FROM d0.ground
  LEFT JOIN "kanon_values_severity" AS d1
    ON s."severity" IS NOT DISTINCT FROM d1.ground
)
SELECT
  key_0,
  key_1,
  value_0,
  value_1,
  COUNT(*) AS n
FROM encoded
GROUP BY
  key_0,
  key_1,
  value_0,
  value_1
