/* kanon: frequency set */
CREATE TABLE "kanon_share_entries_zip" AS
WITH tuples AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    s."zip" AS sensitive_0,
    COUNT(*) AS n
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."age",
    s."zip",
    s."zip"
), encoded AS (
  SELECT
    c0.code_0 AS key_0,
    c0.code_1 + c1.code_1 AS key_1,
    d0.value AS value_0,
    s.n
  FROM tuples AS s
  JOIN "kanon_codes_age" AS c0
    ON s."qi_0" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."qi_1" IS NOT DISTINCT FROM c1.ground
  LEFT JOIN "kanon_share_values_zip" AS d0
    ON s."sensitive_0" IS NOT DISTINCT FROM d0.ground
)
SELECT
  key_0,
  key_1,
  value_0,
  CAST(SUM(n) AS BIGINT) AS n
FROM encoded
GROUP BY
  key_0,
  key_1,
  value_0
